// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "ended_tasks.h"
#include "vector.h"

void pk_ended_tasks_clear(struct pk_ended_tasks *tasks)
{
	tasks->first = tasks->count = 0;
	pk_table_clear(&tasks->tids);
}

void pk_ended_tasks_free(struct pk_ended_tasks *tasks)
{
	free(tasks->items);
	pk_table_free(&tasks->tids);
	*tasks = (struct pk_ended_tasks){0};
}

bool pk_ended_tasks_add(struct pk_ended_tasks *tasks, uint32_t tid, uint64_t time)
{
	if (tasks->first && tasks->first * 2 >= tasks->count) { /* amortized: moves at most half */
		tasks->count -= tasks->first;
		memmove(tasks->items, tasks->items + tasks->first,
			tasks->count * sizeof(*tasks->items));
		tasks->first = 0;
	}
	if (!pk_vector_reserve(tasks, 1) || !pk_table_set_u64(&tasks->tids, tid, tasks->last + 1))
		return false;
	tasks->items[tasks->count++] = (struct pk_ended_task){tid, time, ++tasks->last};
	return true;
}

void pk_ended_tasks_remove(struct pk_ended_tasks *tasks, uint32_t tid)
{
	pk_table_remove(&tasks->tids, tid);
}

bool pk_ended_tasks_next(struct pk_ended_tasks *tasks, uint64_t now, struct pk_ended_task *task)
{
	while (tasks->first < tasks->count) {
		*task = tasks->items[tasks->first];
		if (tasks->count - tasks->first <= PK_ENDED_MAX &&
		    (now < task->time || now - task->time < PK_ENDED_GRACE))
			return false;
		tasks->first++;
		if (pk_table_get_u64(&tasks->tids, task->tid) != task->number)
			continue;
		pk_table_remove(&tasks->tids, task->tid);
		return true;
	}
	return false;
}
