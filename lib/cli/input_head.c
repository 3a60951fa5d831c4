// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "input_head.h"

void pk_input_head_read(struct pk_input_head *head, int fd)
{
	ssize_t size;

	head->fd = fd;
	head->size = head->taken = 0;
	while (head->size < sizeof(head->data)) {
		size = read(fd, head->data + head->size, sizeof(head->data) - head->size);
		if (size > 0)
			head->size += (size_t)size;
		else if (size == 0 || errno != EINTR)
			return;
	}
}

ssize_t pk_input_head_then(void *arg, void *buffer, size_t size)
{
	struct pk_input_head *head = arg;
	const size_t left = head->size - head->taken;

	if (!left)
		return read(head->fd, buffer, size);
	if (size > left)
		size = left;
	memcpy(buffer, head->data + head->taken, size);
	head->taken += size;
	return (ssize_t)size;
}
