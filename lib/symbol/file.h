/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILE_H
#define PK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Opens a regular file for reading: no device, no FIFO, and without waiting for anything.
 * 0, or an errno; EINVAL: it is not a regular file.
 */
int pk_file_open(const char *path, int *fd);

/*
 * All bytes from the start of the descriptor, which may be one whose size says nothing (/proc),
 * with a NUL behind them, for free(); without those of large holes, which text does not have. NULL:
 * errno says why; EFBIG: there are more than max bytes.
 */
char *pk_file_read(int fd, size_t max, size_t *size);

/* Bytes of a file of that size that are no holes. */
uint64_t pk_file_data(int fd, uint64_t size);
/* False: nearly all of a large file is holes. It costs nobody anything to make one of any size, so
 * that memory must not be allocated for what its headers say. */
bool pk_file_is_dense(int fd, uint64_t size);

#endif
