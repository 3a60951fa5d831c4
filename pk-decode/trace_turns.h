/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_TURNS_H
#define PK_TRACE_TURNS_H

/* Merges the traces of several CPUs or threads in the order of time: a heap of the traces that have
 * an item, with the trace of the least time at its top. */

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* A trace in the heap. It is the first member of the caller's struct. */
struct trace_turn {
	uint64_t time;	    /* of the next item of the trace, in ns */
	unsigned int order; /* traces with the same time are read in this order */
};

/* All bytes 0 is an empty heap. */
struct trace_turns {
	struct trace_turn **heap;
	size_t count, capacity;
};

/* Allocates memory for one more trace. `traces` is the number of all traces until now. */
PK_MUST_CHECK enum pk_status trace_turns_reserve(struct trace_turns *turns, size_t traces);
void trace_turns_add(struct trace_turns *turns, struct trace_turn *turn);
/* Restores the order after the time of the first trace has grown. */
void trace_turns_move_first(struct trace_turns *turns);
void trace_turns_remove_first(struct trace_turns *turns);
void trace_turns_free(struct trace_turns *turns);

/* Returns the trace with the least time, or NULL if the heap is empty. */
static inline struct trace_turn *trace_turns_first(const struct trace_turns *turns)
{
	return turns->count ? turns->heap[0] : NULL;
}

#endif
