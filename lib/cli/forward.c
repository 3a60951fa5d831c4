// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "forward.h"
#include "pkutil.h"

#define PIPE_SIZE (1 << 20)

static bool is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

bool pk_forward_start(struct pk_forward *forward, int in)
{
	int size;

	*forward = (struct pk_forward){.in = in, .out = forward->out, .verbatim = true};
	if (!is_pipe(in) || !is_pipe(forward->out) || pipe2(forward->look, O_CLOEXEC))
		return false;
	fcntl(in, F_SETPIPE_SZ, PIPE_SIZE);
	size = fcntl(in, F_GETPIPE_SZ);
	if (size > 0)
		fcntl(forward->look[1], F_SETPIPE_SZ, size);
	return true;
}

/* Whether a failed call must be repeated. After EAGAIN, waits until fd is ready: another process
 * can make our descriptor non-blocking. */
static bool again(int fd, short events)
{
	struct pollfd ready = {.fd = fd, .events = events};

	if (errno == EAGAIN)
		poll(&ready, 1, -1);
	else if (errno != EINTR)
		return false;
	return true;
}

static void throw_away(struct pk_forward *forward, size_t size)
{
	uint8_t bytes[16384];

	forward->left -= size;
	if (forward->at)
		forward->at += size;
	while (size) {
		ssize_t n = read(forward->in, bytes, size < sizeof(bytes) ? size : sizeof(bytes));

		if (n > 0)
			size -= (size_t)n;
		else if (!n || !again(forward->in, POLLIN))
			return;
	}
}

bool pk_forward_drop(struct pk_forward *forward)
{
	struct pollfd ready = {.fd = forward->in, .events = POLLIN};

	throw_away(forward, forward->left);
	return poll(&ready, 1, 0) <= 0; /* unknown if a signal interrupts it */
}

void pk_forward_end(struct pk_forward *forward)
{
	throw_away(forward, forward->left);
	close(forward->look[0]);
	close(forward->look[1]);
}

void pk_forward_verbatim(struct pk_forward *forward, bool verbatim)
{
	forward->verbatim = verbatim;
	if (!verbatim)
		forward->at = NULL;
}

ssize_t pk_forward_read(struct pk_forward *forward, void *buffer, size_t size)
{
	uint8_t *data = buffer;
	ssize_t all, n;

	do
		all = tee(forward->in, forward->look[1], size, 0);
	while (all < 0 && again(forward->in, POLLIN));
	if (all <= 0)
		return all;
	for (size_t have = 0; have < (size_t)all; have += (size_t)n) {
		do
			n = read(forward->look[0], data + have, (size_t)all - have);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			return -1;
	}
	forward->at = forward->verbatim ? data : NULL;
	forward->left = (size_t)all;
	return all;
}

/* Moves the first `size` bytes in the input pipe to out. */
static bool move_on(struct pk_forward *forward, size_t size)
{
	while (size) {
		ssize_t n = splice(forward->in, NULL, forward->out, NULL, size, 0);

		if (n < 0 && !again(forward->out, POLLOUT))
			return false;
		if (n > 0) {
			forward->at += n;
			forward->left -= (size_t)n;
			size -= (size_t)n;
		}
	}
	return true;
}

bool pk_forward_write(struct pk_forward *forward, const uint8_t *data, size_t size)
{
	uintptr_t from = (uintptr_t)data, to = from + size, at = (uintptr_t)forward->at;
	size_t before = 0;

	if (!at || to <= at || to > at + forward->left)
		return pk_write_all(forward->out, data, size);
	if (from > at)
		throw_away(forward, from - at);
	else
		before = at - from;
	return (!before || pk_write_all(forward->out, data, before)) &&
	       move_on(forward, size - before);
}
