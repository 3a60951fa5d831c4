// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

int pk_output_open(const char *path, const char *next_stage)
{
	int fd;

	if (path && strcmp(path, "-")) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			pk_error("%s: %s", path, strerror(errno));
		return fd;
	}
	if (isatty(STDOUT_FILENO)) {
		pk_error("stdout is a terminal and the output is binary: use a pipe (| %s) or -o "
			 "FILE",
			 next_stage);
		return -1;
	}
	return STDOUT_FILENO;
}

int pk_input_open(const char *path)
{
	int fd;

	if (strcmp(path, "-")) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			pk_error("%s: %s", path, strerror(errno));
		return fd;
	}
	if (isatty(STDIN_FILENO)) {
		pk_error("stdin is a terminal: name a recording, or put pk-record before the pipe");
		return -1;
	}
	return STDIN_FILENO;
}

int pk_finish(int status)
{
	int failed = ferror(stdout);

	if (fclose(stdout) || failed) {
		if (errno == EPIPE)
			return status ? status : PK_EXIT_FAILED;
		pk_error("stdout: %s", errno ? strerror(errno) : "write failed");
		return status ? status : PK_EXIT_FAILED;
	}
	return status;
}
