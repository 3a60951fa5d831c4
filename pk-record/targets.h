/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_TARGETS_H
#define PK_RECORD_TARGETS_H

/* Which CPUs and which tasks events are opened for. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "record_options.h"

struct targets {
	int *cpus;    /* all that are online; {-1} without inheritance: any */
	bool *chosen; /* one for each CPU: events are wanted there, not only the tracking of tasks
		       */
	size_t cpus_count;
	pid_t *tids; /* {-1} for all tasks of a CPU */
	size_t tids_count;
	pid_t *pids; /* the processes that tids belong to; none when system-wide or a command */
	size_t pids_count;
	bool system_wide; /* all tasks, of all CPUs or of the chosen ones */
	bool some_cpus;	  /* -C */
};

/* child: the command that shall be recorded, when there is no other target. False after a message.
 */
bool targets_init(struct targets *targets, const struct options *options, pid_t child);
void targets_free(struct targets *targets);

#endif
