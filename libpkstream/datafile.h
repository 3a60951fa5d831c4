/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATAFILE_H
#define DATAFILE_H

/* perf.data files, read as streams. */

#include "pkstream.h"

struct pk_datafile;

/* Reports an item of the file that was skipped. type is the type of the record that it would
 * become. */
typedef void (*pk_datafile_warn)(void *arg, uint64_t offset, uint32_t type, const char *text);

/* Opens the file whose header is at offset base of fd. fd must be seekable. If spool is true, the
 * file owns fd. The caller must also close *result after an error. */
enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result);
void pk_datafile_close(struct pk_datafile *file);
/* Like read(2): the bytes of the stream, and of another recording that follows the file in fd. */
ssize_t pk_datafile_read(void *file, void *buf, size_t size);
/* Returns fd, and whether it is a spool; the caller owns a spool from now on. */
bool pk_datafile_release_fd(struct pk_datafile *file, int *fd);
/* The version of the directory that the file belongs to; 0: none. */
uint64_t pk_datafile_directory(const struct pk_datafile *file);
/* The reason why the file is incomplete, or NULL. */
const char *pk_datafile_missing(const struct pk_datafile *file);
/* The offset in fd for an offset in the stream. Records that were made from the header have the
 * offset of the header. */
uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset);
/* Whether the offset of the stream is in the data section. */
bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset);

#endif
