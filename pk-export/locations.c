// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "locations.h"
#include "vector.h"

/* More functions that are inlined at one address become another location: a stream can claim any
 * number. */
#define RUN_MAX 256

/* 0: out of memory. */
static uint32_t add_run(struct locations *locations, const uint32_t *frames, size_t count)
{
	uint32_t *number;

	if (count > 1)
		return pk_texts_add(&locations->runs, (const char *)frames,
				    count * sizeof(*frames));
	if (!pk_extend(&locations->of_frames, &locations->of_frames_count, frames[0]))
		return 0;
	number = &locations->of_frames[frames[0]];
	if (!*number)
		*number = pk_texts_add(&locations->runs, (const char *)frames, sizeof(*frames));
	return *number;
}

static bool add_location(struct locations *locations, struct location_list *list,
			 const uint32_t *frames, size_t count)
{
	const uint32_t number = add_run(locations, frames, count);

	list->numbers[list->count++] = number;
	return number;
}

bool locations_of(struct locations *locations, uint32_t id, struct location_list *list)
{
	const struct pk_dictionary *names = locations->names;
	const struct pk_stack *stack = pk_dictionary_get_stack(names, id);
	const struct pk_frame *frame;
	uint32_t run[RUN_MAX];
	size_t count = 0;

	list->count = 0;
	list->cut = false;
	for (; stack; stack = pk_dictionary_get_stack(names, stack->parent)) {
		frame = pk_dictionary_get_frame(names, stack->frame);
		if (!frame || frame->flags & PK_FRAME_COMM)
			continue;
		list->cut = list->count == PK_PATH_DEPTH_MAX ||
			    (!pk_allowance_spend(locations->allowance, PK_COST_STEP) && !count &&
			     list->count >= PK_STACK_SHORT);
		if (list->cut)
			return true;
		run[count++] = stack->frame;
		if (frame->flags & PK_FRAME_INLINED && count < RUN_MAX)
			continue;
		if (!add_location(locations, list, run, count))
			return false;
		count = 0;
	}
	return !count || list->count == PK_PATH_DEPTH_MAX ||
	       add_location(locations, list, run, count);
}

const uint32_t *locations_frames(const struct locations *locations, uint32_t number, size_t *count)
{
	const char *frames = pk_texts_get(&locations->runs, number, count);

	*count = frames ? *count / sizeof(uint32_t) : 0;
	return (const void *)frames;
}

void locations_free(struct locations *locations)
{
	pk_texts_free(&locations->runs);
	free(locations->of_frames);
}
