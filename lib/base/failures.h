/* SPDX-License-Identifier: BSD-2-Clause */
/* "The lookup failed" and "there is none" are different answers. Every read and every allocation
 * that fails during a lookup is counted in a struct pk_failures by the code where it failed, so
 * that callers need not pass the error on. A file that does not exist, or that this user may not
 * read, is an answer, not a failure: see pk_is_failure(). */
#ifndef PK_FAILURES_H
#define PK_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

struct pk_failures {
	uint64_t count;
	/* The first failure: an errno (0: the file became shorter while it was read), and the file
	 * (cut to 255 bytes; "": unknown, or no file). */
	int error;
	char path[256];
};

/* Counts a failure; the first one also sets error and path. failures NULL: nothing is counted. path
 * NULL: unknown, or no file. */
void pk_failed(struct pk_failures *failures, const char *path, int error);

/* Call after a failed open, read or similar: counts errno for this path if pk_is_failure(). Keeps
 * errno. */
void pk_failed_errno(struct pk_failures *failures, const char *path);

/* Adds the count of others and, if failures had none, their first failure. */
void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others);

/* Returns the block; if it is NULL, counts a failure with ENOMEM: p = pk_need(f, malloc(size)). */
void *pk_need(struct pk_failures *failures, void *block);

/* Returns ok; if it is false, counts a failure with ENOMEM. */
bool pk_need_room(struct pk_failures *failures, bool ok);

/* Formats a text into a new block, to be freed with free(). NULL: out of memory, which is counted.
 */
char *pk_need_text(struct pk_failures *failures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether this errno of open() or read() is a failure. It is an answer, not a failure, if the file,
 * process or device does not exist, if the user has no permission, if the file is of another kind
 * than expected, or if the path is too long or has too many links. */
bool pk_is_failure(int error);

/* The text for pk_failures.error, including 0. */
const char *pk_failure_text(int error);

#endif
