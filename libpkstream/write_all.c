// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "pkutil.h"

enum pk_status pk_write_all(int fd, const void *data, size_t size)
{
	struct pollfd ready = {.fd = fd, .events = POLLOUT};
	const uint8_t *bytes = data;

	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n >= 0) {
			bytes += n;
			size -= (size_t)n;
		} else if (errno == EAGAIN) {
			poll(&ready, 1, -1); /* waits, because another process can make a shared
					      * descriptor non-blocking */
		} else if (errno != EINTR) {
			return PK_IO;
		}
	}
	return PK_OK;
}
