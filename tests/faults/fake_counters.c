// SPDX-License-Identifier: BSD-2-Clause
//
// A library for LD_PRELOAD: counters whose values depend only on the encodings of their events, on
// a machine without counters. Each counter ran all the time. CLOCK_MONOTONIC stands still until the
// file $FAKE_COUNTERS_END exists, and then it is one second later. So the results of two programs
// that count the same events are equal.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf_syscall.h"

#define COUNTERS 65536 /* the highest file descriptor that can be a counter */

/* A counter. Members that are not the leader of their group have the fd of the leader. */
static struct counter {
	bool open;
	int leader;
	uint64_t value, read_format;
} counters[COUNTERS];

static bool is_counter(int fd)
{
	return fd >= 0 && fd < COUNTERS && counters[fd].open;
}

/* Returns a value between a million and a thousand millions. */
static uint64_t value_of(const struct perf_attr *attr)
{
	const uint64_t parts[] = {attr->type, attr->config, attr->config1, attr->config2};
	uint64_t hash = 0x9e3779b97f4a7c15;

	for (size_t i = 0; i < 4; i++) {
		hash = (hash ^ parts[i]) * 0xbf58476d1ce4e5b9;
		hash ^= hash >> 29;
	}
	return 1000000 + hash % 999000000;
}

static long open_counter(const struct perf_attr *attr, int leader)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd >= COUNTERS) {
		close(fd);
		errno = EMFILE;
		return -1;
	}
	if (fd >= 0)
		counters[fd] = (struct counter){true, leader < 0 ? fd : leader, value_of(attr),
						attr->read_format};
	return fd;
}

/* Appends the value, unless it has been written already, and the id of a counter. */
static uint64_t *add_counter(uint64_t *out, int fd, uint64_t format)
{
	if (format & PERF_FORMAT_GROUP)
		*out++ = counters[fd].value;
	if (format & PERF_FORMAT_ID)
		*out++ = (uint64_t)fd + 1;
	if (format & PERF_FORMAT_LOST)
		*out++ = 0;
	return out;
}

/* Writes what the kernel writes for the read_format of a counter. The caller has room for it. */
static ssize_t read_counter(int fd, uint64_t *buffer)
{
	const uint64_t format = counters[fd].read_format;
	uint64_t *out = buffer;

	*out++ = format & PERF_FORMAT_GROUP ? 1 : counters[fd].value;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*out++ = 1000000000;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*out++ = 1000000000;
	out = add_counter(out, fd, format);
	for (int i = 0; format & PERF_FORMAT_GROUP && i < COUNTERS; i++) {
		if (!counters[i].open || i == fd || counters[i].leader != fd)
			continue;
		out = add_counter(out, i, format);
		buffer[0]++;
	}
	return (char *)out - (char *)buffer;
}

/* ---- Functions of libc ---- */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

long syscall(long number, ...)
{
	long a[6];
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open)
		return open_counter((const struct perf_attr *)a[0], (int)a[3]);
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ssize_t read(int fd, void *buffer, size_t size)
{
	return is_counter(fd) ? read_counter(fd, buffer) : REAL(read)(fd, buffer, size);
}

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t capacity);
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t capacity)
{
	return read(fd, buffer, size < capacity ? size : capacity);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *argument;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (!is_counter(fd))
		return REAL(ioctl)(fd, request, argument);
	if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)argument = (uint64_t)fd + 1;
	return 0;
}

int close(int fd)
{
	if (is_counter(fd))
		counters[fd].open = false;
	return REAL(close)(fd);
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
	const char *end = getenv("FAKE_COUNTERS_END");

	if (clock != CLOCK_MONOTONIC || !end)
		return REAL(clock_gettime)(clock, at);
	*at = (struct timespec){.tv_sec = access(end, F_OK) ? 1000 : 1001};
	return 0;
}
