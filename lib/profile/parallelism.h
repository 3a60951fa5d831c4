/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARALLELISM_H
#define PK_PARALLELISM_H

#include "session.h"

/* The number of threads that run at the same time, from context switches: of each process or, if
 * only some tasks were recorded (a command and its children), of all of them. All zero: no thread
 * is known to run. */
struct pk_parallelism {
	struct pk_table threads; /* by tid: struct runner */
	struct pk_table counts;	 /* by pid: uint32_t */
	uint32_t all;		 /* number of running threads */
	bool seen;		 /* a context switch was read, in any session */
	bool tasks;		 /* the recording is limited to tasks */
};

/* Evaluates SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE; ignores others. False: out of memory. */
bool pk_parallelism_record(struct pk_parallelism *parallelism, const struct pk_record *record);
/* The number of running threads of the sample's process, including the sampled one; at least 1. */
uint32_t pk_parallelism_of(const struct pk_parallelism *parallelism, uint32_t pid);
/* For a new session. */
void pk_parallelism_forget(struct pk_parallelism *parallelism);

#endif
