// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "signals.h"
#include "terminal.h"

static const char *stdout_name = "stdout";

static bool is_stdout(const char *path)
{
	return !path || !strcmp(path, "-");
}

int pk_output_open(const char *path, const char *next_stage, enum pk_create_mode mode)
{
	const bool standard = is_stdout(path);
	const int fd = standard ? STDOUT_FILENO : pk_create(path, mode);
	int refused;

	if (fd >= 0 && isatty(fd)) {
		pk_error("%s is a terminal and the output is binary: use a pipe (| %s) or -o FILE",
			 standard ? "stdout" : path, next_stage);
		if (!standard)
			close(fd);
		return -PK_EXIT_USAGE;
	}
	if (!standard)
		return fd;
	refused = pk_refuse_input_fd(STDOUT_FILENO, "stdout");
	return refused ? -refused : STDOUT_FILENO;
}

int pk_output_text(const char *path)
{
	int fd, result = PK_EXIT_OK;

	if (is_stdout(path))
		return pk_refuse_input_fd(STDOUT_FILENO, "stdout");
	fd = pk_create(path, PK_CREATE_REPLACE);
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

/* Returns true if the descriptor is a pipe or a socket, into which another program can still write.
 */
static bool is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

int pk_input_open(const char *path)
{
	int fd = STDIN_FILENO;

	if (strcmp(path, "-")) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			pk_error("%s: %s", path, strerror(errno));
	} else if (isatty(fd)) {
		pk_error("stdin is a terminal: name a recording, or read from a pipe");
		fd = -1;
	}
	if (fd >= 0 && is_pipe(fd))
		pk_signals_survive_interrupt();
	return fd;
}

int pk_finish(int status)
{
	bool failed = ferror(stdout);
	enum pk_pager_result pager;
	int error;

	failed |= fclose(stdout) != 0;
	error = errno;
	if (failed)
		pk_outputs_drop();
	status = pk_outputs_keep(status);
	pager = pk_pager_end();
	if (pager == PK_PAGER_LEFT || (pager == PK_PAGER_NONE && !failed))
		return status;
	if (pager == PK_PAGER_FAILED)
		pk_error("the pager cannot be run: nothing was shown");
	else if (error != EPIPE)
		pk_error("%s: %s", stdout_name, error ? strerror(error) : "write failed");
	return status ?: PK_EXIT_FAILED;
}

int pk_exit_status(int status)
{
	const bool failed = pk_memory_exhausted() || pk_lookups()->count;

	if (pk_memory_exhausted())
		pk_outputs_drop();
	status = pk_outputs_keep(status);
	pk_report_failures(pk_lookups());
	return failed && (status == PK_EXIT_OK || status == PK_EXIT_USAGE) ? PK_EXIT_FAILED
									   : status;
}
