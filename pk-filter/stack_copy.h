/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_STACK_COPY_H
#define PK_FILTER_STACK_COPY_H

/* Stacks of one dictionary, with all that they refer to, in another one. */

#include "pkstream.h"

struct stack_copy {
	const struct pk_dictionary *from; /* both the caller's to set */
	struct pk_dictionary *to;
	uint32_t *stacks, *frames; /* ids there, by index here; 0: not yet */
	size_t stacks_count, frames_count;
	uint32_t *way;
	size_t way_capacity;
};

/* The id there of a stack here; 0: it is not defined here. *failed is set if memory is exhausted.
 */
uint32_t stack_copy(struct stack_copy *copy, uint32_t stack, bool *failed);
/* After one of the dictionaries was reset or cleared, or was replaced. */
void stack_copy_forget(struct stack_copy *copy);
void stack_copy_free(struct stack_copy *copy);

#endif
