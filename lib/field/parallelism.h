/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARALLELISM_H
#define PK_PARALLELISM_H

#include "session.h"

/* Counts the threads that run at the same time, from records of context switches. Normally, there
 * is a count for each process. If the recording is limited to tasks (a command and its children),
 * one count includes all tasks. If all members are zero, no thread is known to run. */
struct pk_parallelism {
	struct pk_table threads; /* by tid, pointers to struct runner */
	struct pk_table counts;	 /* by pid, pointers to uint32_t */
	uint32_t all;		 /* number of running threads */
	bool recorded; /* The caller sets it if an event of the session records context switches. */
	bool seen;     /* a context switch was read in this or an earlier session */
	bool tasks; /* A SWITCH record was read. It shows that the recording is limited to tasks. */
};

/* Evaluates SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE records. Ignores other records. */
PK_MUST_CHECK enum pk_status pk_parallelism_record(struct pk_parallelism *parallelism,
						   const struct pk_record *record);
/* Returns the number of running threads of the process or, if `tasks` is set, of all tasks. The
 * number includes the sampled thread. It is 1 before the first context switch. */
uint32_t pk_parallelism_of(const struct pk_parallelism *parallelism, uint32_t pid);
/* Returns true if the session has context switches, or may have some later. */
static inline bool pk_parallelism_is_known(const struct pk_parallelism *parallelism)
{
	return parallelism->recorded || parallelism->seen;
}
/* Forgets all threads. Call this function at the start of a session. */
void pk_parallelism_forget(struct pk_parallelism *parallelism);

#endif
