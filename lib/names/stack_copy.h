/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_COPY_H
#define PK_STACK_COPY_H

/* Copies stacks, and everything that they refer to, from one dictionary to another. */

#include "pkstream.h"

struct pk_stack_copy {
	const struct pk_dictionary *from; /* set by the caller */
	struct pk_dictionary *to;
	/* Changes a frame of `from` before it is copied. False: leave it out of stacks, unless it
	 * is at the root. May be NULL. */
	bool (*edit)(void *arg, struct pk_frame *frame);
	/* Whether the address of the caller of the stack's frame is a return address; called: that
	 * of the frame is one. The copies of such frames have addresses in their calls. May be
	 * NULL: addresses stay as they are. */
	bool (*calls)(void *arg, const struct pk_stack *stack, bool called);
	void *arg;
	uint32_t except; /* flags: stacks that have a frame with one of them are not copied */
	/* By index in from, with `calls` twice: as the caller of a call, too; the id in to, 0: not
	 * yet copied: */
	uint32_t *stacks, *frames;
	uint32_t *dsos, *strings; /* the same by index alone */
	size_t stacks_count, frames_count, dsos_count, strings_count;
	/* The stacks to copy, leaf first: */
	struct pk_copy_step {
		size_t slot;
		uint32_t frame;
		bool called;
	} * way;
	size_t way_capacity;
};

/* The id in `to` of a stack of `from`; 0: undefined, or not copied. Sets *failed if memory is
 * exhausted. */
uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed);
/* Adds copies of the innermost frames of the stack, at most so many, to a stack of `to`. 0:
 * *failed. Takes time for each frame, for each call. */
uint32_t pk_stack_copy_onto(struct pk_stack_copy *copy, uint32_t onto, uint32_t stack, size_t most,
			    bool *failed);
/* The same for a frame. */
uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed);
/* Copies a frame of `from`, with another address and without PK_FRAME_FUNCTION. Returns its id in
 * `to`. 0: undefined, or out of memory. */
uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address);
/* Call after one of the dictionaries was reset, cleared or replaced. */
void pk_stack_copy_forget(struct pk_stack_copy *copy);
void pk_stack_copy_free(struct pk_stack_copy *copy);

#endif
