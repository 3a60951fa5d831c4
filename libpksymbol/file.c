/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

int pk_file_open(const char *path, int *fd)
{
	struct stat st;

	/* O_NONBLOCK: to open a FIFO would wait for its writer. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd < 0)
		return errno;
	if (!fstat(*fd, &st) && S_ISREG(st.st_mode))
		return 0;
	close(*fd);
	*fd = -1;
	return EINVAL;
}

char *pk_file_read(int fd, size_t max, size_t *size)
{
	enum { CHUNK = 64 << 10 };
	size_t room = CHUNK, used = 0;
	struct stat st;
	char *bytes;

	if (!fstat(fd, &st) && st.st_size > 0 && (uint64_t)st.st_size <= max)
		room = (size_t)st.st_size + 2; /* one more byte to see the end, one for the NUL */
	bytes = malloc(room);
	while (bytes) {
		ssize_t n = pread(fd, bytes + used, room - 1 - used, (off_t)used);
		char *more;

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0) {
			bytes[used] = 0;
			*size = used;
			return bytes;
		}
		if (n < 0 || (used += (size_t)n) > max)
			break;
		if (used < room - 1)
			continue;
		more = realloc(bytes, room * 2);
		if (!more)
			break;
		bytes = more;
		room *= 2;
	}
	free(bytes);
	return NULL;
}
