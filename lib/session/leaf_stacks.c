// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "leaf_stacks.h"
#include "pkprivate.h"

/* Also with the same index in pk_frames.ids, ranges with a different number of frames differ. */
struct pk_leaf_stack {
	uint32_t comm, frames;
	uint32_t count; /* of frames; 0: the entry is free */
	uint32_t stack;
};

#define LEAVES_SHIFT 14 /* entries: 256 KiB */

void pk_leaf_stacks_forget(struct pk_leaf_stacks *stacks)
{
	free(stacks->entries);
	stacks->entries = NULL;
}

/* NULL: out of memory. */
static struct pk_leaf_stack *entry_of(struct pk_leaf_stacks *stacks, uint32_t comm, uint32_t frames)
{
	const uint64_t hash = ((uint64_t)comm << 32 | frames) * UINT64_C(0x9e3779b97f4a7c15);

	if (!stacks->entries)
		stacks->entries = calloc((size_t)1 << LEAVES_SHIFT, sizeof(*stacks->entries));
	return stacks->entries ? &stacks->entries[hash >> (64 - LEAVES_SHIFT)] : NULL;
}

/* 0: out of memory. */
static uint32_t make(struct pk_frames *frames, const struct pk_session *session, uint32_t comm,
		     const struct pk_code_range *range)
{
	const uint32_t name = pk_frames_comm(frames, session, comm);
	uint32_t stack = name ? pk_dictionary_stack(frames->dictionary, 0, name) : 0;

	for (uint32_t i = range->count; i-- && stack;)
		stack = pk_dictionary_stack(frames->dictionary, stack,
					    pk_frames_ids(frames, range)[i]);
	return stack;
}

uint32_t pk_leaf_stack_of(struct pk_leaf_stacks *stacks, struct pk_frames *frames,
			  const struct pk_session *session, uint32_t comm,
			  const struct pk_found_frame *found)
{
	const struct pk_code_range *range = &found->frames;
	struct pk_leaf_stack *entry;
	uint32_t stack;

	if (stacks->generation != frames->generation)
		pk_leaf_stacks_forget(stacks);
	stacks->generation = frames->generation;
	entry = entry_of(stacks, comm, range->frames);
	if (pk_likely(entry && entry->frames == range->frames && entry->comm == comm &&
		      entry->count == range->count && range->count))
		return entry->stack;
	stack = make(frames, session, comm, range);
	if (entry && stack && !found->retry)
		*entry = (struct pk_leaf_stack){comm, range->frames, range->count, stack};
	return stack;
}
