/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_STACKS_H
#define PK_SPAN_STACKS_H

/* Joins the stacks of two samples into one stack. A joined stack needs a definition that the input
 * does not have. So the stacks of all samples are copied to a new dictionary, which replaces the
 * dictionary of the input. */

#include "stack_copy.h"
#include "table.h"

/* The new dictionary, and the stacks that were joined. */
struct pk_span_stacks {
	/* Private: */
	struct pk_stack_copy copy;
	/* The id of the joined stack, by the ids of the two stacks in the input. */
	struct pk_table joined;
	uint32_t separator; /* id of the frame between the two stacks; 0 if it is not defined yet */
};

/* `from` is the dictionary of the input, which still belongs to the caller. The definitions of
 * copied stacks are written with `writer`. */
PK_MUST_CHECK enum pk_status pk_span_stacks_init(struct pk_span_stacks *stacks,
						 const struct pk_dictionary *from,
						 struct pk_writer *writer);
void pk_span_stacks_free(struct pk_span_stacks *stacks);

/* Call it when a new session starts. */
void pk_span_stacks_clear(struct pk_span_stacks *stacks);
/* Call it after the dictionary of the input was reset. */
void pk_span_stacks_forget(struct pk_span_stacks *stacks);
/* Removes the copies if they need too much memory. Call it regularly, between two samples. */
void pk_span_stacks_limit(struct pk_span_stacks *stacks);

/* Copies a stack of the input. Returns the id of the copy, or 0 if the stack is undefined. Sets
 * *failed if memory is exhausted. */
uint32_t pk_span_stacks_copy(struct pk_span_stacks *stacks, uint32_t stack, bool *failed);
/* Joins two stacks. In the result, the frames of `start` call a frame "--", and this frame calls
 * the frames of `end`. If one of the stacks is undefined, returns a copy of the other stack. */
uint32_t pk_span_stacks_join(struct pk_span_stacks *stacks, uint32_t start, uint32_t end,
			     bool *failed);

#endif
