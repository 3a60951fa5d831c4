/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "vector.h"

int pk_file_open(const char *path, int *fd)
{
	struct stat st;
	int error;

	/* Without O_NONBLOCK, opening a FIFO would wait for its writer. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return errno;
	error = fstat(*fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	if (!error)
		return 0;
	close(*fd);
	*fd = -1;
	return error;
}

int pk_text_open(const char *path, int *fd)
{
	struct stat st;
	int error;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		return errno;
	error = fstat(*fd, &st) ? errno : S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) ? 0 : EINVAL;
	if (!error)
		return 0;
	close(*fd);
	*fd = -1;
	return error;
}

/* Sets [*at, *end) to the next range of data at or after *at. Returns false if only a hole follows.
 * If the file system does not support holes, the whole file is data. */
static bool next_data(int fd, uint64_t size, uint64_t *at, uint64_t *end)
{
	off_t begin, hole;

	if (*at >= size)
		return false;
	begin = lseek(fd, (off_t)*at, SEEK_DATA);
	if (begin < 0 && errno == ENXIO)
		return false;
	hole = begin < 0 ? -1 : lseek(fd, begin, SEEK_HOLE);
	*at = begin < 0 ? *at : (uint64_t)begin;
	*end = hole < 0 || (uint64_t)hole > size ? size : (uint64_t)hole;
	return *at < *end;
}

uint64_t pk_file_data(int fd, uint64_t size)
{
	uint64_t sum = 0;

	for (uint64_t at = 0, end; next_data(fd, size, &at, &end); at = end)
		sum += end - at;
	return sum;
}

bool pk_file_is_dense(int fd, uint64_t size)
{
	const uint64_t small = 16 << 20;

	return size <= small || (size - small) / 16 <= pk_file_data(fd, size);
}

/* Reads bytes from offset `at` on, until `room` bytes are read or the file ends. Returns -1 if a
 * read fails. */
static ssize_t read_piece(int fd, char *bytes, size_t room, uint64_t at)
{
	size_t used = 0;

	while (used < room) {
		ssize_t n = pread(fd, bytes + used, room - used, (off_t)(at + used));

		if (n < 0 && errno == ESPIPE)
			n = read(fd, bytes + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

/* Reads the data of a file whose size is known. Returns NULL and sets errno if this fails. */
static char *read_data(int fd, uint64_t file_size, size_t room, size_t *size)
{
	char *bytes = malloc(room + 1);
	size_t used = 0;

	for (uint64_t at = 0, end; bytes && next_data(fd, file_size, &at, &end); at = end) {
		const size_t left = room - used;
		ssize_t n = read_piece(fd, bytes + used, end - at < left ? end - at : left, at);

		if (n < 0) {
			const int error = errno;

			free(bytes);
			errno = error;
			return NULL;
		}
		used += (size_t)n;
	}
	if (bytes)
		bytes[used] = 0;
	*size = used;
	return bytes;
}

char *pk_file_read(int fd, size_t max, size_t *size)
{
	enum { CHUNK = 64 << 10, LARGE = 1 << 20 };
	size_t room = 0, used = 0;
	struct stat st;
	char *bytes = NULL;
	int error;

	if (!fstat(fd, &st) && st.st_size > LARGE) {
		const uint64_t data = pk_file_data(fd, (uint64_t)st.st_size);

		if (data <= max)
			return read_data(fd, (uint64_t)st.st_size, data, size);
		errno = EFBIG;
		return NULL;
	}
	while (pk_reserve(&bytes, &room, used, CHUNK, 1) == PK_OK) {
		ssize_t n = read_piece(fd, bytes + used, room - 1 - used, used);

		if (n < 0)
			break;
		used += (size_t)n;
		if (used > max) {
			errno = EFBIG;
			break;
		}
		if (used < room - 1) {
			bytes[used] = 0;
			*size = used;
			return bytes;
		}
	}
	error = errno;
	free(bytes);
	errno = error;
	return NULL;
}
