// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli.h"
#include "pid_file.h"

static bool write_pid(int fd)
{
	char text[32];
	const int size = snprintf(text, sizeof(text), "%d\n", getpid());

	return ftruncate(fd, 0) == 0 && write(fd, text, (size_t)size) == size;
}

int pid_file_take(const char *path)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && write_pid(fd))
		return fd;
	if (fd >= 0 && errno == EWOULDBLOCK)
		pk_error("%s: another recording has it: it is running still", path);
	else
		pk_error("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void pid_file_give_back(const char *path, int fd)
{
	if (fd < 0)
		return;
	unlink(path);
	close(fd);
}
