// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "stack_copy.h"
#include "stacks.h"
#include "vector.h"

/* A flag of the ids in pk_stack_copy.frames. It marks frames that edit() leaves out. Ids are so
 * small that they never have this bit. */
#define LEFT_OUT (UINT32_C(1) << 31)
/* In pk_stack_copy.stacks: the stack is not copied, because a frame has a flag of `except`. */
#define NOT_COPIED UINT32_MAX

/* Copies a string, and returns its id in `to`. Returns 0 if the id is undefined. If memory is
 * exhausted, returns 0 and sets *failed. */
static uint32_t copy_string(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	const uint32_t index = id - pk_dictionary_strings(copy->from).base - 1;
	const char *text;
	size_t size;

	text = pk_dictionary_get_string(copy->from, id, &size);
	if (!text)
		return 0;
	if (pk_extend(&copy->strings, &copy->strings_count, index) != PK_OK) {
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
	if (pk_extend(&copy->dsos, &copy->dsos_count, index) != PK_OK) {
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

/* Copies the DSO and the strings of *frame, and replaces their ids by the ids in `to`. Returns
 * PK_NOMEM if memory is exhausted. */
static enum pk_status translate_frame(struct pk_stack_copy *copy, struct pk_frame *frame)
{
	bool failed = false;

	frame->dso = copy_dso(copy, frame->dso, &failed);
	frame->function = copy_string(copy, frame->function, &failed);
	frame->file = copy_string(copy, frame->file, &failed);
	return failed ? PK_NOMEM : PK_OK;
}

uint32_t pk_stack_copy_frame_at(struct pk_stack_copy *copy, uint32_t id, uint64_t address)
{
	const struct pk_frame *there = pk_dictionary_get_frame(copy->from, id);
	struct pk_frame frame;

	if (!there)
		return 0;
	frame = *there;
	if (translate_frame(copy, &frame) != PK_OK)
		return 0;
	frame.address = address;
	frame.flags &= ~PK_FRAME_FUNCTION;
	return pk_dictionary_frame(copy->to, &frame);
}

/* Returns the index in pk_stack_copy.stacks or pk_stack_copy.frames. */
static size_t slot_of(const struct pk_stack_copy *copy, uint32_t index, bool called)
{
	return copy->calls ? 2 * (size_t)index + called : index;
}

/* Copies a frame. Returns its id in `to`, with the flag LEFT_OUT if edit() leaves the frame out.
 * Returns 0 if the id is undefined. If memory is exhausted, returns 0 and sets *failed. */
static uint32_t copy_frame(struct pk_stack_copy *copy, uint32_t id, bool called, bool *failed)
{
	const struct pk_frame *there = pk_dictionary_get_frame(copy->from, id);
	const size_t slot = slot_of(copy, id - pk_dictionary_frames(copy->from).base - 1, called);
	struct pk_frame frame;
	bool keep = true;

	if (!there)
		return 0;
	if (pk_extend(&copy->frames, &copy->frames_count, slot) != PK_OK) {
		*failed = true;
		return 0;
	}
	if (copy->frames[slot])
		return copy->frames[slot];
	frame = *there;
	frame.address = pk_call_address(frame.address, frame.symbol_start, called);
	if (copy->edit)
		keep = copy->edit(copy->arg, &frame);
	if (translate_frame(copy, &frame) == PK_OK)
		copy->frames[slot] = pk_dictionary_frame(copy->to, &frame);
	*failed |= !copy->frames[slot];
	if (!keep && copy->frames[slot])
		copy->frames[slot] |= LEFT_OUT;
	return copy->frames[slot];
}

uint32_t pk_stack_copy_frame(struct pk_stack_copy *copy, uint32_t id, bool *failed)
{
	return copy_frame(copy, id, false, failed) & ~LEFT_OUT;
}

/* Adds a frame of `from` to a stack of `to`. Returns the new stack. If memory is exhausted, returns
 * 0 and sets *failed. */
static uint32_t add_frame(struct pk_stack_copy *copy, uint32_t parent,
			  const struct pk_copy_step *step, bool *failed)
{
	const uint32_t frame = copy_frame(copy, step->frame, step->called, failed);

	if (frame & LEFT_OUT && parent)
		return parent;
	parent = *failed ? 0 : pk_dictionary_stack(copy->to, parent, frame & ~LEFT_OUT);
	*failed |= !parent;
	return parent;
}

static bool is_excepted(const struct pk_stack_copy *copy, uint32_t id)
{
	const struct pk_frame *frame =
		copy->except ? pk_dictionary_get_frame(copy->from, id) : NULL;

	return frame && frame->flags & copy->except;
}

/* Stores the stack and its callers in `way`, and returns how many stacks it has stored. If *parent
 * is set, stores at most `most` stacks. Otherwise stores all stacks up to the first caller that is
 * already copied, and sets *parent to the copy of this caller. */
static size_t find_way(struct pk_stack_copy *copy, uint32_t id, size_t most, uint32_t *parent,
		       bool *failed)
{
	const uint32_t base = pk_dictionary_stacks(copy->from).base;
	const bool afresh = *parent;
	const struct pk_stack *stack;
	bool called = false;
	size_t length = 0;

	for (; length < most && (stack = pk_dictionary_get_stack(copy->from, id));
	     id = stack->parent) {
		const size_t slot = slot_of(copy, id - base - 1, called);

		*failed |= pk_extend(&copy->stacks, &copy->stacks_count, slot) != PK_OK ||
			   pk_extend(&copy->way, &copy->way_capacity, length) != PK_OK;
		if (*failed)
			break;
		if (!afresh && !copy->stacks[slot] && is_excepted(copy, stack->frame))
			copy->stacks[slot] = NOT_COPIED;
		if (!afresh)
			*parent = copy->stacks[slot];
		if (!afresh && *parent)
			break;
		copy->way[length++] = (struct pk_copy_step){slot, stack->frame, called};
		called = copy->calls && copy->calls(copy->arg, stack, called);
	}
	return length;
}

uint32_t pk_stack_copy(struct pk_stack_copy *copy, uint32_t stack, bool *failed)
{
	const uint32_t base = pk_dictionary_stacks(copy->from).base;
	const size_t slot = slot_of(copy, stack - base - 1, false);
	uint32_t parent = slot < copy->stacks_count ? copy->stacks[slot] : 0;
	size_t length;

	if (pk_likely(parent))
		return parent == NOT_COPIED ? 0 : parent;
	length = find_way(copy, stack, SIZE_MAX, &parent, failed);
	while (length-- && !*failed) {
		if (parent != NOT_COPIED)
			parent = add_frame(copy, parent, &copy->way[length], failed);
		copy->stacks[copy->way[length].slot] = parent;
	}
	return *failed || parent == NOT_COPIED ? 0 : parent;
}

uint32_t pk_stack_copy_onto(struct pk_stack_copy *copy, uint32_t onto, uint32_t stack, size_t most,
			    bool *failed)
{
	size_t length = find_way(copy, stack, most, &onto, failed);

	while (length-- && !*failed)
		onto = add_frame(copy, onto, &copy->way[length], failed);
	return *failed ? 0 : onto;
}

/* Frees the arrays instead of clearing them, because clearing large arrays again and again would be
 * slow. */
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
