/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include <ftw.h>

#include "sweep_calls.h"

/* What the program leaves. */
struct output {
	int status; /* as waitpid() tells it */
	bool hangs;
	uint64_t digest; /* of stdout and the files */
	bool hidden;	 /* a file's name begins with a dot: it was not finished */
	char messages[1 << 14];
	size_t size; /* of messages */
};

/* One worker: it runs the program again and again, in a folder of its own. */
struct worker {
	const char *input, *shim;
	char **argv;
	bool children, clock_runs;

	char base[64]; /* holds work/, home/ and tmp/ */
	char counter[80];
	int out, null;
	uint64_t *allocations; /* by fail_memory.so */
	struct {
		int listener, taken;
	} * handshake; /* with the program that is being started */
	struct calls calls;
	struct output now;
};

/* Prints what failed, and exits with status 2. */
void must(bool holds, const char *what);

/* A page of zeroes, shared with children and, through path unless it is NULL, with others. */
void *shared_page(const char *path);

/* The other members are set. */
void worker_start(struct worker *worker, const char *base);

/* Runs the program with the fault; calls and now tell what happened. */
void run_program(struct worker *worker, struct fault fault);

/* For nftw(): removes all but the top. */
int remove_one(const char *path, const struct stat *st, int type, struct FTW *at);

#endif
