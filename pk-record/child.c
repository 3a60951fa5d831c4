// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"

static void become(char *const *command, int go, int report, bool quiet_stdout,
		   const struct signals *signals)
{
	ssize_t n;
	char byte;
	int error;

	signals_restore(signals);
	if (quiet_stdout)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
	execvp(command[0], command);
	error = errno;
	n = write(report, &error, sizeof(error));
	_exit(n < 0 ? 126 : 127);
}

bool child_fork(struct child *child, char *const *command, bool quiet_stdout,
		const struct signals *signals)
{
	int go[2], report[2];

	if (pipe2(go, O_CLOEXEC) < 0)
		goto failed;
	if (pipe2(report, O_CLOEXEC) < 0)
		goto failed_go;
	child->pid = fork();
	if (child->pid < 0)
		goto failed_report;
	if (!child->pid) {
		/* Else we would wait for ourselves when the parent has died. */
		close(go[1]);
		become(command, go[0], report[1], quiet_stdout, signals);
	}
	close(go[0]);
	close(report[1]);
	child->go = go[1];
	child->report = report[0];
	return true;

failed_report:
	close(report[0]);
	close(report[1]);
failed_go:
	close(go[0]);
	close(go[1]);
failed:
	child->pid = 0;
	pk_error("%s: %s", command[0], strerror(errno));
	return false;
}

static void wait_for(struct child *child)
{
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
}

int child_go(struct child *child, char *const *command)
{
	int error = 0;
	ssize_t n;

	n = write(child->go, "", 1);
	close(child->go);
	if (n == 1) {
		do
			n = read(child->report, &error, sizeof(error));
		while (n < 0 && errno == EINTR);
	}
	close(child->report);
	if (n != sizeof(error))
		return 0;
	wait_for(child);
	pk_error("%s: %s", command[0], strerror(error));
	return error == ENOENT ? 127 : 126;
}

void child_cancel(struct child *child)
{
	if (!child->pid)
		return;
	close(child->go);
	close(child->report);
	wait_for(child);
}

bool child_ended(struct child *child)
{
	if (child->pid && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->pid = 0;
	return !child->pid;
}

int child_exit_status(const struct child *child)
{
	if (WIFSIGNALED(child->status))
		return 128 + WTERMSIG(child->status);
	return WEXITSTATUS(child->status);
}
