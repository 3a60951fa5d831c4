// SPDX-License-Identifier: BSD-2-Clause
#include "stack_frames.h"

void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(names, id);
	const struct pk_frame *frame;

	frames->count = 0;
	frames->cut = false;
	for (; stack; stack = pk_dictionary_get_stack(names, stack->parent)) {
		frame = pk_dictionary_get_frame(names, stack->frame);
		if (!frame || frame->flags & PK_FRAME_COMM)
			continue;
		frames->cut = frames->count == PK_PATH_DEPTH_MAX ||
			      (allowance && !pk_allowance_spend(allowance, PK_COST_STEP) &&
			       frames->count >= PK_STACK_SHORT);
		if (frames->cut)
			return;
		frames->ids[frames->count++] = stack->frame;
	}
}
