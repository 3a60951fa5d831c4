// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkprivate.h"
#include "span_stacks.h"

#define MEMORY_MAX ((size_t)256 << 20) /* limit for the memory of the new dictionary, in bytes */

/* The greatest number of frames of a joined stack. The callchain of a record has fewer frames, even
 * with inlined functions. Stacks of a stream can be deeper, but joining takes time for each frame
 * and for each pair of stacks. */
#define DEPTH_MAX ((size_t)16384)

static const char separator[] = "--";

enum pk_status pk_span_stacks_init(struct pk_span_stacks *stacks, const struct pk_dictionary *from,
				   struct pk_writer *writer)
{
	stacks->copy.from = from;
	stacks->copy.to = pk_dictionary_new(writer);
	return stacks->copy.to ? PK_OK : PK_NOMEM;
}

void pk_span_stacks_free(struct pk_span_stacks *stacks)
{
	pk_table_free(&stacks->joined);
	pk_dictionary_free(stacks->copy.to);
	pk_stack_copy_free(&stacks->copy);
}

void pk_span_stacks_forget(struct pk_span_stacks *stacks)
{
	pk_stack_copy_forget(&stacks->copy);
	pk_table_free(&stacks->joined);
}

void pk_span_stacks_clear(struct pk_span_stacks *stacks)
{
	pk_span_stacks_forget(stacks);
	pk_dictionary_clear(stacks->copy.to);
	stacks->separator = 0;
}

void pk_span_stacks_limit(struct pk_span_stacks *stacks)
{
	if (pk_dictionary_memory(stacks->copy.to) <= MEMORY_MAX)
		return;
	pk_span_stacks_forget(stacks);
	(void)pk_dictionary_reset(stacks->copy.to); /* the writer remembers its error */
	stacks->separator = 0;
}

uint32_t pk_span_stacks_copy(struct pk_span_stacks *stacks, uint32_t stack, bool *failed)
{
	return pk_stack_copy(&stacks->copy, stack, failed);
}

/* Returns the id of the separator frame. The frame has the flag PK_FRAME_COMM, because it is no
 * code, like the frame with the name of a thread. */
static uint32_t separator_of(struct pk_span_stacks *stacks)
{
	struct pk_dictionary *to = stacks->copy.to;
	struct pk_frame frame = {.flags = PK_FRAME_COMM};

	if (stacks->separator)
		return stacks->separator;
	frame.function = pk_dictionary_string(to, separator, sizeof(separator) - 1);
	if (frame.function)
		stacks->separator = pk_dictionary_frame(to, &frame);
	return stacks->separator;
}

static uint32_t make(struct pk_span_stacks *stacks, uint32_t start, uint32_t end)
{
	const uint32_t frame = separator_of(stacks);
	bool failed = false;
	uint32_t stack = pk_stack_copy(&stacks->copy, start, &failed);

	if (failed || !frame)
		return 0;
	stack = pk_dictionary_stack(stacks->copy.to, stack, frame);
	stack = stack ? pk_stack_copy_onto(&stacks->copy, stack, end, DEPTH_MAX, &failed) : 0;
	return failed ? 0 : stack;
}

uint32_t pk_span_stacks_join(struct pk_span_stacks *stacks, uint32_t start, uint32_t end,
			     bool *failed)
{
	const uint64_t key = (uint64_t)start << 32 | end;
	uint32_t stack;

	if (!pk_dictionary_get_stack(stacks->copy.from, start))
		return pk_stack_copy(&stacks->copy, end, failed);
	if (!pk_dictionary_get_stack(stacks->copy.from, end))
		return pk_stack_copy(&stacks->copy, start, failed);
	stack = (uint32_t)pk_table_get_u64(&stacks->joined, key);
	if (stack)
		return stack;
	stack = make(stacks, start, end);
	*failed |= !stack || pk_table_set_u64(&stacks->joined, key, stack) != PK_OK;
	return stack;
}
