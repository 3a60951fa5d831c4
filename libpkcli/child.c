// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"

/* Messages between the two of us are single bytes: they cannot come in parts. */
static bool send_byte(int fd, uint8_t byte)
{
	return TEMP_FAILURE_RETRY(write(fd, &byte, 1)) == 1;
}

static bool receive_byte(int fd, uint8_t *byte)
{
	return TEMP_FAILURE_RETRY(read(fd, byte, 1)) == 1;
}

static void become(char *const *command, int go, int report, bool quiet_stdout,
		   const struct signals *signals)
{
	uint8_t byte;

	prctl(PR_SET_NAME, CHILD_COMM);
	signals_restore(signals);
	if (quiet_stdout)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (!receive_byte(go, &byte))
		_exit(0);
	execvp(command[0], command);
	send_byte(report, errno <= UINT8_MAX ? (uint8_t)errno : EINVAL);
	_exit(127);
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
	uint8_t error;
	bool failed;

	failed = send_byte(child->go, 0) && receive_byte(child->report, &error);
	close(child->go);
	close(child->report);
	if (!failed)
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
