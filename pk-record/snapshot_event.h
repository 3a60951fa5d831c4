/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SNAPSHOT_EVENT_H
#define PK_RECORD_SNAPSHOT_EVENT_H

/* The event pk:snapshot, and its samples. The event is a tracepoint that the kernel does not know.
 * The fields of the event have the state of a thread. The samples have the registers and the stack
 * of user mode, from which pk-unwind makes the callchain. */

#include "event.h"
#include "thread_state.h"
#include "thread_stop.h"

struct pk_writer;

/* The largest stack, in bytes, that fits into a sample together with the other fields. */
#define SNAPSHOT_STACK_MAX 63488u

/* Adds the event to an empty list, and completes its attr. `stack` is the maximum size of a stack
 * in bytes. The event has one slot (CPU and task), and is not opened. Returns an error after a
 * message was added to the list. */
PK_MUST_CHECK enum pk_status snapshot_event_add(struct event_list *events, uint32_t stack);

/* The values of a sample. */
struct snapshot {
	pid_t pid, tid;
	uint64_t time, period, pause; /* in ns */
	const struct thread_state *state;
	const struct thread_stack *stack; /* NULL if the stack of user mode is unknown */
	const uint64_t *kernel;		  /* the stack of the kernel, innermost function first */
	size_t kernel_count;
	/* Frames of an interpreter, and notes about them (interpreted_groups.h). */
	const uint64_t *interpreted;
	size_t interpreted_count;
};

void snapshot_event_write(const struct event *event, const struct snapshot *snapshot,
			  struct pk_writer *writer);

#endif
