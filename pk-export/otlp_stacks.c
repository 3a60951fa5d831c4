// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "otlp_stacks.h"
#include "paths.h"
#include "protobuf.h"
#include "vector.h"

/* More functions that are inlined at one address become another location: a stream can claim any
 * number. */
#define RUN_MAX 256

#define FAILED UINT32_MAX

/* The frames of a stack's innermost location: a function with those that are inlined there. */
struct run {
	uint32_t frames[RUN_MAX]; /* innermost first */
	size_t count;		  /* 0: the stack has no locations */
	uint32_t caller;	  /* the rest of the stack; 0: none */
};

static void read_run(const struct pk_dictionary *names, uint32_t id, struct run *run)
{
	const struct pk_stack *stack;
	const struct pk_frame *frame;

	run->count = 0;
	run->caller = 0;
	while ((stack = pk_dictionary_get_stack(names, id))) {
		id = stack->parent;
		frame = pk_dictionary_get_frame(names, stack->frame);
		if (!frame || frame->flags & PK_FRAME_COMM)
			continue;
		run->frames[run->count++] = stack->frame;
		if (frame->flags & PK_FRAME_INLINED && run->count < RUN_MAX)
			continue;
		run->caller = id;
		return;
	}
}

/* The node of a location that a stack calls. FAILED: out of memory. */
static uint32_t child_of(struct otlp_stacks *stacks, uint32_t parent, uint32_t location)
{
	const uint64_t key = (uint64_t)parent << 32 | location;
	const uint64_t known = pk_table_get_u64(&stacks->numbers, key);

	if (known)
		return (uint32_t)known;
	if (!stacks->count)
		stacks->count = 1;
	if (location == FAILED || stacks->count >= FAILED || !pk_vector_reserve(stacks, 1) ||
	    !pk_table_set_u64(&stacks->numbers, key, stacks->count))
		return FAILED;
	stacks->items[stacks->count] = (struct otlp_node){
		.parent = parent,
		.location = location,
		.depth = (parent ? stacks->items[parent].depth : 0) + 1,
	};
	return (uint32_t)stacks->count++;
}

/* Item of of_stacks for a stack without locations, which has node 0. */
#define NO_LOCATIONS FAILED

static uint32_t known_node(const struct otlp_stacks *stacks, uint32_t stack)
{
	return stack < stacks->of_stacks_count ? stacks->of_stacks[stack] : 0;
}

static uint32_t node_of(struct otlp_stacks *stacks, const struct pk_dictionary *names, uint32_t id,
			otlp_location_fn *location, void *arg)
{
	size_t count = 0;
	uint32_t node;
	struct run run;

	for (; id && !known_node(stacks, id); id = run.caller) {
		if (!pk_reserve(&stacks->way, &stacks->way_capacity, count, 1,
				sizeof(*stacks->way)))
			return FAILED;
		stacks->way[count++] = id;
		read_run(names, id, &run);
	}
	node = id ? known_node(stacks, id) : 0;
	if (node == NO_LOCATIONS)
		node = 0;
	while (count && node != FAILED) {
		id = stacks->way[--count];
		read_run(names, id, &run);
		if (run.count)
			node = child_of(stacks, node, location(arg, run.frames, run.count));
		if (node == FAILED || !pk_extend(&stacks->of_stacks, &stacks->of_stacks_count, id))
			return FAILED;
		stacks->of_stacks[id] = node ? node : NO_LOCATIONS;
	}
	return node;
}

/* The number of locations in the list of a stack that has `depth`. */
static uint32_t depth_shown(struct otlp_stacks *stacks, uint32_t depth)
{
	if (depth > PK_PATH_DEPTH_MAX)
		depth = PK_PATH_DEPTH_MAX;
	if (depth > PK_STACK_SHORT &&
	    !pk_allowance_spend(stacks->allowance, (uint64_t)depth * PK_COST_STEP))
		return PK_STACK_SHORT;
	return depth;
}

uint32_t otlp_stacks_index(struct otlp_stacks *stacks, const struct pk_dictionary *names,
			   uint32_t stack, otlp_location_fn *location, void *arg, bool *cut)
{
	const uint32_t number = node_of(stacks, names, stack, location, arg);
	struct otlp_node *node;

	*cut = false;
	if (!number || number == FAILED)
		return number;
	node = &stacks->items[number];
	if (!node->index) {
		node->shown = depth_shown(stacks, node->depth);
		if (!pk_reserve(&stacks->listed, &stacks->listed_capacity, stacks->listed_count, 1,
				sizeof(*stacks->listed)))
			return FAILED;
		stacks->listed[stacks->listed_count++] = number;
		node->index = (uint32_t)stacks->listed_count;
	}
	*cut = node->depth > node->shown;
	return node->index;
}

void otlp_stacks_locations(const struct otlp_stacks *stacks, size_t index, struct buffer *out)
{
	uint32_t number = stacks->listed[index - 1], left = stacks->items[number].shown;

	for (; number && left; left--) {
		protobuf_varint(out, stacks->items[number].location);
		number = stacks->items[number].parent;
	}
}

void otlp_stacks_free(struct otlp_stacks *stacks)
{
	pk_table_free(&stacks->numbers);
	free(stacks->items);
	free(stacks->of_stacks);
	free(stacks->listed);
	free(stacks->way);
}
