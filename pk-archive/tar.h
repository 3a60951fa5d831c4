/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_TAR_H
#define PK_ARCHIVE_TAR_H

/* Writes POSIX tar (ustar, with pax headers for long names). Equal contents yield equal archives:
 * no times, no owners. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "status.h"

struct tar;

/* With zstd, the archive is compressed. The caller closes fd. NULL: out of memory. */
struct tar *tar_new(int fd, bool zstd);
void tar_free(struct tar *tar);

/* The reason why a file could not be read: the offset of the failed read, and its errno, which is 0
 * if the file has become shorter. */
struct tar_unreadable {
	uint64_t offset;
	int error;
	bool cut; /* the archive ends there */
};

/* These return false if writing failed. tar_error() has the reason. Names are relative. */
PK_MUST_CHECK enum pk_status tar_symlink(struct tar *tar, const char *name, const char *target);
PK_MUST_CHECK enum pk_status tar_bytes(struct tar *tar, const char *name, const void *bytes,
				       uint64_t size);
/* Adds the first size bytes of a file. The file is read twice: first to check that it can be read,
 * then to write it, so that the archive has no incomplete member. *read is false if it could not be
 * read: nothing was written of it, and the archive continues. If the second reading fails, the
 * archive ends inside of the member, and the result is false, too. */
PK_MUST_CHECK enum pk_status tar_file(struct tar *tar, const char *name, int fd, uint64_t size,
				      bool *read, struct tar_unreadable *why);
PK_MUST_CHECK enum pk_status tar_end(struct tar *tar);
/* The errno of the failed write, ENOMEM, or ENAMETOOLONG for a name. It is 0 if nothing has
 * failed. */
int tar_error(const struct tar *tar);

#endif
