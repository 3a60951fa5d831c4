/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_STACKS_H
#define PK_SPAN_STACKS_H

/* Stacks that are made of those of two samples. They need definitions of their own, so the stacks
 * of all samples are copied to a new dictionary, which replaces that of the input. */

#include "stack_copy.h"
#include "table.h"

struct pk_span_stacks {
	/* Private. */
	struct pk_stack_copy copy;
	struct pk_table joined; /* start and end -> stack; all in the input's ids */
	uint32_t separator;	/* the frame between the two; 0: not yet defined */
};

/* `from` is the dictionary of the input, which stays the caller's. The definitions of copies are
 * written with the writer. */
PK_MUST_CHECK enum pk_status pk_span_stacks_init(struct pk_span_stacks *stacks,
						 const struct pk_dictionary *from,
						 struct pk_writer *writer);
void pk_span_stacks_free(struct pk_span_stacks *stacks);

/* Call for a new session. */
void pk_span_stacks_clear(struct pk_span_stacks *stacks);
/* Call after the dictionary of the input was reset. */
void pk_span_stacks_forget(struct pk_span_stacks *stacks);
/* Removes the copies if they need too much memory. Call it now and then, between two samples. */
void pk_span_stacks_limit(struct pk_span_stacks *stacks);

/* The copy of a stack of the input, or 0 if it is undefined. Sets *failed if memory is
 * exhausted. */
uint32_t pk_span_stacks_copy(struct pk_span_stacks *stacks, uint32_t stack, bool *failed);
/* The frames of the end, called by a frame "--", called by those of the start. If one of the stacks
 * is undefined, it is the other one. */
uint32_t pk_span_stacks_join(struct pk_span_stacks *stacks, uint32_t start, uint32_t end,
			     bool *failed);

#endif
