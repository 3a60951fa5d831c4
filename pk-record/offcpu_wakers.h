/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_WAKERS_H
#define PK_RECORD_OFFCPU_WAKERS_H

/* The wakers of --off-cpu=wakers. A waker is the task that ran when a block ended: the task that
 * has woken the sleeper, or a task that an interrupt has interrupted. The waker becomes a sample of
 * the tracepoint pk:waker, after the sample of the blocks that it has ended. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu_block.h"
#include "event.h"

struct pk_writer;

/* ---- Sums ---- */

/* The sum of the blocks that have the same thread and the same stacks. It becomes one sample. */

struct offcpu_sum {
	uint64_t end; /* end of the last of these blocks, in ns of the clock of the samples */
	uint32_t cpu; /* the CPU on which the thread has continued after the last of these blocks */
	/* Size of `block` in bytes. */
	uint32_t size;
	struct offcpu_block block; /* the thread and its stacks; block.time is the sum of the times
				    * of all blocks, in ns */
};

/* ---- Wakers ---- */

/* The id of the format of pk:waker. */
#define OFFCPU_WAKERS_FORMAT 64999u

/* All zero at first. */
struct offcpu_wakers {
	const struct event *event; /* pk:waker, or NULL if wakers are not recorded */
	size_t slot;		   /* a slot in which the event is open */
};

/* Adds the event pk:waker. Returns an error after a message was added to the list. */
PK_MUST_CHECK enum pk_status offcpu_wakers_add_event(struct event_list *events);
/* Finds the open event. */
void offcpu_wakers_find(struct offcpu_wakers *wakers, const struct event_list *events,
			const struct targets *targets);
/* Returns the waker of these blocks. Returns NULL if it is unknown or invalid. */
struct offcpu_waker *offcpu_wakers_of(struct offcpu_sum *sum);
/* Writes the sample of the waker of these blocks, which must be known. `flags` are those of the
 * event of the blocks. Returns false if no sample was written. */
bool offcpu_wakers_write(const struct offcpu_wakers *wakers, struct offcpu_sum *sum, uint64_t flags,
			 struct pk_writer *writer);

#endif
