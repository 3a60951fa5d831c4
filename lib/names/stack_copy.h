/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_COPY_H
#define PK_STACK_COPY_H

/* Copies stacks, and all objects to which they refer, from one dictionary to another. */

#include "pkstream.h"

/* The state of copying stacks from one dictionary to another. */
struct pk_stack_copy {
	const struct pk_dictionary *from; /* The dictionary with the stacks to copy. The caller sets
					   * the members from this one to `except`. */
	struct pk_dictionary *to;
	/* Changes a frame of `from` before it is copied. Returns false if the frame is left out of
	 * stacks. Frames at the root are never left out. The callback may be NULL. */
	bool (*edit)(void *arg, struct pk_frame *frame);
	/* Returns true if the address in the caller of the stack's frame is a return address.
	 * `called` means that the address of the frame itself is a return address. In the copies,
	 * return addresses are replaced by addresses in the call instruction. If the callback is
	 * NULL, addresses are not changed. */
	bool (*calls)(void *arg, const struct pk_stack *stack, bool called);
	void *arg;
	uint32_t except; /* a set of PK_FRAME_* flags; a stack is not copied if one of its frames
			  * has one of these flags */
	/* The ids in `to`. The index is made of the index of the stack or frame in `from`. An id is
	 * 0 if the stack or frame is not copied yet. If the callback `calls` is set, there are two
	 * ids for each index in `from`. The second id is for a copy that is the caller of a call.
	 * In this copy, the return address was replaced by an address in the call instruction. */
	uint32_t *stacks, *frames;
	uint32_t *dsos, *strings; /* the ids in `to`, with one id for each index in `from` */
	size_t stacks_count, frames_count, dsos_count, strings_count;
	/* The stacks that are being copied, starting with the innermost frame. */
	struct pk_copy_step {
		size_t slot;
		uint32_t frame;
		bool called;
	} * way;
	size_t way_capacity;
};

/* Copies a stack of `from`, and returns its id in `to`. Returns 0 if the stack is undefined, or if
 * it is not copied because of `except`. If memory is exhausted, returns 0 and sets *failed. */
uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed);
/* Adds copies of the innermost frames of the stack, at most `most`, to the stack `onto` of `to`.
 * Returns the new stack. If memory is exhausted, returns 0 and sets *failed. The time of each call
 * is proportional to the number of frames. */
uint32_t pk_stack_copy_onto(struct pk_stack_copy *copy, uint32_t onto, uint32_t stack, size_t most,
			    bool *failed);
/* Copies a frame of `from`, and returns its id in `to`. Returns 0 if the frame is undefined. If
 * memory is exhausted, returns 0 and sets *failed. */
uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed);
/* Copies a frame of `from` with another address and without PK_FRAME_FUNCTION. Returns its id in
 * `to`. Returns 0 if the frame is undefined, or if memory is exhausted. */
uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address);
/* Call this function after one of the dictionaries was reset, cleared or replaced. */
void pk_stack_copy_forget(struct pk_stack_copy *copy);
void pk_stack_copy_free(struct pk_stack_copy *copy);

#endif
