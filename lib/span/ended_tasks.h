/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ENDED_TASKS_H
#define PK_ENDED_TASKS_H

/*
 * Tasks after their EXIT records. A task still runs for a moment after it, so its spans can end
 * later: they are given up PK_ENDED_GRACE after the record, or when the tid is used again.
 */

#include "table.h"

#define PK_ENDED_GRACE UINT64_C(1000000000) /* ns */
#define PK_ENDED_MAX   65536u		    /* the oldest ones are given up earlier */

struct pk_ended_tasks {
	struct pk_ended_task {
		uint32_t tid;
		uint64_t time;
		uint64_t number;
	} * items;
	size_t first, count, capacity;
	uint64_t last;	      /* number of the last record */
	struct pk_table tids; /* tid -> the number of its last EXIT record */
};

void pk_ended_tasks_clear(struct pk_ended_tasks *tasks);
void pk_ended_tasks_free(struct pk_ended_tasks *tasks);
/* An EXIT record. False: out of memory. */
bool pk_ended_tasks_add(struct pk_ended_tasks *tasks, uint32_t tid, uint64_t time);
/* Forgets the task: its tid is used again. */
void pk_ended_tasks_remove(struct pk_ended_tasks *tasks, uint32_t tid);
/* Removes the oldest task whose grace is over at this time. False: there is none. */
bool pk_ended_tasks_next(struct pk_ended_tasks *tasks, uint64_t now, struct pk_ended_task *task);

#endif
