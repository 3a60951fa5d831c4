// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "stack_copy.h"
#include "vector.h"

/* In pk_stack_copy.frames; ids are smaller. */
#define LEFT_OUT (UINT32_C(1) << 31)

/* Returns the id in `to`. 0: the id is undefined, or memory is exhausted, which sets *failed. */
static uint32_t copy_string(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	const uint32_t index = id - pk_dictionary_strings(copy->from).base - 1;
	const char *text;
	size_t size;

	text = pk_dictionary_get_string(copy->from, id, &size);
	if (!text)
		return 0;
	if (!pk_extend(&copy->strings, &copy->strings_count, index)) {
		*failed = true;
		return 0;
	}
	if (!copy->strings[index])
		copy->strings[index] = pk_dictionary_string(copy->to, text, size);
	*failed |= !copy->strings[index];
	return copy->strings[index];
}

static uint32_t copy_dso(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	const struct pk_dso *there = pk_dictionary_get_dso(copy->from, id);
	const uint32_t index = id - pk_dictionary_dsos(copy->from).base - 1;
	struct pk_dso dso;

	if (!there)
		return 0;
	if (!pk_extend(&copy->dsos, &copy->dsos_count, index)) {
		*failed = true;
		return 0;
	}
	if (!copy->dsos[index]) {
		dso = *there;
		dso.path = copy_string(copy, dso.path, failed);
		copy->dsos[index] = *failed ? 0 : pk_dictionary_dso(copy->to, &dso);
	}
	*failed |= !copy->dsos[index];
	return copy->dsos[index];
}

/* Replaces the ids of *frame by those in `to`. */
static bool translate_frame(struct pk_stack_copy *copy, struct pk_frame *frame)
{
	bool failed = false;

	frame->dso = copy_dso(copy, frame->dso, &failed);
	frame->function = copy_string(copy, frame->function, &failed);
	frame->file = copy_string(copy, frame->file, &failed);
	return !failed;
}

uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address)
{
	const struct pk_frame *there = pk_dictionary_get_frame(copy->from, id);
	struct pk_frame frame;

	if (!there)
		return 0;
	frame = *there;
	if (!translate_frame(copy, &frame))
		return 0;
	frame.address = address;
	frame.flags &= ~PK_FRAME_FUNCTION;
	return pk_dictionary_frame(copy->to, &frame);
}

/* The frame in `to`, with LEFT_OUT. */
static uint32_t copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	const struct pk_frame *there = pk_dictionary_get_frame(copy->from, id);
	uint32_t index = id - pk_dictionary_frames(copy->from).base - 1;
	struct pk_frame frame;
	bool keep = true;

	if (!there)
		return 0;
	if (!pk_extend(&copy->frames, &copy->frames_count, index)) {
		*failed = true;
		return 0;
	}
	if (copy->frames[index])
		return copy->frames[index];
	frame = *there;
	if (copy->edit)
		keep = copy->edit(copy->arg, &frame);
	if (translate_frame(copy, &frame))
		copy->frames[index] = pk_dictionary_frame(copy->to, &frame);
	*failed |= !copy->frames[index];
	if (!keep && copy->frames[index])
		copy->frames[index] |= LEFT_OUT;
	return copy->frames[index];
}

uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	return copy_frame(copy, id, failed) & ~LEFT_OUT;
}

/* Adds a frame of `from` below a stack of `to`. Returns the stack; 0: *failed. */
static uint32_t add_frame(struct pk_stack_copy *copy, uint32_t parent, uint32_t id, bool *failed)
{
	const uint32_t frame = copy_frame(copy, id, failed);

	if (frame & LEFT_OUT && parent)
		return parent;
	parent = *failed ? 0 : pk_dictionary_stack(copy->to, parent, frame & ~LEFT_OUT);
	*failed |= !parent;
	return parent;
}

uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed)
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
		parent = add_frame(
			copy, parent,
			pk_dictionary_get_stack(copy->from, range.base + 1 + index)->frame, failed);
		copy->stacks[index] = parent;
	}
	return parent;
}

/* Freed, not cleared: clearing a large table again and again would be slow. */
void pk_stack_copy_forget(struct pk_stack_copy *copy)
{
	free(copy->stacks);
	free(copy->frames);
	free(copy->dsos);
	free(copy->strings);
	copy->stacks = copy->frames = copy->dsos = copy->strings = NULL;
	copy->stacks_count = copy->frames_count = copy->dsos_count = copy->strings_count = 0;
}

void pk_stack_copy_free(struct pk_stack_copy *copy)
{
	pk_stack_copy_forget(copy);
	free(copy->way);
	*copy = (struct pk_stack_copy){0};
}
