/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PROCESSES_H
#define PK_RECORD_PROCESSES_H

/* The processes that a recording has to do with, children included: a stream that begins in the
 * middle lists them. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_set {
	pid_t *pids;
	size_t count, capacity;
};

/* Without memory one is missing. */
void processes_add(struct process_set *processes, pid_t pid);
/* All that there are. */
void processes_add_all(struct process_set *processes);
/* Each once, ascending, without those that are gone. */
void processes_prune(struct process_set *processes);
void processes_free(struct process_set *processes);

#endif
