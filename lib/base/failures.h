/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the failures of lookups. A failed lookup is different from a lookup that finds nothing.
 * Each read or allocation that fails during a lookup is counted in a struct pk_failures, by the
 * code where it failed. So the callers need not pass the error on. It is not a failure if a file
 * does not exist, or if the user may not read the file: see pk_is_failure(). */
#ifndef PK_FAILURES_H
#define PK_FAILURES_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* The number of failures, and a description of the first failure. */
struct pk_failures {
	uint64_t count;
	/* Describes the first failure. `error` is an errno, or 0 if the file became shorter while
	 * it was read. `path` is cut to 255 bytes. `path` is empty if the path is unknown, or if
	 * the failure has nothing to do with a file. */
	int error;
	char path[256];
};

/* Counts a failure. The first failure also sets error and path. If failures is NULL, nothing is
 * counted. `path` is NULL if the path is unknown, or if the failure has nothing to do with a file.
 */
void pk_failed(struct pk_failures *failures, const char *path, int error);

/* Call this function after a failed open(), read() or similar function. If pk_is_failure(errno), it
 * counts errno as a failure for this path. It does not change errno. */
void pk_failed_errno(struct pk_failures *failures, const char *path);

/* Adds the count of `others` to `failures`. If `failures` was empty, it also takes the description
 * of the first failure of `others`. */
void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others);

/* Returns the block. If the block is NULL, counts a failure with ENOMEM. Example: p = pk_need(f,
 * malloc(size)). */
void *pk_need(struct pk_failures *failures, void *block);

/* Returns the status. If it is not PK_OK, counts a failure with ENOMEM. */
enum pk_status pk_need_room(struct pk_failures *failures, enum pk_status status);

/* Formats a text into a new block, which the caller frees with free(). If memory is exhausted,
 * counts a failure and returns NULL. */
char *pk_need_text(struct pk_failures *failures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns true if this errno of open() or read() is a failure. An errno is not a failure if it
 * means one of these things:
 *   - the file, process or device does not exist
 *   - the user has no permission
 *   - the file is not of the expected kind
 *   - the path is too long or has too many links */
bool pk_is_failure(int error);

/* Returns the text for the value of pk_failures.error. The value can be 0. */
const char *pk_failure_text(int error);

#endif
