// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "pid_file.h"
#include "pkutil.h"

/* Size limit for a pid file. A pid file has a process id and a newline, which need fewer bytes. */
#define TEXT_MAX 32

/* Returns true if the file is empty or contains only a pid, as after a recording that was killed.
 * Other files are refused, because a wrong name must not destroy data. */
static bool is_pid_file(int fd)
{
	char text[TEXT_MAX];
	ssize_t size;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	size = pread(fd, text, sizeof(text), 0);
	for (ssize_t i = 0; i < size; i++)
		if (text[i] != '\n' && (text[i] < '0' || text[i] > '9'))
			return false;
	return size >= 0 && size < (ssize_t)sizeof(text);
}

static enum pk_status write_pid(int fd)
{
	char text[TEXT_MAX];
	const int size = snprintf(text, sizeof(text), "%d\n", getpid());

	if (ftruncate(fd, 0) != 0)
		return PK_IO;
	return pk_write_all(fd, text, (size_t)size);
}

static bool lock_and_write(int fd, const char *path)
{
	if (fd < 0 && errno == ELOOP)
		pk_error("%s: a symbolic link is not followed", path);
	else if (fd < 0)
		pk_error("%s: %s", path, strerror(errno));
	else if (!is_pid_file(fd))
		pk_error("%s: this file contains something else than a process id: not changed",
			 path);
	else if (flock(fd, LOCK_EX | LOCK_NB) == 0 && write_pid(fd) == PK_OK)
		return true;
	else if (errno == EWOULDBLOCK)
		pk_error("%s: another running recording uses it", path);
	else
		pk_error("%s: %s", path, strerror(errno));
	return false;
}

int pid_file_create(const char *path)
{
	const int fd =
		open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);

	if (lock_and_write(fd, path)) {
		pk_protect_input(path); /* so that -o cannot overwrite the file */
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

void pid_file_remove(const char *path, int fd)
{
	if (fd < 0)
		return;
	unlink(path);
	close(fd);
}
