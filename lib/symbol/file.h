/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILE_H
#define PK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading, without blocking. Returns 0 or an errno. For a device, a FIFO
 * or another file that is not regular, returns EINVAL. */
int pk_file_open(const char *path, int *fd);

/* Opens a regular file or a pipe that the user has named. If it is a FIFO, waits for its writer. */
int pk_text_open(const char *path, int *fd);

/* Reads a file from its start, or the rest of a pipe. Files without a size (/proc) are read, too.
 * In a file of more than 1 MiB, holes are left out, because text has no holes. A NUL is added. The
 * caller frees the result. Returns NULL and sets errno if this fails. errno is EFBIG if the file
 * has more than `max` bytes. */
char *pk_file_read(int fd, size_t max, size_t *size);

/* Returns the number of bytes outside of holes, in a file of this size. */
uint64_t pk_file_data(int fd, uint64_t size);
/* Checks a file before memory is allocated by the sizes in its headers. A file of holes takes no
 * disk space, whatever its size is. Returns false if the file has more than 16 MiB, and its bytes
 * outside of holes are fewer than 1/16 of (size - 16 MiB). */
bool pk_file_is_dense(int fd, uint64_t size);

#endif
