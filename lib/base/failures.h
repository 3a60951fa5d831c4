/* SPDX-License-Identifier: BSD-2-Clause */
/* "The lookup failed" and "there is none" are different answers. Every read and every allocation
 * that fails during a lookup is counted in a struct pk_failures by the code where it failed, so
 * that callers need not pass the error on. A file that does not exist, or that this user may not
 * read, is an answer, not a failure: see pk_is_failure(). */
#ifndef PK_FAILURES_H
#define PK_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

struct pk_failures {
	uint64_t count;
	/* The first failure. The error is an errno, or 0 if the file became shorter while it was
	 * read. The path is cut to 255 bytes. It is empty if it is unknown, or if the failure is
	 * not of a file. */
	int error;
	char path[256];
};

/* Counts a failure. The first one also sets error and path. If failures is NULL, nothing is
 * counted. The path is NULL if it is unknown, or if the failure is not of a file. */
void pk_failed(struct pk_failures *failures, const char *path, int error);

/* Call after a failed open, read or similar: counts errno for this path if pk_is_failure(). Keeps
 * errno. */
void pk_failed_errno(struct pk_failures *failures, const char *path);

/* Adds the count of others and, if failures had none, their first failure. */
void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others);

/* Returns the block. If it is NULL, counts a failure with ENOMEM. The use is p = pk_need(f,
 * malloc(size)). */
void *pk_need(struct pk_failures *failures, void *block);

/* Returns the status. If it is not PK_OK, counts a failure with ENOMEM. */
enum pk_status pk_need_room(struct pk_failures *failures, enum pk_status status);

/* Formats a text into a new block, to be freed with free(). Returns NULL if memory is exhausted,
 * which is counted. */
char *pk_need_text(struct pk_failures *failures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether this errno of open() or read() is a failure. It is an answer, not a failure, if the file,
 * process or device does not exist, if the user has no permission, if the file is of another kind
 * than expected, or if the path is too long or has too many links. */
bool pk_is_failure(int error);

/* The text for pk_failures.error, including 0. */
const char *pk_failure_text(int error);

#endif
