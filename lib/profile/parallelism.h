/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARALLELISM_H
#define PK_PARALLELISM_H

#include "session.h"

/*
 * How many threads run at the same time, by context switches: of each process, or, where only some
 * tasks were recorded (a command and its children), of all of them. All zero: none is known to run.
 */
struct pk_parallelism {
	struct pk_table threads; /* by tid: struct runner */
	struct pk_table counts;	 /* by pid: uint32_t */
	uint32_t all;		 /* threads that run */
	bool seen;		 /* a context switch, in any session */
	bool tasks;		 /* the recording is of tasks */
};

/* Takes in SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE; ignores others. False: out of memory. */
bool pk_parallelism_record(struct pk_parallelism *parallelism, const struct pk_record *record);
/* The threads that run beside a sample of the process, and that one; at least 1. */
uint32_t pk_parallelism_of(const struct pk_parallelism *parallelism, uint32_t pid);
/* For a new session. */
void pk_parallelism_forget(struct pk_parallelism *parallelism);

#endif
