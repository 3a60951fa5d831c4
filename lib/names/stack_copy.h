/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_COPY_H
#define PK_STACK_COPY_H

/* Copies stacks, and everything that they refer to, from one dictionary to another. */

#include "pkstream.h"

struct pk_stack_copy {
	const struct pk_dictionary *from; /* set by the caller */
	struct pk_dictionary *to;
	/* Changes a frame of `from` before it is copied. It returns false to leave the frame out of
	 * stacks, unless it is at the root. May be NULL. */
	bool (*edit)(void *arg, struct pk_frame *frame);
	/* Whether the address of the caller of the stack's frame is a return address. `called`
	 * means that the address of the frame is one. The copies of such frames have addresses in
	 * their calls. With NULL, addresses stay as they are. */
	bool (*calls)(void *arg, const struct pk_stack *stack, bool called);
	void *arg;
	uint32_t except; /* flags: stacks that have a frame with one of them are not copied */
	/* The ids in `to`, by index in `from`, or 0 for what is not yet copied. With `calls`, each
	 * has two: the second one is for the caller of a call. */
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

/* The id in `to` of a stack of `from`. It is 0 if the stack is undefined or not copied. Sets
 * *failed if memory is exhausted. */
uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed);
/* Adds copies of the innermost frames of the stack, at most so many, to a stack of `to`. Returns 0
 * if that failed, and sets *failed. Each call takes time for each frame. */
uint32_t pk_stack_copy_onto(struct pk_stack_copy *copy, uint32_t onto, uint32_t stack, size_t most,
			    bool *failed);
/* The same for a frame. */
uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed);
/* Copies a frame of `from`, with another address and without PK_FRAME_FUNCTION. Returns its id in
 * `to`, or 0 if the frame is undefined, or memory is exhausted. */
uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address);
/* Call after one of the dictionaries was reset, cleared or replaced. */
void pk_stack_copy_forget(struct pk_stack_copy *copy);
void pk_stack_copy_free(struct pk_stack_copy *copy);

#endif
