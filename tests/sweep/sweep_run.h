/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include <ftw.h>

#include "sweep_calls.h"

/* The results of a run. */
struct output {
	int status; /* status of waitpid() */
	bool hangs;
	uint64_t digest; /* hash of stdout and of the files */
	bool hidden; /* there is a file whose name starts with a dot, which is an incomplete file */
	char messages[1 << 14];
	size_t size; /* size of `messages` in bytes */
};

/* A worker runs the program many times, in a folder of the worker. */
struct worker {
	const char *input, *shim;
	char **argv;
	bool children, clock_runs;

	char base[64]; /* folder that contains work/, home/ and tmp/ */
	char counter[80];
	int out, null;
	uint64_t *allocations; /* number of allocations, which fail_memory.so counts */
	struct {
		int listener, taken;
	} * handshake; /* memory that the worker shares with the child that becomes the program */
	struct calls calls;
	struct output now;
};

/* If `holds` is false, prints what failed, and exits with status 2. */
void must(bool holds, const char *what);

/* Returns a page of zeros that is shared with children. If `path` is not NULL, other programs can
 * map the page through this file. */
void *shared_page(const char *path);

/* Sets the members after `clock_runs`. The caller has set the members before them. */
void worker_start(struct worker *worker, const char *base);

/* Runs the program with the fault. worker->calls and worker->now then contain the results. */
void run_program(struct worker *worker, struct fault fault);

/* A callback of nftw() that removes all files and folders except the top folder. */
int remove_one(const char *path, const struct stat *st, int type, struct FTW *at);

#endif
