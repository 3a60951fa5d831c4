// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "pkprivate.h"
#include "record_time.h"
#include "vector.h"

#define PIPE_SIZE (1 << 20)
/* The size is PIPE_BUF. If poll() reports that a pipe is writable, the pipe accepts this number of
 * bytes. */
#define SURE_TO_FIT 4096
#define KEPT_SIZE   (1 << 20)
#define ANY_SIZE    SIZE_MAX

static ssize_t push(void *arg, const void *data, size_t size);

/* Opens the pipe again. The new file description has O_NONBLOCK, which does not affect other
 * processes. */
static int open_twin(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

enum pk_status output_init(struct output *output, const struct output_options *options, int fd,
			   bool corked)
{
	struct stat st;

	*output = (struct output){.options = *options, .fd = fd, .twin = -1, .corked = corked};
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
	output->pipe = fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	if (output->pipe && S_ISFIFO(st.st_mode))
		output->twin = open_twin(fd);
	if (!options->compress)
		return PK_OK;
	output->compressor = pk_compressor_new(options->level, push, output);
	return output->compressor ? PK_OK : PK_NOMEM;
}

void output_free(struct output *output)
{
	pk_compressor_free(output->compressor);
	free(output->data);
	if (output->twin >= 0)
		close(output->twin);
	if (output->fd >= 0)
		close(output->fd);
	*output = (struct output){.fd = -1, .twin = -1};
}

/* ---- Queue ---- */

static size_t waiting(const struct output *output)
{
	return output->end - output->start;
}

static enum pk_status keep(struct output *output, const uint8_t *data, size_t size)
{
	if (output->start && output->capacity - output->end < size) {
		memmove(output->data, output->data + output->start, waiting(output));
		output->end -= output->start;
		output->start = 0;
	}
	if (pk_reserve(&output->data, &output->capacity, output->end, size, 1) != PK_OK) {
		output->error = ENOMEM;
		return PK_NOMEM;
	}
	memcpy(output->data + output->end, data, size);
	output->end += size;
	return PK_OK;
}

/* Frees memory if no bytes are queued any more. */
static void shrink(struct output *output)
{
	if (waiting(output))
		return;
	output->start = output->end = 0;
	if (output->capacity <= KEPT_SIZE)
		return;
	free(output->data);
	output->data = NULL;
	output->capacity = 0;
}

/* ---- Writing ---- */

/* Writes as many bytes as a pipe or socket accepts without waiting. A file accepts all bytes.
 * Returns the number of written bytes, which is 0 if no bytes are accepted now. If it fails, sets
 * output->error and returns -1. */
static ssize_t write_some(struct output *output, const uint8_t *data, size_t size)
{
	struct pollfd poll_fd = {.fd = output->fd, .events = POLLOUT};
	ssize_t n;

	if (output->pipe && output->twin < 0) {
		if (poll(&poll_fd, 1, 0) <= 0)
			return 0;
		size = size < SURE_TO_FIT ? size : SURE_TO_FIT;
	}
	n = write(output->twin >= 0 ? output->twin : output->fd, data, size);
	if (n >= 0)
		return n;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	output->error = errno;
	return -1;
}

/* Writes queued bytes. Returns false if no bytes are queued, if the reader accepts no more bytes
 * now, or if output->error is set. */
static bool advance(struct output *output)
{
	ssize_t n;

	if (output->error || !waiting(output))
		return false;
	n = write_some(output, output->data + output->start, waiting(output));
	if (n > 0)
		output->start += (size_t)n;
	shrink(output);
	return n > 0;
}

/* Waits until at most `most` bytes are queued. Returns false and sets output->error in three cases:
 * if the reader accepts nothing for options.patience ns, if a signal ended the wait, or if a write
 * failed. */
static bool wait_until(struct output *output, size_t most)
{
	const int stops = pk_signals_stops();
	uint64_t since = record_now();

	while (waiting(output) > most && !output->error) {
		struct pollfd poll_fd = {.fd = output->fd, .events = POLLOUT};
		const struct timespec second = {.tv_sec = 1};
		const struct timespec moment = {.tv_nsec = 50000000};
		const bool short_wait = output->options.patience < UINT64_C(1000000000);

		if (advance(output)) {
			since = record_now();
			continue;
		}
		if (output->error)
			break;
		if (output->pipe)
			ppoll(&poll_fd, 1, short_wait ? &moment : &second,
			      &output->options.signals->mask);
		if (pk_signals_stops() != stops)
			output->error = ECANCELED;
		else if (record_now() - since > output->options.patience)
			output->error = ETIMEDOUT;
	}
	return !output->error;
}

/* Writes or queues bytes. With compression, the bytes are already compressed. Returns size. If it
 * fails, sets errno and returns -1. */
static ssize_t push(void *arg, const void *data, size_t size)
{
	struct output *output = arg;
	const uint8_t *bytes = data;
	ssize_t n = 0;
	size_t left = size;

	while (!output->corked && !output->error && !waiting(output) && left) {
		n = write_some(output, bytes + (size - left), left);
		if (n <= 0)
			break;
		left -= (size_t)n;
	}
	if (!output->error && left && keep(output, bytes + (size - left), left) == PK_OK &&
	    !output->corked)
		wait_until(output, output->options.buffer);
	if (output->error) {
		errno = output->error;
		return -1;
	}
	output->written += size;
	return (ssize_t)size;
}

ssize_t output_write(void *arg, const void *data, size_t size)
{
	struct output *output = arg;

	if (!output->compressor || output->error)
		return push(output, data, size);
	if (pk_compressor_write(output->compressor, data, size) != PK_OK) {
		if (!output->error)
			output->error = ENOMEM;
		errno = output->error;
		return -1;
	}
	return (ssize_t)size;
}

size_t output_room(const struct output *output)
{
	if (!output->pipe || output->corked || !waiting(output))
		return ANY_SIZE;
	return waiting(output) < output->options.buffer ? output->options.buffer - waiting(output)
							: 0;
}

void output_flush(struct output *output)
{
	if (output->compressor && !output->error &&
	    pk_compressor_flush(output->compressor) != PK_OK && !output->error)
		output->error = ENOMEM;
	while (!output->corked && advance(output))
		;
}

int output_waits_for(const struct output *output)
{
	return waiting(output) && !output->error ? output->fd : -1;
}

void output_uncork(struct output *output)
{
	output->corked = false;
	output_flush(output);
}

bool output_finish(struct output *output)
{
	if (output->compressor && !output->error &&
	    pk_compressor_end(output->compressor) != PK_OK && !output->error)
		output->error = ENOMEM;
	return !output->error && wait_until(output, 0);
}
