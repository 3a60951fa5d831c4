/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include <ftw.h>

#include "sweep_calls.h"

/* The results of a run. */
struct output {
	int status; /* from waitpid() */
	bool hangs;
	uint64_t digest; /* of stdout and the files */
	bool hidden;	 /* a file's name starts with a dot: it is incomplete */
	char messages[1 << 14];
	size_t size; /* of messages */
};

/* A worker: runs the program repeatedly, in its own folder. */
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
	} * handshake; /* shared with the program that is being started */
	struct calls calls;
	struct output now;
};

/* Prints what failed, and exits with status 2. */
void must(bool holds, const char *what);

/* A page of zeroes, shared with children and, through path unless it is NULL, with others. */
void *shared_page(const char *path);

/* The other members are set. */
void worker_start(struct worker *worker, const char *base);

/* Runs the program with the fault; calls and now have the results. */
void run_program(struct worker *worker, struct fault fault);

/* For nftw(): removes all except the top. */
int remove_one(const char *path, const struct stat *st, int type, struct FTW *at);

#endif
