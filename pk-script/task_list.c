// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "script.h"
#include "texts.h"
#include "vector.h"

/* The tasks of the inputs, with the task that created each: --tasks. The order and the columns are
 * those of perf report --tasks. */

#define TASKS_MAX (1 << 20) /* more tasks are counted, but not listed */
#define DEPTH_MAX 40	    /* deeper tasks are not indented further */

/* The links are indexes in tasks.items plus one, or 0. */
struct task {
	uint32_t pid, tid, ppid; /* ppid is UINT32_MAX if the creator is unknown */
	uint32_t name;		 /* number in `names` */
	uint32_t depth;
	uint32_t parent, first, last, next; /* `first` and `last` are children */
};

struct tasks {
	struct pk_table
		current; /* index in `items` plus one, by tid, of the last task with this tid */
	struct pk_texts names;
	struct task *items;
	size_t count, capacity;
	uint32_t first, last; /* the tasks without a parent */
	uint64_t left_out;
};

static struct task *task_at(const struct tasks *tasks, uint64_t number)
{
	return number ? &tasks->items[number - 1] : NULL;
}

/* Adds a task below the parent, which can be 0. Returns its number, or 0 if there are too many
 * tasks or if memory is exhausted. */
static uint32_t add_task(struct tasks *tasks, uint32_t pid, uint32_t tid, uint32_t ppid,
			 uint32_t parent)
{
	struct task *task;
	uint32_t *first, *last, number;

	if (tasks->count == TASKS_MAX) {
		tasks->left_out++;
		return 0;
	}
	if (pk_reserve(&tasks->items, &tasks->capacity, tasks->count, 1, sizeof(*task)) != PK_OK)
		return 0;
	number = (uint32_t)++tasks->count;
	task = task_at(tasks, number);
	*task = (struct task){.pid = pid, .tid = tid, .ppid = ppid, .parent = parent};
	if (parent) {
		task->depth = task_at(tasks, parent)->depth + 1;
		task->name = task_at(tasks, parent)->name;
	}
	first = parent ? &task_at(tasks, parent)->first : &tasks->first;
	last = parent ? &task_at(tasks, parent)->last : &tasks->last;
	if (*last)
		task_at(tasks, *last)->next = number;
	else
		*first = number;
	*last = number;
	return pk_table_set_u64(&tasks->current, tid, number) == PK_OK ? number : 0;
}

static enum pk_status name_task(struct tasks *tasks, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;
	const char *text = pk_record_text(record, sizeof(*comm));
	uint32_t number = (uint32_t)pk_table_get_u64(&tasks->current, comm->tid), name;

	if (!text)
		return PK_OK;
	name = pk_texts_add(&tasks->names, text, strlen(text));
	if (!number)
		number = add_task(tasks, comm->pid, comm->tid, UINT32_MAX, 0);
	if (!name || (!number && !tasks->left_out))
		return PK_NOMEM;
	if (number)
		task_at(tasks, number)->name = name;
	return PK_OK;
}

/* A running task that is listed at the start of a recording can have both records, first FORK and
 * then COMM. */
static enum pk_status fork_task(struct tasks *tasks, const struct perf_record_task *fork)
{
	const uint32_t parent = (uint32_t)pk_table_get_u64(&tasks->current, fork->ptid);

	return add_task(tasks, fork->pid, fork->tid, fork->ptid, parent) || tasks->left_out
		       ? PK_OK
		       : PK_NOMEM;
}

static enum pk_status count(struct script *script, const struct pk_record *record)
{
	struct tasks *tasks = script->own;

	if (!tasks)
		tasks = script->own = calloc(1, sizeof(*tasks));
	if (!tasks)
		return PK_NOMEM;
	switch (record->type) {
	case PK_RECORD_BEGIN: pk_table_clear(&tasks->current); return PK_OK;
	case PERF_RECORD_COMM: return name_task(tasks, record);
	case PERF_RECORD_FORK: return fork_task(tasks, (const void *)record->data);
	default: return PK_OK;
	}
}

/* Returns the next task in the order of the tree: its first child, or the next child of its parent,
 * or of its parent's parent, and so on. */
static const struct task *following(const struct tasks *tasks, const struct task *task)
{
	if (task->first)
		return task_at(tasks, task->first);
	while (task && !task->next)
		task = task_at(tasks, task->parent);
	return task ? task_at(tasks, task->next) : NULL;
}

static void print_task(const struct tasks *tasks, const struct task *task, struct buffer *out)
{
	const char *name = pk_texts_get(&tasks->names, task->name, NULL);

	buffer_format(out, "  %8u %8u %8d |%*s", task->pid, task->tid, (int)task->ppid,
		      (int)(task->depth < DEPTH_MAX ? task->depth : DEPTH_MAX), "");
	buffer_harmless(out, name ? name : "", name ? strlen(name) : 0);
	buffer_add(out, "\n", 1);
}

static void finish(struct script *script)
{
	struct tasks *tasks = script->own;
	struct buffer *out = &script->out;
	char number[32];

	buffer_format(out, "# %8s %8s %8s  comm\n", "pid", "tid", "ppid");
	if (!tasks)
		return;
	for (const struct task *task = task_at(tasks, tasks->first); task;
	     task = following(tasks, task))
		print_task(tasks, task, out);
	if (tasks->left_out)
		pk_warn("%s tasks are not listed: there are too many",
			pk_number(number, tasks->left_out));
	pk_table_free(&tasks->current);
	pk_texts_free(&tasks->names);
	free(tasks->items);
	free(tasks);
}

const struct script_format script_tasks = {.count = count, .finish = finish};
