/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_WALK_H
#define PK_STACK_WALK_H

/* Walks over the frames of a stack, starting with the innermost frame. */

#include "pkstream.h"

/* What a frame of a stack is. */
enum pk_frame_kind {
	PK_FRAME_IS_CODE, /* a function or an address */
	PK_FRAME_IS_CUT,  /* a marker for missing callers */
	PK_FRAME_IS_TEXT, /* a text between frames of code, such as between the two stacks of a span
			   */
	PK_FRAME_IS_TASK, /* the name of the thread, which is the root */
	PK_FRAME_IS_NONE, /* the definition of the frame is invalid; a walk ends here, as at the
			   * root */
};

/* Returns the kind of a frame. `frame` is the frame of the stack, or NULL if it is undefined. */
static inline enum pk_frame_kind pk_frame_kind(const struct pk_stack *stack,
					       const struct pk_frame *frame)
{
	if (!frame)
		return PK_FRAME_IS_NONE;
	if (!(frame->flags & (PK_FRAME_COMM | PK_FRAME_TRUNCATED)))
		return PK_FRAME_IS_CODE;
	if (frame->flags & PK_FRAME_COMM && !stack->parent)
		return PK_FRAME_IS_TASK;
	return frame->flags & PK_FRAME_TRUNCATED ? PK_FRAME_IS_CUT : PK_FRAME_IS_TEXT;
}

/* A position in a stack. */
struct pk_stack_walk {
	const struct pk_dictionary *dictionary;
	uint32_t rest; /* id of the stack whose innermost frame comes next in the walk; 0 at the end
			*/
	/* pk_stack_next() sets the following members. */
	uint32_t stack, id; /* the id of the stack, and the id of its frame */
	const struct pk_frame *frame;
	enum pk_frame_kind kind; /* PK_FRAME_IS_CODE, _CUT or _TEXT */
};

static inline struct pk_stack_walk pk_stack_walk(const struct pk_dictionary *dictionary,
						 uint32_t stack)
{
	return (struct pk_stack_walk){.dictionary = dictionary, .rest = stack};
}

/* Moves to the next frame. Returns false if there are no more frames except the name of the thread.
 */
static inline bool pk_stack_next(struct pk_stack_walk *walk)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(walk->dictionary, walk->rest);

	walk->stack = walk->rest;
	if (!stack)
		return false;
	walk->rest = stack->parent;
	walk->id = stack->frame;
	walk->frame = pk_dictionary_get_frame(walk->dictionary, stack->frame);
	walk->kind = pk_frame_kind(stack, walk->frame);
	return walk->kind < PK_FRAME_IS_TASK;
}

/* Returns true if the frame is code and is not inlined into another frame. */
static inline bool pk_is_function(const struct pk_stack_walk *walk)
{
	return walk->kind == PK_FRAME_IS_CODE && !(walk->frame->flags & PK_FRAME_INLINED);
}

#endif
