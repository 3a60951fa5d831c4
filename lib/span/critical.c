// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "critical.h"
#include "vector.h"

/* Wakers of wakers are followed up to this depth. */
#define DEPTH_MAX 128

enum pk_critical_what {
	NOTHING,
	RUNS,	 /* a processor begins to run it */
	SAMPLED, /* it runs */
	STOPS,	 /* it is preempted, and can run */
	BLOCKS,
	ENDS,
	WOKEN,
	STARTED, /* another task has created it */
};

/* ---- Events ---- */

static struct pk_critical_task *get_task(struct pk_critical *critical, uint32_t tid)
{
	struct pk_critical_task *task =
		pk_table_get_or_add(&critical->tasks, (uint64_t)tid + 1, sizeof(*task));

	if (task)
		task->tid = tid;
	return task;
}

static enum pk_status add(struct pk_critical *critical, uint32_t tid,
			  const struct pk_critical_event *event)
{
	struct pk_critical_task *task;

	if (!tid) /* the idle task */
		return PK_OK;
	task = get_task(critical, tid);
	if (!task)
		return PK_NOMEM;
	/* A wakeup of a task that is not blocked has no effect. */
	if (event->what == WOKEN && task->state != BLOCKS && task->state != NOTHING)
		return PK_OK;
	if (critical->events == critical->most) {
		critical->dropped++;
		return PK_OK;
	}
	PK_TRY(pk_reserve(&task->items, &task->capacity, task->count, 1, sizeof(*task->items)));
	task->items[task->count++] = *event;
	critical->events++;
	if (event->what != SAMPLED)
		task->state = event->what;
	return PK_OK;
}

enum pk_status pk_critical_process(struct pk_critical *critical, uint32_t pid, uint32_t tid)
{
	struct pk_critical_task *task = tid ? get_task(critical, tid) : NULL;

	if (task)
		task->pid = pid;
	return task || !tid ? PK_OK : PK_NOMEM;
}

enum pk_status pk_critical_switch(struct pk_critical *critical, uint64_t time, uint32_t tid,
				  uint32_t next, uint32_t stack, enum pk_wait_kind kind)
{
	const uint8_t what = kind == PK_WAIT_CPU ? STOPS : kind == PK_WAIT_ENDED ? ENDS : BLOCKS;

	PK_TRY(add(critical, tid,
		   &(struct pk_critical_event){time, 0, stack, what, (uint8_t)kind}));
	return add(critical, next, &(struct pk_critical_event){.time = time, .what = RUNS});
}

enum pk_status pk_critical_wake(struct pk_critical *critical, uint64_t time, uint32_t tid,
				uint32_t waker, uint32_t stack, enum pk_wait_kind kind)
{
	return add(critical, tid,
		   &(struct pk_critical_event){time, waker, stack, WOKEN, (uint8_t)kind});
}

enum pk_status pk_critical_start(struct pk_critical *critical, uint64_t time, uint32_t tid,
				 uint32_t parent, uint32_t stack)
{
	return add(critical, tid,
		   &(struct pk_critical_event){time, parent, stack, STARTED, PK_WAIT_CPU});
}

enum pk_status pk_critical_sample(struct pk_critical *critical, uint64_t time, uint32_t tid,
				  uint32_t stack)
{
	return add(critical, tid,
		   &(struct pk_critical_event){.time = time, .stack = stack, .what = SAMPLED});
}

void pk_critical_forget_stacks(struct pk_critical *critical)
{
	struct pk_critical_task *task;
	size_t cursor = 0;

	while ((task = pk_table_next_value(&critical->tasks, &cursor)))
		for (size_t i = 0; i < task->count; i++)
			task->items[i].stack = 0;
}

void pk_critical_free(struct pk_critical *critical)
{
	struct pk_critical_task *task;
	size_t cursor = 0;

	while ((task = pk_table_next_value(&critical->tasks, &cursor)))
		free(task->items);
	pk_table_free_all(&critical->tasks);
}

/* ---- Paths ---- */

/* A walk from the end of a period to its start. */
struct walk {
	const struct pk_critical *critical;
	struct pk_critical_path *path;
	enum pk_status status;
};

/* Adds the piece before all others. Pieces of the same kind and stack are joined. */
static void add_piece(struct walk *walk, const struct pk_critical_task *task, uint64_t start,
		      uint64_t end, uint32_t stack, enum pk_wait_kind kind, uint32_t depth)
{
	struct pk_critical_path *path = walk->path;
	struct pk_critical_piece *last = path->count ? &path->items[path->count - 1] : NULL;

	if (start >= end || walk->status != PK_OK)
		return;
	if (last && last->start == end && last->tid == task->tid && last->stack == stack &&
	    last->kind == kind && last->depth == depth) {
		last->start = start;
		return;
	}
	walk->status = pk_vector_reserve(path, 1);
	if (walk->status == PK_OK)
		path->items[path->count++] = (struct pk_critical_piece){
			start, end, task->pid, task->tid, stack, depth, kind};
}

