/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_STACK_FRAMES_H
#define EXPORT_STACK_FRAMES_H

/* The frames of a stack, without those that are no code: the thread's name, and separators. */

#include "paths.h"
#include "stack_walk.h"

struct stack_frames {
	uint32_t ids[PK_PATH_DEPTH_MAX]; /* the leaf first */
	size_t count;
	bool cut; /* the stack has more callers */
};

/* Frames that are undefined are left out. allowance: what the frames may cost; NULL: anything. */
void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t stack);

/* More functions that are inlined at one address become another location: a stream can claim any
 * number. */
#define LOCATION_MAX 256

/* The frames of the next location, innermost first: a function with those that are inlined there.
 * 0: there are no more. */
static inline size_t stack_frames_location(struct pk_stack_walk *walk, uint32_t ids[LOCATION_MAX])
{
	size_t count = 0;

	while (count < LOCATION_MAX && pk_stack_next(walk)) {
		if (walk->kind == PK_FRAME_IS_TEXT)
			continue;
		ids[count++] = walk->id;
		if (!(walk->frame->flags & PK_FRAME_INLINED))
			break;
	}
	return count;
}

#endif
