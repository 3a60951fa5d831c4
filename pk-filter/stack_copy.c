// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "stack_copy.h"
#include "vector.h"

/* 0 for an undefined id, or if memory is exhausted. */
static uint32_t copy_string(struct stack_copy *copy, uint32_t id, bool *failed)
{
	const char *text;
	size_t size;
	uint32_t made;

	text = pk_dictionary_get_string(copy->from, id, &size);
	if (!text)
		return 0;
	made = pk_dictionary_string(copy->to, text, size);
	*failed |= !made;
	return made;
}

static uint32_t copy_dso(struct stack_copy *copy, uint32_t id, bool *failed)
{
	const struct pk_dso *there = pk_dictionary_get_dso(copy->from, id);
	struct pk_dso dso;
	uint32_t made;

	if (!there)
		return 0;
	dso = *there;
	dso.path = copy_string(copy, dso.path, failed);
	made = pk_dictionary_dso(copy->to, &dso);
	*failed |= !made;
	return made;
}

static uint32_t copy_frame(struct stack_copy *copy, uint32_t id, bool *failed)
{
	const struct pk_frame *there = pk_dictionary_get_frame(copy->from, id);
	uint32_t index = id - pk_dictionary_frames(copy->from).base - 1;
	struct pk_frame frame;

	if (!there)
		return 0;
	if (!pk_extend(&copy->frames, &copy->frames_count, index)) {
		*failed = true;
		return 0;
	}
	if (copy->frames[index])
		return copy->frames[index];
	frame = *there;
	frame.dso = copy_dso(copy, frame.dso, failed);
	frame.function = copy_string(copy, frame.function, failed);
	frame.file = copy_string(copy, frame.file, failed);
	copy->frames[index] = pk_dictionary_frame(copy->to, &frame);
	*failed |= !copy->frames[index];
	return copy->frames[index];
}

uint32_t stack_copy(struct stack_copy *copy, uint32_t stack, bool *failed)
{
	const struct pk_id_range range = pk_dictionary_stacks(copy->from);
	uint32_t index = stack - range.base - 1, parent = 0;
	size_t length = 0;

	if (index >= range.count)
		return 0;
	if (!pk_extend(&copy->stacks, &copy->stacks_count, index)) {
		*failed = true;
		return 0;
	}
	while (index < range.count && !copy->stacks[index]) {
		if (!pk_extend(&copy->way, &copy->way_capacity, length)) {
			*failed = true;
			return 0;
		}
		copy->way[length++] = index;
		index = pk_dictionary_get_stack(copy->from, range.base + 1 + index)->parent -
			range.base - 1;
	}
	if (index < range.count)
		parent = copy->stacks[index];
	while (length && !*failed) {
		index = copy->way[--length];
		parent = pk_dictionary_stack(
			copy->to, parent,
			copy_frame(
				copy,
				pk_dictionary_get_stack(copy->from, range.base + 1 + index)->frame,
				failed));
		*failed |= !parent;
		copy->stacks[index] = parent;
	}
	return parent;
}

/* Freed, not cleared: clearing a large table again and again would be slow. */
void stack_copy_forget(struct stack_copy *copy)
{
	free(copy->stacks);
	free(copy->frames);
	copy->stacks = copy->frames = NULL;
	copy->stacks_count = copy->frames_count = 0;
}

void stack_copy_free(struct stack_copy *copy)
{
	stack_copy_forget(copy);
	free(copy->way);
	*copy = (struct stack_copy){0};
}
