// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "signals.h"

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR2};
#define CAUGHT_COUNT (sizeof(caught) / sizeof(caught[0]))

static volatile sig_atomic_t stops, snapshots;
static struct sigaction file_size; /* the original action for SIGXFSZ */
static char shrinking[128];	   /* the message that report_shrinking() prints */

void pk_signals_init(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGXFSZ, &ignore, &file_size);
}

/* If SIGBUS has another cause, such as kill(1), it has its usual effect. */
static void report_shrinking(int signal, siginfo_t *info, void *context)
{
	ssize_t written;

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		raise(signal);
		return;
	}
	written = write(STDERR_FILENO, shrinking, strlen(shrinking));
	(void)written;
	_exit(PK_EXIT_FAILED);
}

void pk_signals_catch_shrinking(const char *program)
{
	const struct sigaction action = {.sa_sigaction = report_shrinking,
					 .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)};

	snprintf(shrinking, sizeof(shrinking), "%s: the input became shorter while it was read\n",
		 program);
	sigaction(SIGBUS, &action, NULL);
}

/* ---- The first SIGINT of a program that reads a pipe ---- */

static struct sigaction second; /* the action for the second SIGINT */

static void survive(int signal)
{
	sigaction(signal, &second, NULL);
}

void pk_signals_survive_interrupt(void)
{
	const struct sigaction action = {.sa_handler = survive, .sa_flags = SA_RESTART};
	static bool called;

	if (called || sigaction(SIGINT, NULL, &second) || second.sa_handler == SIG_IGN)
		return;
	called = true;
	sigaction(SIGINT, &action, NULL);
}

void pk_signals_before_end(int signal, const struct sigaction *action)
{
	struct sigaction old;

	if (sigaction(signal, NULL, &old))
		return;
	if (old.sa_handler == survive && second.sa_handler == SIG_DFL)
		second = *action;
	else if (old.sa_handler == SIG_DFL)
		sigaction(signal, action, NULL);
}

/* ---- Recorders ---- */

static void note(int signal)
{
	if (signal == SIGUSR2)
		snapshots++;
	else if (signal != SIGCHLD)
		stops++;
}

void pk_signals_catch(struct signals *signals)
{
	struct sigaction action = {.sa_handler = note};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		sigaddset(&set, caught[i]);
	sigprocmask(SIG_BLOCK, &set, &signals->mask);
	for (size_t i = 0; i < CAUGHT_COUNT; i++) {
		sigaction(caught[i], NULL, &signals->actions[i]);
		/* nohup(1) ignores SIGHUP, so SIGHUP stays ignored. */
		if (caught[i] != SIGHUP || signals->actions[i].sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
	}
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, &signals->pipe);
}

void pk_signals_restore(const struct signals *signals)
{
	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		sigaction(caught[i], &signals->actions[i], NULL);
	sigaction(SIGPIPE, &signals->pipe, NULL);
	sigaction(SIGXFSZ, &file_size, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

int pk_signals_snapshots(void)
{
	return snapshots;
}

int pk_signals_stops(void)
{
	return stops;
}
