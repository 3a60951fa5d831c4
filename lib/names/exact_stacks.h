/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXACT_STACKS_H
#define PK_EXACT_STACKS_H

/* Stacks whose frames have their own addresses already, so that callchains add nothing: a copy is
 * made once for each stack of the stream. */

#include "stack_copy.h"

struct pk_exact_stacks {
	struct pk_stack_copy *copy; /* its dictionaries, and copies of frames */
	bool calls;		    /* as PK_FRAMES_OF_CALLS */
	/* By index in `from`; [1]: as the caller of the frame after it. 0: not yet known. */
	struct exact_copy {
		uint32_t id[2];
	} * stacks, *frames;
	size_t stacks_count, frames_count;
	uint8_t *interrupts; /* by index of the frame: 1: no, 2: yes; 0: not yet known */
	size_t interrupts_count;
	/* The stacks to copy, leaf first: */
	struct exact_way {
		uint32_t index;
		bool called;
	} * way;
	size_t way_capacity;
};

/* The id in `to`. 0: some frames of the stack stand for functions, or *failed. */
uint32_t pk_exact_stack(struct pk_exact_stacks *exact, uint32_t stack, bool *failed);
/* Whether a frame of the stream is the code that a processor enters when it interrupts a function:
 * the address after it is no return address. */
bool pk_exact_interrupts(struct pk_exact_stacks *exact, uint32_t frame, bool *failed);
void pk_exact_forget(struct pk_exact_stacks *exact);
void pk_exact_free(struct pk_exact_stacks *exact);

#endif
