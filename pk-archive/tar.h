/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_TAR_H
#define PK_ARCHIVE_TAR_H

/* Writes POSIX tar files (ustar, with pax headers for long names). The headers have no times and no
 * owners. So archives with equal contents are equal. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "status.h"

struct tar;

/* If zstd is true, the archive is compressed. The caller closes fd. Returns NULL if memory is
 * exhausted. */
struct tar *tar_new(int fd, bool zstd);
void tar_free(struct tar *tar);

/* The reason why a file could not be read. offset is the place of the failed read in bytes. error
 * is the errno of this read, or 0 if the file has become shorter. */
struct tar_unreadable {
	uint64_t offset;
	int error;
	bool cut; /* the archive ends in the middle of this file, because the file could not be read
		   * to its end */
};

/* These functions return another status than PK_OK if writing failed. tar_error() then has the
 * reason. Names are relative paths. */
PK_MUST_CHECK enum pk_status tar_symlink(struct tar *tar, const char *name, const char *target);
PK_MUST_CHECK enum pk_status tar_bytes(struct tar *tar, const char *name, const void *bytes,
				       uint64_t size);
/* Adds the first size bytes of a file. The file is read twice: the first time to check that it can
 * be read, the second time to write it. So the archive normally has no incomplete member. If the
 * first reading fails, *read is set to false, nothing of the file is written, and PK_OK is
 * returned: the archive can continue. If the second reading fails, the archive ends within the
 * member. Then *read is set to false, and PK_FAILED is returned. */
PK_MUST_CHECK enum pk_status tar_file(struct tar *tar, const char *name, int fd, uint64_t size,
				      bool *read, struct tar_unreadable *why);
PK_MUST_CHECK enum pk_status tar_end(struct tar *tar);
/* Returns the errno of the failed write, ENOMEM, or ENAMETOOLONG if a name is too long. Returns 0
 * if nothing has failed. */
int tar_error(const struct tar *tar);

#endif
