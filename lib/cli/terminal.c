// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "terminal.h"

bool pk_uses_colour(enum pk_colour colour)
{
	const char *no_color = getenv("NO_COLOR");

	if (colour != PK_COLOUR_AUTO)
		return colour == PK_COLOUR_ALWAYS;
	return isatty(STDOUT_FILENO) && (!no_color || !*no_color);
}

const char *pk_share_colour(double percent)
{
	return percent >= PK_SHARE_HOT ? "\033[31m" : percent >= PK_SHARE_WARM ? "\033[32m" : "";
}

size_t pk_terminal_columns(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t number;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (columns && pk_parse_u64(columns, &number) && number && number <= UINT16_MAX)
		return number;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

bool pk_locale_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return utf8;
}

static struct {
	pid_t pid; /* the process that executes the pager, or 0 if there is none */
	int go;	   /* A pipe to the process. The process executes the pager when it reads a byte. It
		    * ends when the pipe is closed. */
	int report; /* A pipe from the process. If exec fails, the process writes errno. After a
		     * successful exec, this end reads end of file. */
	int text;   /* a pipe to the stdin of the pager */
	bool started;
	int error; /* the original stderr, or -1 if stderr was not redirected */
} pager = {.error = -1};

/* Returns the pager that the user has chosen, or NULL for the default pager. */
static const char *command(void)
{
	const char *own = getenv("PK_PAGER");

	return own ? own : getenv("PAGER");
}

static void ignore(int signal)
{
	const struct sigaction action = {.sa_handler = SIG_IGN};

	sigaction(signal, &action, NULL);
}

/* The new process, in which SIGINT is blocked, calls this function. It ignores SIGINT, restores the
 * mask, and waits. Then it executes the pager. */
static void wait_and_exec(const char *user, const sigset_t *mask, int go, int text, int report)
{
	const char *const less[] = {"less", "-FRX", NULL}, *const shell[] = {"sh", "-c", user,
									     NULL};
	struct sigaction interrupt;
	int error;
	char byte;

	/* SIGINT must not end this process. The program may survive a SIGINT (signals.h), and then
	 * still needs the pager. */
	sigaction(SIGINT, NULL, &interrupt);
	ignore(SIGINT);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (read(go, &byte, 1) != 1)
		_exit(0);
	sigaction(SIGINT, &interrupt, NULL);
	if (user)
		setenv("LESS", "FRX", 0);
	if (dup2(text, STDIN_FILENO) >= 0)
		execvp(user ? shell[0] : less[0], (char *const *)(user ? shell : less));
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(1);
	_exit(127);
}

static void close_pair(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static bool open_pipes(int go[2], int text[2], int report[2])
{
	if (pipe2(go, O_CLOEXEC))
		return false;
	if (!pipe2(text, O_CLOEXEC)) {
		if (!pipe2(report, O_CLOEXEC))
			return true;
		close_pair(text);
	}
	close_pair(go);
	return false;
}

void pk_pager_prepare(void)
{
	const char *user = command();
	int go[2], text[2], report[2];
	sigset_t interrupt, mask;

	if (pager.pid || !isatty(STDOUT_FILENO) || (user && (!*user || !strcmp(user, "cat"))) ||
	    !open_pipes(go, text, report))
		return;
	fflush(stdout);
	/* SIGINT is blocked here. Otherwise a SIGINT could end the new process before it ignores
	 * SIGINT. */
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, &mask);
	pager.pid = fork();
	if (!pager.pid) {
		close(go[1]);
		close(text[1]);
		close(report[0]);
		wait_and_exec(user, &mask, go[0], text[0], report[1]);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(go[0]);
	close(text[0]);
	close(report[1]);
	pager.go = go[1];
	pager.text = text[1];
	pager.report = report[0];
	if (pager.pid > 0)
		return;
	pager.pid = 0;
	close(pager.go);
	close(pager.text);
	close(pager.report);
}

/* Lets the process execute the pager. Returns false if that failed. */
static bool exec_pager(void)
{
	const bool sent = write(pager.go, "", 1) == 1;
	int error;
	ssize_t n;

	close(pager.go);
	do
		n = read(pager.report, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(pager.report);
	return sent && !n;
}

void pk_pager_start(void)
{
	if (pager.started)
		return;
	pk_pager_prepare();
	if (!pager.pid)
		return;
	fflush(stdout);
	pager.started = exec_pager();
	if (pager.started) {
		ignore(SIGINT);
		ignore(SIGQUIT);
		ignore(SIGPIPE);
		dup2(pager.text, STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			pager.error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (pager.error >= 0)
			dup2(pager.text, STDERR_FILENO);
	} else {
		while (waitpid(pager.pid, NULL, 0) < 0 && errno == EINTR)
			;
		pager.pid = 0;
	}
	close(pager.text);
}

enum pk_pager_result pk_pager_end(void)
{
	int status = 0;

	if (!pager.started)
		return PK_PAGER_NONE;
	if (pager.error >= 0) {
		dup2(pager.error, STDERR_FILENO);
		close(pager.error);
		pager.error = -1;
	}
	while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
		;
	pager.pid = 0;
	pager.started = false;
	/* If the shell cannot run the command, its exit status is 126 or 127. */
	return WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
		       ? PK_PAGER_FAILED
		       : PK_PAGER_LEFT;
}
