/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILE_H
#define PK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading, without blocking. Returns 0 or an errno. It is EINVAL for a
 * device, a FIFO or another file that is not regular. */
int pk_file_open(const char *path, int *fd);

/* Opens a regular file or a pipe that the user has named; waits for the writer of a FIFO. */
int pk_text_open(const char *path, int *fd);

/* Reads a file from its start, also one without a size (/proc), or the rest of a pipe. In a file of
 * more than 1 MiB, holes are left out, because text has none. Adds a NUL. The result is for free().
 * Returns NULL and sets errno if that fails. It is EFBIG if the file has more than max bytes. */
char *pk_file_read(int fd, size_t max, size_t *size);

/* The number of bytes that are not in holes, in a file of that size. */
uint64_t pk_file_data(int fd, uint64_t size);
/* Returns false if the file has more than 16 MiB, and its bytes that are not in holes are fewer
 * than 1/16 of the rest. A file of holes takes no disk space, whatever its size is, so memory must
 * not be allocated by the sizes in its headers. */
bool pk_file_is_dense(int fd, uint64_t size);

#endif
