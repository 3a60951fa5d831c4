// SPDX-License-Identifier: BSD-2-Clause
#include "stack_frames.h"

void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t id)
{
	struct pk_stack_walk walk = pk_stack_walk(names, id);

	frames->count = 0;
	frames->cut = false;
	while (pk_stack_next(&walk)) {
		if (walk.kind == PK_FRAME_IS_TEXT)
			continue;
		frames->cut = frames->count == PK_PATH_DEPTH_MAX ||
			      (allowance && !pk_allowance_spend(allowance, PK_COST_STEP) &&
			       frames->count >= PK_STACK_SHORT);
		if (frames->cut)
			return;
		frames->ids[frames->count++] = walk.id;
	}
}
