/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "Could not look" is not "has none". Every read and every allocation that fails while a store
 * looks something up is counted here, by the code that met the failure, so that no caller has to
 * pass it on. A file that is missing, or that nobody may read, is an answer and no failure.
 */
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

/* After an open, a read or the like has failed: counts errno for this path if pk_is_failure() says
 * that it is one. Keeps errno. */
void pk_failed_errno(struct pk_failures *failures, const char *path);

/* Counts all that others have counted. */
void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others);

/* The block as it is; NULL is counted as exhausted memory: p = pk_need(f, malloc(size)). */
void *pk_need(struct pk_failures *failures, void *block);

/* What a call that needed memory said, as it is: false is counted as exhausted memory. */
bool pk_need_room(struct pk_failures *failures, bool ok);

/* A text in a block for free(); NULL is counted. */
char *pk_need_text(struct pk_failures *failures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Is this errno of an open() a failure, or is the file just missing, forbidden or of another kind?
 */
bool pk_is_failure(int error);

/* The reason in words. */
const char *pk_failure_text(int error);

#endif
