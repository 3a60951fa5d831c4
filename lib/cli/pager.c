// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"

static struct {
	pid_t pid; /* 0: none */
	int error; /* the original stderr; -1: it was not redirected */
} pager = {.error = -1};

/* The command of the user; NULL: the default. */
static const char *command(void)
{
	const char *own = getenv("PK_PAGER");

	return own ? own : getenv("PAGER");
}

/* Starts the pager, which reads from this descriptor. 0: it cannot be started. */
static pid_t start(const char *user, int in)
{
	const char *const less[] = {"less", "-FRX", NULL}, *const shell[] = {"sh", "-c", user,
									     NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid = 0;
	int error;

	if (posix_spawn_file_actions_init(&actions))
		return 0;
	error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (!error && user)
		setenv("LESS", "FRX", 0);
	if (!error)
		error = posix_spawnp(&pid, user ? shell[0] : less[0], &actions, NULL,
				     (char *const *)(user ? shell : less), environ);
	posix_spawn_file_actions_destroy(&actions);
	return error ? 0 : pid;
}

static void ignore(int signal)
{
	const struct sigaction action = {.sa_handler = SIG_IGN};

	sigaction(signal, &action, NULL);
}

void pk_pager_start(void)
{
	const char *user = command();
	int ends[2];

	if (pager.pid || !isatty(STDOUT_FILENO) || (user && (!*user || !strcmp(user, "cat"))) ||
	    pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	pager.pid = start(user, ends[0]);
	close(ends[0]);
	if (pager.pid) {
		ignore(SIGINT);
		ignore(SIGQUIT);
		ignore(SIGPIPE);
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			pager.error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (pager.error >= 0)
			dup2(ends[1], STDERR_FILENO);
	}
	close(ends[1]);
}

enum pk_pager_result pk_pager_end(void)
{
	int status = 0;

	if (!pager.pid)
		return PK_PAGER_NONE;
	if (pager.error >= 0) {
		dup2(pager.error, STDERR_FILENO);
		close(pager.error);
		pager.error = -1;
	}
	while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
		;
	pager.pid = 0;
	/* The shell's status for a command that it cannot run. */
	return WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
		       ? PK_PAGER_FAILED
		       : PK_PAGER_LEFT;
}
