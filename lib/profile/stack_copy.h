/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_COPY_H
#define PK_STACK_COPY_H

/* Stacks of one dictionary, with all that they refer to, in another one. */

#include "pkstream.h"

struct pk_stack_copy {
	const struct pk_dictionary *from; /* both the caller's to set */
	struct pk_dictionary *to;
	uint32_t *stacks, *frames; /* ids there, by index here; 0: not yet */
	size_t stacks_count, frames_count;
	uint32_t *way;
	size_t way_capacity;
};

/* The id there of a stack here; 0: it is not defined here. *failed is set if memory is exhausted.
 */
uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed);
/* Likewise of a frame. */
uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed);
/* The id there of a frame here, made one of an address. 0: out of memory. */
uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address);
/* After one of the dictionaries was reset or cleared, or was replaced. */
void pk_stack_copy_forget(struct pk_stack_copy *copy);
void pk_stack_copy_free(struct pk_stack_copy *copy);

#endif
