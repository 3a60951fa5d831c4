/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OTLP_STACKS_H
#define OTLP_STACKS_H

/* Stacks of locations. Equal stacks have equal indexes, also if the stacks of the stream differ in
 * what has no location, as the name of the thread. Time and memory grow with the number of stacks
 * in the dictionary, not with their depth. All zero: only the stack without locations. */

#include "allowance.h"
#include "buffer.h"
#include "pkstream.h"
#include "table.h"

struct otlp_stacks {
	struct pk_allowance *allowance; /* set by the caller: what the lists may cost */
	struct otlp_node {
		uint32_t parent; /* the caller's; 0: none */
		uint32_t location;
		uint32_t depth;
		uint32_t shown; /* the number of its locations in the table */
		uint32_t index; /* in the table of stacks; 0: none yet */
	} * items;		/* item 0 is unused */
	size_t count, capacity;
	struct pk_table numbers; /* by parent and location */
	uint32_t *of_stacks;	 /* the node, by id of the dictionary's stack; 0: unknown */
	size_t of_stacks_count;
	uint32_t *listed; /* nodes by index - 1 */
	size_t listed_count, listed_capacity;
	uint32_t *way;
	size_t way_capacity;
};

/* Returns the index of the location whose frames, innermost first, have these ids. */
typedef uint32_t otlp_location_fn(void *arg, const uint32_t *frames, size_t count);

/* The index of a stack of `names`. *cut: the stack has more
 * locations than the list. UINT32_MAX: out of memory. */
uint32_t otlp_stacks_index(struct otlp_stacks *stacks, const struct pk_dictionary *names,
			   uint32_t stack, otlp_location_fn *location, void *arg, bool *cut);
/* Adds the locations of the stack with an index from 1 to listed_count as packed varints, the leaf
 * first. */
void otlp_stacks_locations(const struct otlp_stacks *stacks, size_t index, struct buffer *out);
void otlp_stacks_free(struct otlp_stacks *stacks);

#endif
