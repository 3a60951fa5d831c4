// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"

#define PIPE_SIZE (1 << 20)

void output_init(struct output *output, int fd, bool corked)
{
	*output = (struct output){.fd = fd, .corked = corked};
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
}

void output_free(struct output *output)
{
	free(output->data);
	output->data = NULL;
}

static ssize_t keep(struct output *output, const void *data, size_t size)
{
	size_t capacity = output->capacity ? output->capacity : 1 << 16;
	uint8_t *grown;

	while (capacity - output->size < size)
		capacity *= 2;
	if (capacity != output->capacity) {
		grown = realloc(output->data, capacity);
		if (!grown)
			return -1;
		output->data = grown;
		output->capacity = capacity;
	}
	memcpy(output->data + output->size, data, size);
	output->size += size;
	return (ssize_t)size;
}

ssize_t output_write(void *arg, const void *data, size_t size)
{
	struct output *output = arg;

	if (output->error) {
		errno = output->error;
		return -1;
	}
	return output->corked ? keep(output, data, size) : write(output->fd, data, size);
}

void output_uncork(struct output *output)
{
	size_t done = 0;
	ssize_t n;

	output->corked = false;
	while (done < output->size && !output->error) {
		n = write(output->fd, output->data + done, output->size - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			output->error = errno;
	}
	output->size = 0;
	output_free(output);
}
