// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char *stdout_name = "stdout";

static bool is_stdout(const char *path)
{
	return !path || !strcmp(path, "-");
}

int pk_output_open(const char *path, const char *next_stage)
{
	int refused;

	if (!is_stdout(path))
		return pk_create(path, false);
	if (isatty(STDOUT_FILENO)) {
		pk_error("stdout is a terminal and the output is binary: use a pipe (| %s) or -o "
			 "FILE",
			 next_stage);
		return -PK_EXIT_USAGE;
	}
	refused = pk_refuse_input_fd(STDOUT_FILENO, "stdout");
	return refused ? -refused : STDOUT_FILENO;
}

int pk_output_text(const char *path)
{
	int fd, result = PK_EXIT_OK;

	if (is_stdout(path))
		return pk_refuse_input_fd(STDOUT_FILENO, "stdout");
	fd = pk_create(path, false);
	if (fd < 0)
		return -fd;
	if (dup2(fd, STDOUT_FILENO) < 0) {
		pk_error("%s: %s", path, strerror(errno));
		result = PK_EXIT_FAILED;
	}
	close(fd);
	stdout_name = path;
	return result;
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
		pk_error("stdin is a terminal: name a recording, or read from a pipe");
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
		pk_error("%s: %s", stdout_name, errno ? strerror(errno) : "write failed");
		return status ? status : PK_EXIT_FAILED;
	}
	return status;
}
