/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LEAF_STACKS_H
#define PK_LEAF_STACKS_H

/* A cache of stacks that have only the name of a thread and the frames of one address: for programs
 * that need no callers. Different addresses of a function have the same stack. */

#include "frames.h"

/* All zero: empty. */
struct pk_leaf_stacks {
	struct pk_leaf_stack *entries; /* NULL: none yet, or no memory */
	uint64_t generation;	       /* of the frames (pk_frames.generation) */
};

/* The id of the stack; 0: out of memory. found: the latest result of pk_frames_find(), or no
 * frames. */
uint32_t pk_leaf_stack_of(struct pk_leaf_stacks *stacks, struct pk_frames *frames,
			  const struct pk_session *session, uint32_t comm,
			  const struct pk_found_frame *found);
void pk_leaf_stacks_forget(struct pk_leaf_stacks *stacks);

#endif
