/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILE_H
#define PK_FILE_H

#include <stddef.h>

/*
 * Opens a regular file for reading: no device, no FIFO, and without waiting for anything.
 * 0, or an errno; EINVAL: it is not a regular file.
 */
int pk_file_open(const char *path, int *fd);

/*
 * All bytes from the start of the descriptor, which may be one whose size says nothing (/proc),
 * with a NUL behind them, for free(). NULL: more than max bytes, unreadable or out of memory.
 */
char *pk_file_read(int fd, size_t max, size_t *size);

#endif
