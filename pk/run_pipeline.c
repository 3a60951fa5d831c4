// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "find_program.h"
#include "glibc_macros.h"
#include "lookups.h"
#include "run_pipeline.h"
#include "signals.h"

enum { NOT_RUN = 126, NOT_FOUND = 127 }; /* exit statuses of shells */

/*
 * A process that ends closes its files before its parent can wait for it: the last program may
 * be gone first. The first program is asked to end only if it still runs after this time.
 */
static const struct timespec END_TIME = {.tv_nsec = 500000000};

struct running {
	struct pipeline *pipeline;
	struct stage *first, *last;
	struct signals signals;
	unsigned int stops; /* signals that request the end */
	bool ended_first;   /* because the last program had ended */
};

/* ---- Start ---- */

/* 0, or the exit status after a message. */
static int find_programs(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		struct stage *stage = &pipeline->stages[i];

		stage->path = pk_find_program(stage->words[0]);
		if (stage->path)
			continue;
		if (errno == ENOMEM)
			return pk_no_memory();
		if (pk_lookups()->count)
			return PK_EXIT_FAILED; /* with a message at the end */
		pk_error("%s: %s", stage->words[0],
			 errno == ENOENT ? "no such program" : strerror(errno));
		return errno == ENOENT ? NOT_FOUND : NOT_RUN;
	}
	return PK_EXIT_OK;
}

/* The process of a program: replaces itself. in, out: -1: those of pk. */
static void become(const struct running *running, const struct stage *stage, int in, int out)
{
	pk_signals_restore(&running->signals);
	if (stage != running->first)
		signal(SIGINT, SIG_IGN);
	if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && (out < 0 || dup2(out, STDOUT_FILENO) >= 0))
		execv(stage->path, stage->words);
	pk_error("%s: %s", stage->path, strerror(errno));
	_exit(NOT_RUN);
}

static void close_end(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Starts a program that reads *in, and sets *in to what the next one reads. False: see errno. */
static bool start(struct running *running, struct stage *stage, int *in)
{
	int ends[2] = {-1, -1};

	if (stage != running->last && pipe2(ends, O_CLOEXEC) < 0)
		return false;
	stage->pid = fork();
	if (!stage->pid)
		become(running, stage, *in, ends[1]);
	close_end(ends[1]);
	close_end(*in);
	*in = ends[0];
	if (stage->pid > 0)
		return true;
	stage->pid = 0;
	return false;
}

static void signal_all(const struct running *running, int signal)
{
	for (size_t i = 0; i < running->pipeline->count; i++)
		if (running->pipeline->stages[i].pid)
			kill(running->pipeline->stages[i].pid, signal);
}

static bool start_all(struct running *running)
{
	int in = -1;
	bool ok = true;

	for (size_t i = 0; ok && i < running->pipeline->count; i++)
		ok = start(running, &running->pipeline->stages[i], &in);
	if (!ok) {
		pk_error("the pipeline cannot be started: %s", strerror(errno));
		signal_all(running, SIGTERM);
	}
	close_end(in);
	return ok;
}

/* ---- End ---- */

/* Notes the programs that have ended. True: one is still running. */
static bool reap(struct running *running)
{
	bool runs = false;
	pid_t ended;

	for (size_t i = 0; i < running->pipeline->count; i++) {
		struct stage *stage = &running->pipeline->stages[i];

		if (!stage->pid)
			continue;
		ended = TEMP_FAILURE_RETRY(waitpid(stage->pid, &stage->status, WNOHANG));
		if (ended < 0) {
			pk_failed(pk_lookups(), "exit status of a program", errno);
			stage->status = W_EXITCODE(PK_EXIT_FAILED, 0);
		}
		if (ended)
			stage->pid = 0;
		runs |= stage->pid;
	}
	return runs;
}

/* The terminal sends Ctrl-C to all programs; signals of kill(2) are passed on. */
static void stop(struct running *running, const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL && running->first->pid)
		kill(running->first->pid, info->si_signo);
	if (running->stops++)
		for (struct stage *stage = running->first + 1; stage <= running->last; stage++)
			if (stage->pid)
				kill(stage->pid, SIGTERM);
}

static void wait_all(struct running *running)
{
	struct sigaction hangup;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	while (reap(running)) {
		const bool unread =
			!running->last->pid && running->first->pid && !running->ended_first;
		const int signal =
			TEMP_FAILURE_RETRY(sigtimedwait(&set, &info, unread ? &END_TIME : NULL));

		if (signal > 0 && signal != SIGCHLD)
			stop(running, &info);
		if (signal < 0 && unread) {
			running->ended_first = true;
			kill(running->first->pid, SIGTERM);
		}
	}
}

/* Programs report their own errors, but not the signals that end them. */
static int status_of(const struct running *running, const struct stage *stage)
{
	const int signal = WIFSIGNALED(stage->status) ? WTERMSIG(stage->status) : 0;

	if (!signal) {
		pk_info("%s: exit status %d", stage->words[0], WEXITSTATUS(stage->status));
		return WEXITSTATUS(stage->status);
	}
	if (signal == SIGPIPE && stage != running->last)
		return PK_EXIT_OK; /* the programs after it did not need more */
	if (!running->stops && !(running->ended_first && stage == running->first))
		pk_error("%s: ended by signal %d (%s)", stage->words[0], signal, strsignal(signal));
	return 128 + signal;
}

static int status_of_all(const struct running *running)
{
	int result = PK_EXIT_OK, status;

	for (const struct stage *stage = running->first; stage <= running->last; stage++) {
		status = status_of(running, stage);
		/* The first program did not end by itself if it was no longer needed. */
		if (status && !(running->ended_first && stage == running->first))
			result = status;
	}
	return result;
}

int pipeline_run(struct pipeline *pipeline)
{
	struct running running = {.pipeline = pipeline,
				  .first = pipeline->stages,
				  .last = pipeline->stages + pipeline->count - 1};
	const int result = find_programs(pipeline);
	bool started;

	if (result)
		return result;
	pk_signals_catch(&running.signals);
	started = start_all(&running);
	wait_all(&running);
	pk_signals_restore(&running.signals);
	return started ? status_of_all(&running) : PK_EXIT_FAILED;
}
