/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARALLELISM_H
#define PK_PARALLELISM_H

#include "session.h"

/* Counts the threads that run at the same time, from records of context switches. Normally, there
 * is a count for each process. If the recording is limited to tasks (a command and its children),
 * one count includes all tasks. If all members are zero, no thread is known to run. */
struct pk_parallelism {
	struct pk_table threads; /* the threads; the key is the tid, and the value is a pointer to a
				  * struct runner */
	struct pk_table counts;	 /* the number of running threads of each process; the key is the
				  * pid, and the value points to a uint32_t */
	uint32_t all;		 /* the number of running threads of all processes */
	bool recorded; /* The caller sets it to true if an event of the session records context
			* switches. */
	bool seen;  /* true if a record of a context switch was read in this session or an earlier
		     * one */
	bool tasks; /* True if a SWITCH record was read. Such a record shows that the recording is
		     * limited to tasks. */
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
