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

/* These return false when writing failed; tar_error() says why. Names are relative. */
bool tar_symlink(struct tar *tar, const char *name, const char *target);
bool tar_bytes(struct tar *tar, const char *name, const void *bytes, uint64_t size);
/* What there is of the file now, from its beginning; one that gets shorter meanwhile is filled up
 * with zeros. */
bool tar_file(struct tar *tar, const char *name, int fd, uint64_t size);
bool tar_end(struct tar *tar);
/* An errno. */
int tar_error(const struct tar *tar);

#endif
