// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "exact_stacks.h"
#include "resolve.h"
#include "session.h"
#include "vector.h"

/* In exact_copy.id of stacks: some frames stand for functions. */
#define NOT_EXACT UINT32_MAX

#define MODES (PK_FRAME_KERNEL | PK_FRAME_USER | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR)

bool pk_exact_interrupts(struct pk_exact_stacks *exact, uint32_t id, bool *failed)
{
	const struct pk_dictionary *from = exact->copy->from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, id);
	const uint32_t index = id - pk_dictionary_frames(from).base - 1;
	const char *function;

	if (!frame || !pk_extend(&exact->interrupts, &exact->interrupts_count, index)) {
		*failed |= frame != NULL;
		return false;
	}
	if (!exact->interrupts[index]) {
		function = pk_dictionary_get_string(from, frame->function, NULL);
		exact->interrupts[index] =
			1 + (function && pk_resolver_interrupts(function, frame->flags));
	}
	return exact->interrupts[index] == 2;
}

/* The copy of a frame. 0: *failed. */
static uint32_t copy_frame(struct pk_exact_stacks *exact, uint32_t id, bool called, bool *failed)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(exact->copy->from, id);
	const uint32_t index = id - pk_dictionary_frames(exact->copy->from).base - 1;
	uint32_t *made;

	if (!pk_extend(&exact->frames, &exact->frames_count, index)) {
		*failed = true;
		return 0;
	}
	made = &exact->frames[index].id[called];
	if (!*made && called)
		*made = pk_stack_copy_frame_at(
			exact->copy, id,
			pk_call_address(frame->address, frame->symbol_start, exact->calls));
	else if (!*made)
		*made = pk_stack_copy_frame(exact->copy, id, failed);
	*failed |= !*made;
	return *made;
}

/* Whether the frame has no address. */
static bool is_other(const struct pk_frame *frame)
{
	return !frame || frame->flags & (PK_FRAME_COMM | PK_FRAME_TRUNCATED);
}

/* Whether the address of the stack's caller is a return address. Between the modes of a processor
 * there are no calls. An inlined frame has the address of the frame that it is inlined into. */
static bool calls_next(struct pk_exact_stacks *exact, const struct pk_stack *stack, bool called,
		       bool *failed)
{
	const struct pk_dictionary *from = exact->copy->from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, stack->frame), *caller;
	const struct pk_stack *parent = pk_dictionary_get_stack(from, stack->parent);

	if (!parent || is_other(frame) || frame->flags & PK_FRAME_INLINED)
		return called;
	caller = pk_dictionary_get_frame(from, parent->frame);
	return caller && !((caller->flags ^ frame->flags) & MODES) &&
	       !pk_exact_interrupts(exact, stack->frame, failed);
}

/* Stores the stack and its callers in `way`, up to one that is known, whose copy is *known. Returns
 * their number. */
static size_t find_way(struct pk_exact_stacks *exact, uint32_t id, uint32_t *known, bool *failed)
{
	const struct pk_dictionary *from = exact->copy->from;
	const struct pk_id_range range = pk_dictionary_stacks(from);
	const struct pk_stack *stack;
	const struct pk_frame *frame;
	bool called = false;
	size_t length = 0;

	*known = 0;
	for (; (stack = pk_dictionary_get_stack(from, id)) && !*failed; id = stack->parent) {
		const uint32_t index = id - range.base - 1;

		*failed |= !pk_extend(&exact->stacks, &exact->stacks_count, index) ||
			   !pk_extend(&exact->way, &exact->way_capacity, length);
		if (*failed)
			break;
		frame = pk_dictionary_get_frame(from, stack->frame);
		*known = frame && frame->flags & PK_FRAME_FUNCTION
				 ? NOT_EXACT
				 : exact->stacks[index].id[called];
		if (*known)
			break;
		exact->way[length++] = (struct exact_way){index, called};
		called = calls_next(exact, stack, called, failed);
	}
	return length;
}

uint32_t pk_exact_stack(struct pk_exact_stacks *exact, uint32_t stack, bool *failed)
{
	const uint32_t base = pk_dictionary_stacks(exact->copy->from).base;
	uint32_t id, frame;
	size_t length = find_way(exact, stack, &id, failed);

	while (length-- && !*failed) {
		const struct exact_way *way = &exact->way[length];

		stack = pk_dictionary_get_stack(exact->copy->from, base + 1 + way->index)->frame;
		if (id != NOT_EXACT && pk_dictionary_get_frame(exact->copy->from, stack)) {
			frame = copy_frame(exact, stack, way->called, failed);
			id = *failed ? 0 : pk_dictionary_stack(exact->copy->to, id, frame);
			*failed |= !id;
		}
		exact->stacks[way->index].id[way->called] = id;
	}
	return *failed || id == NOT_EXACT ? 0 : id;
}

void pk_exact_forget(struct pk_exact_stacks *exact)
{
	free(exact->stacks);
	free(exact->frames);
	free(exact->interrupts);
	exact->stacks = exact->frames = NULL;
	exact->interrupts = NULL;
	exact->stacks_count = exact->frames_count = exact->interrupts_count = 0;
}

void pk_exact_free(struct pk_exact_stacks *exact)
{
	pk_exact_forget(exact);
	free(exact->way);
}
