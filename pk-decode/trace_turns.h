/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_TURNS_H
#define PK_TRACE_TURNS_H

/* The traces of several CPUs or threads. Their items are merged in the order of time: a heap has
 * the traces that have an item, with the trace of the least time at its top. */

#include <stddef.h>
#include <stdint.h>

#include "perf_abi.h"
#include "status.h"
#include "table.h"

/* A trace. It is the first member of the caller's struct. */
struct trace_turn {
	uint64_t time;	    /* of the next item of the trace, in ns */
	unsigned int order; /* traces with the same time are read in this order */
	uint32_t cpu, tid;  /* of its first AUXTRACE record */
};

/* All bytes 0 has no traces. */
struct trace_turns {
	struct trace_turn **all;
	size_t all_count, all_capacity;
	struct pk_table by_index;
	struct trace_turn **heap;
	size_t count, capacity;
};

/* Returns the trace that the record belongs to. If it is new, it has `size` bytes, and those after
 * its struct trace_turn are 0. Sets *turn to NULL if the trace is new and there are `most` traces.
 */
PK_MUST_CHECK enum pk_status trace_turns_of(struct trace_turns *turns,
					    const struct perf_record_auxtrace *auxtrace,
					    size_t size, size_t most, struct trace_turn **turn);
/* Frees all traces. */
void trace_turns_clear(struct trace_turns *turns);
void trace_turns_add(struct trace_turns *turns, struct trace_turn *turn);
/* Restores the order after the next item of the first trace was read, with this result. PK_END
 * removes the trace from the heap. Returns other errors. */
PK_MUST_CHECK enum pk_status trace_turns_move_first(struct trace_turns *turns,
						    enum pk_status result);
/* Frees all traces and the memory of the heap. */
void trace_turns_free(struct trace_turns *turns);

/* Returns the trace with the least time, or NULL if the heap is empty. */
static inline struct trace_turn *trace_turns_first(const struct trace_turns *turns)
{
	return turns->count ? turns->heap[0] : NULL;
}

#endif
