/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATAFILE_H
#define DATAFILE_H

/* perf.data files, as the stream that they would have been. */

#include "pkstream.h"

struct pk_datafile;

/* Something of the file that had to be left out; type is of the record that it would be. */
typedef void (*pk_datafile_warn)(void *arg, uint64_t offset, uint32_t type, const char *text);

/*
 * The file whose header stands at offset base of fd, which can seek and is closed with it if it is
 * a spool. On error *result is to be closed all the same.
 */
enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result);
void pk_datafile_close(struct pk_datafile *file);
/* As read(2): the stream's bytes; behind them those of another recording, if one follows in fd. */
ssize_t pk_datafile_read(void *file, void *buf, size_t size);
/* fd, and whether it is a spool, which the caller now owns. */
bool pk_datafile_release_fd(struct pk_datafile *file, int *fd);
/* The version of the directory that the file is part of; 0: it is no such file. */
uint64_t pk_datafile_directory(const struct pk_datafile *file);
/* Why the file is not complete, or NULL. */
const char *pk_datafile_missing(const struct pk_datafile *file);
/* The offset in fd for one in the stream; that of the file for what was made of its header. */
uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset);
/* Whether that is in the data section. */
bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset);

#endif
