/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PROCESSES_H
#define PK_RECORD_PROCESSES_H

/* The processes of a recording, including children: a stream that starts later lists them. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_set {
	pid_t *pids;
	size_t count, capacity;
};

/* Adds a process. If memory is exhausted, the process is missing. */
void processes_add(struct process_set *processes, pid_t pid);
/* Adds all existing processes. */
void processes_add_all(struct process_set *processes);
/* Sorts, and removes duplicates and exited processes. */
void processes_prune(struct process_set *processes);
void processes_free(struct process_set *processes);

#endif
