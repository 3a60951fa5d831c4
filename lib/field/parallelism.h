/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARALLELISM_H
#define PK_PARALLELISM_H

#include "session.h"

/* Counts the threads that run at the same time, from context switches. The count is for each
 * process or, if the recording is limited to tasks (a command and its children), for all tasks
 * together. Zeroed, it knows no thread that runs. */
struct pk_parallelism {
	struct pk_table threads; /* by tid: struct runner */
	struct pk_table counts;	 /* by pid: uint32_t */
	uint32_t all;		 /* number of running threads */
	bool recorded;		 /* set by the caller: an event of the session records switches */
	bool seen;		 /* a context switch was read, in any session */
	bool tasks;		 /* a SWITCH was read: the recording is limited to tasks */
};

/* Evaluates SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE, and ignores others. */
PK_MUST_CHECK enum pk_status pk_parallelism_record(struct pk_parallelism *parallelism,
						   const struct pk_record *record);
/* The number of running threads of the process or, if `tasks`, of all tasks. It includes the
 * sampled thread. It is 1 before the first context switch. */
uint32_t pk_parallelism_of(const struct pk_parallelism *parallelism, uint32_t pid);
/* Whether the session has context switches, perhaps later. */
static inline bool pk_parallelism_is_known(const struct pk_parallelism *parallelism)
{
	return parallelism->recorded || parallelism->seen;
}
/* Call at the start of a session: forgets all threads. */
void pk_parallelism_forget(struct pk_parallelism *parallelism);

#endif
