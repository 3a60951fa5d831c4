/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library that the scripts of this folder preload. It lets system calls behave in unusual ways
 * that POSIX permits. PK_FAULT selects one of these: short      reads and writes transfer only one
 * to seven bytes eintr      every second read and write fails with EINTR read=N     the Nth read
 * and all later reads fail with EIO write=N    the Nth write and all later writes fail with ENOSPC
 *     close      close of a descriptor that was written to fails with EIO, as on a full network
 * disk
 *
 * Descriptor 2 always works, so that messages can be compared.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long reads, writes;
static unsigned char written[1024];

static bool fault_is(const char *name)
{
	const char *fault = getenv("PK_FAULT");

	return fault && strcmp(fault, name) == 0;
}

static bool is_due(const char *name, unsigned long count)
{
	const char *fault = getenv("PK_FAULT");
	size_t length = strlen(name);

	return fault && strncmp(fault, name, length) == 0 &&
	       count >= strtoul(fault + length, NULL, 10);
}

/* Returns the errno with which this call fails, or 0 if it does not fail. Can reduce *size. */
static int misbehave(const char *name, unsigned long count, size_t *size, int error)
{
	if (fault_is("eintr") && count % 2)
		return EINTR;
	if (is_due(name, count))
		return error;
	if (fault_is("short") && *size > 0) {
		size_t few = 1 + count % 7;

		*size = *size < few ? *size : few;
	}
	return 0;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	int error = misbehave("read=", ++reads, &size, EIO);

	if (!error)
		return syscall(SYS_read, fd, buffer, size);
	errno = error;
	return -1;
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	int error = misbehave("read=", ++reads, &size, EIO);

	if (!error)
		return syscall(SYS_pread64, fd, buffer, size, offset);
	errno = error;
	return -1;
}

ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset)
{
	return pread(fd, buffer, size, offset);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	int error = fd == STDERR_FILENO ? 0 : misbehave("write=", ++writes, &size, ENOSPC);

	if (fd >= 0 && (size_t)fd < sizeof(written))
		written[fd] = 1;
	if (!error)
		return syscall(SYS_write, fd, buffer, size);
	errno = error;
	return -1;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	for (int i = 0; i < count; i++)
		if (parts[i].iov_len > 0)
			return write(fd, parts[i].iov_base, parts[i].iov_len);
	return 0;
}

int close(int fd)
{
	bool fail = fault_is("close") && fd != STDERR_FILENO && fd >= 0 &&
		    (size_t)fd < sizeof(written) && written[fd];
	int result = (int)syscall(SYS_close, fd);

	if (!fail)
		return result;
	written[fd] = 0;
	errno = EIO;
	return -1;
}
