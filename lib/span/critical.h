/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CRITICAL_H
#define PK_CRITICAL_H

/* The critical path of a thread: what its wall-clock time was spent for. While the thread runs, its
 * time belongs to itself. While it is blocked, its time belongs to the thread that wakes it at the
 * end, and to what this thread does in the meantime. So each moment of a period belongs to exactly
 * one thread, and the pieces of the path together are as long as the period.
 *
 * First add everything that happened, in the order of time. Then call pk_critical_path(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "table.h"
#include "wait_kind.h"

/* Something that happened to a task. */
struct pk_critical_event {
	uint64_t time;
	uint32_t other; /* for a wakeup: the tid of the waker */
	uint32_t stack; /* id of a stack, or 0 */
	uint8_t what;	/* enum pk_critical_what */
	uint8_t kind;	/* enum pk_wait_kind */
};

struct pk_critical_task {
	uint32_t pid, tid;
	uint8_t state; /* the last event that changed the state: enum pk_critical_what */
	struct pk_critical_event *items;
	size_t count, capacity;
};

/* All tasks. All zero at first. */
struct pk_critical {
	struct pk_table tasks; /* struct pk_critical_task by tid */
	uint64_t events;       /* number of events of all tasks */
	uint64_t dropped;      /* events that were not added because there are too many */
	uint64_t most;	       /* limit for `events`; the caller sets it */
};

void pk_critical_free(struct pk_critical *critical);
/* Sets the process of a task. */
PK_MUST_CHECK enum pk_status pk_critical_process(struct pk_critical *critical, uint32_t pid,
						 uint32_t tid);
/* A processor stops running the task `tid`, and runs `next`. A tid of 0 is the idle task. `stack`
 * is the stack of the task that stops, and `kind` is what it waits for: PK_WAIT_CPU if it could
 * still run, or PK_WAIT_ENDED if the task has ended. */
PK_MUST_CHECK enum pk_status pk_critical_switch(struct pk_critical *critical, uint64_t time,
						uint32_t tid, uint32_t next, uint32_t stack,
						enum pk_wait_kind kind);
/* The task `tid` is woken by the task `waker`, which has this stack. If an interrupt has woken it,
 * `waker` is 0. `kind` is what the interrupt came from, or PK_WAIT_UNKNOWN. */
PK_MUST_CHECK enum pk_status pk_critical_wake(struct pk_critical *critical, uint64_t time,
					      uint32_t tid, uint32_t waker, uint32_t stack,
					      enum pk_wait_kind kind);
/* The task `parent` starts the task `tid`. */
PK_MUST_CHECK enum pk_status pk_critical_start(struct pk_critical *critical, uint64_t time,
					       uint32_t tid, uint32_t parent, uint32_t stack);
/* A sample of the running task. */
PK_MUST_CHECK enum pk_status pk_critical_sample(struct pk_critical *critical, uint64_t time,
						uint32_t tid, uint32_t stack);
/* Forgets all ids of stacks, because they have become invalid. */
void pk_critical_forget_stacks(struct pk_critical *critical);

/* A piece of a path: the task `tid` runs or waits from `start` to `end`. */
struct pk_critical_piece {
	uint64_t start, end;
	uint32_t pid, tid, stack;
	uint32_t depth; /* number of wakers between the thread of the path and this task */
	enum pk_wait_kind kind;
};

struct pk_critical_path {
	struct pk_critical_piece *items;
	size_t count, capacity;
};

/* Finds the path of a thread from `start` to `end`, in the order of time. The pieces have no gaps.
 * The caller frees path->items. */
PK_MUST_CHECK enum pk_status pk_critical_path(const struct pk_critical *critical, uint32_t tid,
					      uint64_t start, uint64_t end,
					      struct pk_critical_path *path);

#endif
