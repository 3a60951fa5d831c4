/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_TAR_H
#define PK_ARCHIVE_TAR_H

/*
 * Writes POSIX tar (ustar, with pax headers where a name is too long for that). The same contents
 * make the same archive: no times, no owners.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tar;

/* zstd: as one frame. fd stays the caller's. NULL: out of memory. */
struct tar *tar_new(int fd, bool zstd);
void tar_free(struct tar *tar);

/* A file that could not be read: from which offset on, and why; 0: it became shorter meanwhile. */
struct tar_unreadable {
	uint64_t offset;
	int error;
	bool cut; /* the archive ends there */
};

/* These return false when writing failed; tar_error() says why. Names are relative. */
bool tar_symlink(struct tar *tar, const char *name, const char *target);
bool tar_bytes(struct tar *tar, const char *name, const void *bytes, uint64_t size);
/*
 * The first size bytes of a file. It is read once to see that it can be, and once to be written, so
 * that nothing stands in the archive that only looks whole. *read is false if it could not be read:
 * nothing was written of it, and the archive goes on; unless the second reading failed, which ends
 * the archive in the middle of the member and makes the result false, too.
 */
bool tar_file(struct tar *tar, const char *name, int fd, uint64_t size, bool *read,
	      struct tar_unreadable *why);
bool tar_end(struct tar *tar);
/* An errno. */
int tar_error(const struct tar *tar);

#endif
