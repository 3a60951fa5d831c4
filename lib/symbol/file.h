/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILE_H
#define PK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading: no device, no FIFO; never blocks. 0, or an errno; EINVAL: not a
 * regular file. */
int pk_file_open(const char *path, int *fd);

/* Reads all bytes from the start of the file, also if it has no size (/proc), without large holes,
 * which text does not have. Adds a NUL; for free(). NULL: see errno; EFBIG: more than max bytes. */
char *pk_file_read(int fd, size_t max, size_t *size);

/* The bytes of a file of that size that are not holes. */
uint64_t pk_file_data(int fd, uint64_t size);
/* False: a large file consists almost only of holes. Such a file of any size takes no disk space,
 * so memory must not be allocated by the sizes in its headers. */
bool pk_file_is_dense(int fd, uint64_t size);

#endif
