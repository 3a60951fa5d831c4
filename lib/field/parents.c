// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>

#include "parents.h"
#include "vector.h"

enum { DIFFERS = 1, MATCHES = 2 };

static bool matches(struct pk_context *context, uint32_t name)
{
	struct pk_parents *parents = context->parents;
	uint64_t verdict = pk_table_get_u64(&parents->verdicts, name);
	const char *text;

	if (verdict)
		return verdict == MATCHES;
	text = pk_dictionary_get_string(pk_source_dictionary(&context->stacks), name, NULL);
	verdict = text && !fnmatch(parents->pattern, text, 0) ? MATCHES : DIFFERS;
	context->failed |= !pk_table_set_u64(&parents->verdicts, name, verdict);
	return verdict == MATCHES;
}

/* The name for a stack. That of its callers is known. */
static uint32_t find_name(struct pk_context *context, uint32_t index)
{
	const uint32_t base = pk_source_id(&context->stacks, 0);
	const struct pk_stack *stack =
		pk_dictionary_get_stack(pk_source_dictionary(&context->stacks), base + index);
	const struct pk_frame *frame =
		stack ? pk_dictionary_get_frame(pk_source_dictionary(&context->stacks),
						stack->frame)
		      : NULL;
	const uint32_t outer =
		stack && stack->parent ? context->parents->names[stack->parent - base] : 0;

	if (outer)
		return outer;
	if (!stack || pk_frame_kind(stack, frame) != PK_FRAME_IS_CODE || !frame->function)
		return 0;
	return matches(context, frame->function) ? frame->function : 0;
}

/* The callers' stacks are defined before a stack: their indexes are smaller. */
static bool parent_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	struct pk_parents *parents = context->parents;
	const uint32_t index =
		pk_source_symbolized(&context->stacks) ? pk_view_stack(view) : PK_NO_STACK;

	*key = 0;
	if (index == PK_NO_STACK)
		return true;
	if (parents->epoch != context->epoch) {
		parents->epoch = context->epoch;
		parents->count = 0;
		pk_table_clear(&parents->verdicts);
	}
	if (index >= parents->count &&
	    !pk_reserve(&parents->names, &parents->capacity, parents->count,
			index + (size_t)1 - parents->count, sizeof(*parents->names))) {
		context->failed = true;
		return false;
	}
	for (; parents->count <= index; parents->count++)
		parents->names[parents->count] = find_name(context, (uint32_t)parents->count);
	*key = parents->names[index];
	return true;
}

static const char *parent_text(struct pk_context *context, uint64_t key, size_t *size)
{
	static const char other[] = "[other]";
	const char *text = key ? pk_dictionary_get_string(pk_source_dictionary(&context->stacks),
							  (uint32_t)key, size)
			       : NULL;

	if (!text)
		*size = sizeof(other) - 1;
	return text ? text : other;
}

const struct pk_field pk_parent_field = {
	.name = "parent",
	.kind = PK_VALUE_TEXT,
	.needs = PK_NEED_STACKS | PK_NEED_CALLERS,
	.key = parent_key,
	.text = parent_text,
	.of_stack = true,
	.is_private = true,
	.about = "outermost function that matches --parent",
};

void pk_parents_free(struct pk_parents *parents)
{
	free(parents->names);
	pk_table_free(&parents->verdicts);
}