/* Returns the number of events of the task before a time. */
static size_t events_before(const struct pk_critical_task *task, uint64_t time)
{
	size_t low = 0, high = task->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (task->items[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the stack of the last event of the task before index i that has one. */
static uint32_t stack_before(const struct pk_critical_task *task, size_t i)
{
	while (i > 0 && task->items[i - 1].what != BLOCKS && task->items[i - 1].what != STOPS)
		i--;
	return i ? task->items[i - 1].stack : 0;
}

/* The task that is blocked, and for which the time of its waker is found. */
struct sleeper {
	const struct pk_critical_task *task;
	uint32_t stack, depth;
	enum pk_wait_kind kind;
};

static void walk_task(struct walk *walk, uint32_t tid, uint64_t start, uint64_t end, uint32_t depth,
		      const struct sleeper *sleeper);

/* The task runs after event i. Returns the stack for the time up to the next event. This is the
 * stack of the next sample. After the last sample of a run, it is the stack of this sample: the
 * time up to the end of the run is shorter than the time between two samples, so most of it is
 * spent in the function that was sampled, not in the function that stops. Only a run without
 * samples has the stack of its end. */
static uint32_t running_stack(const struct pk_critical_task *task, size_t i)
{
	const struct pk_critical_event *event = &task->items[i];
	const struct pk_critical_event *next = i + 1 < task->count ? event + 1 : NULL;

	if (!next || !next->stack || next->what > ENDS || (event->stack && next->what != SAMPLED))
		return event->stack;
	return next->stack;
}

/* The task is blocked after event i, up to `end`. If the task is a thread of the kernel that waits
 * for work, and an interrupt brings it the work, then not this task waits for the source of the
 * interrupt, but `sleeper`, for which it does the work. */
static void walk_block(struct walk *walk, const struct pk_critical_task *task, size_t i,
		       uint64_t start, uint64_t end, uint32_t depth, const struct sleeper *sleeper)
{
	const struct pk_critical_event *block = &task->items[i];
	const struct pk_critical_event *wake =
		i + 1 < task->count && block[1].what == WOKEN && block[1].time == end ? block + 1
										      : NULL;
	struct sleeper own = {task, block->stack, depth, block->kind};

	if (block->kind == PK_WAIT_WORK && sleeper)
		own = *sleeper;
	if (wake && wake->kind != PK_WAIT_UNKNOWN)
		own.kind = wake->kind;
	if (wake && wake->other && wake->other != task->tid && depth < DEPTH_MAX &&
	    pk_table_get(&walk->critical->tasks, (uint64_t)wake->other + 1))
		walk_task(walk, wake->other, start, end, depth + 1, &own);
	else
		add_piece(walk, own.task, start, end, own.stack, own.kind, own.depth);
}

/* Adds the time before the first event of the task. If the task stops or is sampled in this event,
 * it was running before. */
static void add_first(struct walk *walk, const struct pk_critical_task *task, uint64_t start,
		      uint64_t end, uint32_t depth)
{
	const struct pk_critical_event *first = task->count ? task->items : NULL;
	const bool runs = first && first->what >= SAMPLED && first->what <= ENDS;

	add_piece(walk, task, start, end, runs ? first->stack : 0,
		  runs ? PK_WAIT_NONE : PK_WAIT_UNKNOWN, depth);
}

/* Walks from `end` to `start`, and adds the pieces, the last one first. The task has woken
 * `sleeper`, which is NULL if there is none. */
static void walk_task(struct walk *walk, uint32_t tid, uint64_t start, uint64_t end, uint32_t depth,
		      const struct sleeper *sleeper)
{
	const struct pk_critical_task *task =
		pk_table_get(&walk->critical->tasks, (uint64_t)tid + 1);
	const struct pk_critical_task unknown = {.tid = tid};
	size_t i = task ? events_before(task, end) : 0;

	for (; i > 0 && end > start && walk->status == PK_OK; i--) {
		const struct pk_critical_event *event = &task->items[i - 1];
		const uint64_t from = event->time > start ? event->time : start;

		switch (event->what) {
		case RUNS:
		case SAMPLED:
			add_piece(walk, task, from, end, running_stack(task, i - 1), PK_WAIT_NONE,
				  depth);
			break;
		case STOPS:
			add_piece(walk, task, from, end, event->stack, PK_WAIT_CPU, depth);
			break;
		case WOKEN:
			add_piece(walk, task, from, end, stack_before(task, i - 1), PK_WAIT_CPU,
				  depth);
			break;
		case STARTED:
			add_piece(walk, task, from, end, event->stack, PK_WAIT_CPU, depth);
			if (depth < DEPTH_MAX && event->other != tid) {
				walk_task(walk, event->other, start, from, depth + 1, NULL);
				return;
			}
			break;
		case BLOCKS: walk_block(walk, task, i - 1, from, end, depth, sleeper); break;
		default: add_piece(walk, task, from, end, event->stack, PK_WAIT_ENDED, depth);
		}
		end = from;
	}
	add_first(walk, task ? task : &unknown, start, end, depth);
}

enum pk_status pk_critical_path(const struct pk_critical *critical, uint32_t tid, uint64_t start,
				uint64_t end, struct pk_critical_path *path)
{
	struct walk walk = {.critical = critical, .path = path};

	walk_task(&walk, tid, start, end, 0, NULL);
	for (size_t i = 0, j = path->count; i + 1 < j; i++, j--) {
		const struct pk_critical_piece piece = path->items[i];

		path->items[i] = path->items[j - 1];
		path->items[j - 1] = piece;
	}
	return walk.status;
}
