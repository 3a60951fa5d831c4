/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWEEP_CALLS_H
#define SWEEP_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A kind of calls, and their errno; 0: allocations, which fail_memory.so counts. */
struct kind {
	const char *name;
	int error;
	int calls[32]; /* ends with 0, except for read, which is 0 and comes first */
};

extern const struct kind kinds[];
extern const size_t kind_count;

/* NULL: no such kind. */
const struct kind *kind_named(const char *name);

/* The n-th call of this kind fails; 0: none, calls are only counted. */
struct fault {
	const struct kind *kind;
	uint64_t n;
	bool all_after, trace;
};

/* The system calls of a process that runs the program. */
struct calls {
	struct fault fault;
	pid_t pid;
	bool children; /* faults in its children, too, until they execute something */
	int listener, null;
	int last_call; /* the one that failed */
	uint64_t count;
	struct range {
		uint64_t start, end;
		bool skipped;
	} ranges[64];
	size_t range_count;
	bool written[256]; /* descriptors */
};

/* For this process and those that it executes: the listener for system calls of the kind, or -1. */
int listen_to(const struct kind *kind);

/* Continues or fails a call that the listener reports. null is a descriptor of /dev/null. */
void answer_call(struct calls *calls);

#endif
