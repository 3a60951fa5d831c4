/* SPDX-License-Identifier: BSD-2-Clause */
/* "The lookup failed" and "there is none" are different answers. Every read and every allocation
 * that fails during a lookup is counted here, by the code where it failed, so that callers need not
 * pass it on. A file that is missing or not readable is an answer, not a failure. */
#ifndef PK_FAILURES_H
#define PK_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

struct pk_failures {
	uint64_t count;
	/* The first failure: an errno (0: the file became shorter while it was read), and the file
	 * ("": unknown, or no file). */
	int error;
	char path[256];
};

/* Counts a failure. failures and path may be NULL. */
void pk_failed(struct pk_failures *failures, const char *path, int error);

/* Call after a failed open, read or similar: counts errno for this path if pk_is_failure(). Keeps
 * errno. */
void pk_failed_errno(struct pk_failures *failures, const char *path);

/* Adds the counts of other. */
void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others);

/* Returns the block; counts NULL as exhausted memory: p = pk_need(f, malloc(size)). */
void *pk_need(struct pk_failures *failures, void *block);

/* Returns ok; counts false as exhausted memory. */
bool pk_need_room(struct pk_failures *failures, bool ok);

/* Copies a text into a block for free(); counts NULL. */
char *pk_need_text(struct pk_failures *failures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether this errno of open() is a failure. A missing, forbidden or other kind of file is not. */
bool pk_is_failure(int error);

/* The text for an error. */
const char *pk_failure_text(int error);

#endif
