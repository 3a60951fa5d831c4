// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "data_lines.h"
#include "glibc_macros.h"
#include "lookups.h"

/* ---- Children ---- */

/* Each message between the parent and the child is a single byte, because a single byte cannot
 * arrive in parts. */
static bool send_byte(int fd, uint8_t byte)
{
	return TEMP_FAILURE_RETRY(write(fd, &byte, 1)) == 1;
}

/* Receives a byte. Like read(2), returns 0 if the other process has closed the pipe. */
static ssize_t receive_byte(int fd, uint8_t *byte)
{
	return TEMP_FAILURE_RETRY(read(fd, byte, 1));
}

/* Closes `ready` when the child has its name. */
static void become(char *const *command, int go, int report, int ready, bool quiet_stdout,
		   const struct signals *signals)
{
	uint8_t byte;
	ssize_t n;

	prctl(PR_SET_NAME, CHILD_COMM);
	pk_signals_restore(signals);
	close(ready);
	n = receive_byte(go, &byte);
	if (n == 0)
		_exit(0);
	if (n > 0 && (!quiet_stdout || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0))
		execvp(command[0], command);
	send_byte(report, errno <= UINT8_MAX ? (uint8_t)errno : EINVAL);
	_exit(127);
}

enum pk_status pk_child_fork(struct child *child, char *const *command, bool quiet_stdout,
			     const struct signals *signals)
{
	int go[2], report[2], ready[2];
	uint8_t byte;

	if (pipe2(go, O_CLOEXEC) < 0)
		goto failed;
	if (pipe2(report, O_CLOEXEC) < 0)
		goto failed_go;
	if (pipe2(ready, O_CLOEXEC) < 0)
		goto failed_report;
	child->pid = fork();
	if (child->pid < 0)
		goto failed_ready;
	if (!child->pid) {
		/* The child closes its copy of this end of the pipe. With an open copy, it would
		 * never read end of file after the parent has died, and would wait forever. */
		close(go[1]);
		become(command, go[0], report[1], ready[1], quiet_stdout, signals);
	}
	close(go[0]);
	close(report[1]);
	close(ready[1]);
	/* At the end of file, the child has its name. A recording that lists all processes finds
	 * this name. */
	receive_byte(ready[0], &byte);
	close(ready[0]);
	child->go = go[1];
	child->report = report[0];
	return PK_OK;

failed_ready:
	close(ready[0]);
	close(ready[1]);
failed_report:
	close(report[0]);
	close(report[1]);
failed_go:
	close(go[0]);
	close(go[1]);
failed:
	child->pid = 0;
	pk_error("%s: %s", command[0], strerror(errno));
	return PK_FAILED;
}

/* Call it after waitpid(2) has failed. The exit status is then unknown, and is set as if the
 * command had failed. */
static void lose(struct child *child)
{
	pk_failed(pk_lookups(), "exit status of the command", errno);
	child->status = W_EXITCODE(PK_EXIT_FAILED, 0);
	child->pid = 0;
}

static void wait_for(struct child *child)
{
	if (TEMP_FAILURE_RETRY(waitpid(child->pid, &child->status, 0)) < 0)
		lose(child);
	child->pid = 0;
}

int pk_child_go(struct child *child, char *const *command)
{
	const bool sent = send_byte(child->go, 0);
	uint8_t byte = 0;
	const ssize_t n = sent ? receive_byte(child->report, &byte) : -1;
	const bool ours = n < 0; /* true if the communication with the child failed, so that it is
				  * unknown whether the command has started */
	const int error = ours ? errno : byte;

	close(child->go);
	close(child->report);
	if (!error)
		return 0;
	kill(child->pid, SIGTERM); /* has no effect if the process has already ended */
	wait_for(child);
	pk_error("%s: %s", command[0], strerror(error));
	if (ours)
		return PK_EXIT_FAILED;
	return error == ENOENT ? 127 : 126;
}

void pk_child_cancel(struct child *child)
{
	if (!child->pid)
		return;
	close(child->go);
	close(child->report);
	wait_for(child);
}

/* Returns true if the process still runs, or has stopped because this program traces it.
 * waitpid(2) would return such a stop, too, and another part of the program waits for it. */
static bool still_runs(const struct child *child)
{
	siginfo_t info = {0};

	return TEMP_FAILURE_RETRY(
		       waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT)) == 0 &&
	       (info.si_pid != child->pid || info.si_code == CLD_TRAPPED ||
		info.si_code == CLD_STOPPED);
}

bool pk_child_ended(struct child *child)
{
	if (child->pid && !still_runs(child))
		wait_for(child);
	return !child->pid;
}

int pk_child_exit_status(const struct child *child)
{
	if (WIFSIGNALED(child->status))
		return 128 + WTERMSIG(child->status);
	return WEXITSTATUS(child->status);
}

int pk_child_end(struct child *child, const struct signals *signals)
{
	const int stops = pk_signals_stops();
	const bool asked = !pk_child_ended(child);

	if (asked)
		kill(child->pid, SIGTERM);
	while (!pk_child_ended(child) && pk_signals_stops() == stops)
		ppoll(NULL, 0, NULL, &signals->mask);
	if (child->pid)
		return PK_EXIT_FAILED; /* the command continues without this program */
	if (asked && !stops && pk_child_exit_status(child) == 128 + SIGTERM)
		return PK_EXIT_OK; /* this program has ended the command */
	return pk_child_exit_status(child);
}

/* ---- Programs of PATH ---- */

/* Returns true if the path is a regular file that can be executed. Otherwise sets errno to the
 * reason. */
static bool is_program(const char *path)
{
	struct stat st;

	if (!stat(path, &st)) {
		if (S_ISREG(st.st_mode) && !access(path, X_OK))
			return true;
		errno = S_ISREG(st.st_mode) ? errno : EACCES;
	}
	if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
		pk_lookup_failed(path);
	return false;
}

/* Returns the path of a program in this folder. Returns NULL and sets errno if there is no such
 * program. */
static char *find_in(const char *folder, int size, const char *name)
{
	char *path;

	if (asprintf(&path, "%.*s%s%s", size, folder, size ? "/" : "", name) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_program(path))
		return path;
	free(path);
	return NULL;
}

static char *find_in_path(const char *name)
{
	const char *folders = getenv("PATH");
	bool denied = false;
	char *path = NULL;
	int size;

	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	for (;; folders += size + 1) {
		size = (int)strcspn(folders, ":");
		path = find_in(folders, size, name);
		if (path || errno == ENOMEM)
			return path;
		denied |= errno == EACCES;
		if (!folders[size])
			break;
	}
	errno = denied ? EACCES : ENOENT;
	return NULL;
}

char *pk_find_program(const char *name)
{
	char folder[PATH_MAX], *path = NULL;

	if (strchr(name, '/'))
		return find_in("", 0, name);
	errno = 0;
	if (!strncmp(name, "pk-", 3) && pk_program_folder(folder, sizeof(folder)))
		path = find_in(folder, (int)strlen(folder), name);
	return path || errno == ENOMEM ? path : find_in_path(name);
}
