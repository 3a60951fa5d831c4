/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWEEP_CALLS_H
#define SWEEP_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A kind of calls, and the errno with which they fail. `error` is 0 for allocations, which
 * fail_memory.so counts. */
struct kind {
	const char *name;
	int error;
	int calls[32]; /* numbers of system calls; SYS_read can be 0 and is first; 0 ends */
};

extern const struct kind kinds[];
extern const size_t kind_count;

/* Returns NULL if there is no kind with this name. */
const struct kind *kind_named(const char *name);

/* Call number n of this kind fails. If n is 0, no call fails, and calls are only counted. */
struct fault {
	const struct kind *kind;
	uint64_t n;
	bool all_after, trace;
};

/* The system calls of a process that runs the program. */
struct calls {
	struct fault fault;
	pid_t pid;
	bool children; /* calls of its children also fail, until they execute another program */
	int listener, null;
	int last_call; /* number of the system call that failed */
	uint64_t count;
	struct range {
		uint64_t start, end;
		bool skipped;
	} ranges[64];
	size_t range_count;
	bool written[256]; /* by descriptor: true if the program wrote to it */
};

/* Installs a listener for the system calls of the kind, for this process and the programs that it
 * executes. Returns the descriptor of the listener, or -1. */
int listen_to(const struct kind *kind);

/* Answers a call that the listener reports: the call continues, or fails. calls->null is a
 * descriptor of /dev/null. */
void answer_call(struct calls *calls);

#endif
