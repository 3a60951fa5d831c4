// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "tidy.h"
#include "unfold.h"

/* What a frame is called: one name, but for functions that tell of inlined calls. */
struct names {
	uint32_t at, count; /* in unfolding.names; count 0: not yet worked out */
};

struct unfolding {
	struct tree *tree;
	const struct pk_dictionary *dictionary;
	bool addresses;
	struct text text;
	uint32_t *names; /* numbers in the tree */
	size_t names_count, names_capacity;
	struct names *frames; /* two each: for java, and for other programs */
	uint32_t *nodes;      /* by stack */
	bool *java;	      /* by stack */
	struct pk_id_range stack_ids, frame_ids;
};

static bool add_name(struct unfolding *u, const char *name, size_t size)
{
	uint32_t number = tree_name(u->tree, name, size);

	if (u->names_count == u->names_capacity) {
		size_t capacity = 2 * u->names_capacity + 1024;
		uint32_t *names = realloc(u->names, capacity * sizeof(*names));

		if (!names)
			return false;
		u->names = names;
		u->names_capacity = capacity;
	}
	u->names[u->names_count++] = number;
	return number != 0;
}

/* NULL: out of memory. */
static const struct names *names_of(struct unfolding *u, uint32_t id, const struct pk_frame *frame,
				    bool java)
{
	struct names *names = &u->frames[2 * (size_t)(id - u->frame_ids.base - 1) + java];
	size_t at = 0;

	if (names->count)
		return names;
	tidy_frame(&u->text, u->dictionary, frame, java, u->addresses);
	if (u->text.failed)
		return NULL;
	names->at = (uint32_t)u->names_count;
	while (at < u->text.size) {
		size_t size = strlen(u->text.data + at);

		if (!add_name(u, u->text.data + at, size))
			return NULL;
		at += size + 1;
		names->count++;
	}
	return names;
}

static uint32_t comm_node(struct unfolding *u, const struct pk_frame *frame, bool *java)
{
	size_t size = 0;
	const char *comm = pk_dictionary_get_string(u->dictionary, frame->function, &size);

	tidy_comm(&u->text, comm ? comm : "", size);
	*java = u->text.size >= 4 && !memcmp(u->text.data, "java", 4);
	return u->text.failed
		       ? 0
		       : tree_node(u->tree, 0, u->text.data ? u->text.data : "", u->text.size);
}

/* The node of a stack, whose parent has one already. */
static uint32_t find_node(struct unfolding *u, uint32_t index, const struct pk_stack *stack)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(u->dictionary, stack->frame);
	uint32_t node = 0, parent = stack->parent - u->stack_ids.base - 1;
	const struct names *names;

	if (!frame)
		return tree_node(u->tree, 0, "[unknown]", 9);
	if (frame->flags & PK_FRAME_COMM && !stack->parent)
		return comm_node(u, frame, &u->java[index]);
	if (stack->parent) {
		node = u->nodes[parent];
		u->java[index] = u->java[parent];
	}
	names = names_of(u, stack->frame, frame, u->java[index]);
	if (!names)
		return 0;
	for (uint32_t i = 0; i < names->count; i++) {
		node = tree_child(u->tree, node, u->names[names->at + i]);
		if (!node)
			return 0;
	}
	return node;
}

static bool add_weights(struct unfolding *u, const uint64_t *weights, uint32_t count)
{
	for (uint32_t i = 0; i < u->stack_ids.count; i++) {
		uint32_t id = u->stack_ids.base + 1 + i;

		u->nodes[i] = find_node(u, i, pk_dictionary_get_stack(u->dictionary, id));
		if (!u->nodes[i])
			return false;
		if (i < count && weights[i] && !tree_add(u->tree, u->nodes[i], weights[i]))
			return false;
	}
	return true;
}

bool unfold(struct tree *tree, const struct pk_dictionary *dictionary, const uint64_t *weights,
	    uint32_t count, bool addresses)
{
	struct unfolding u = {
		.tree = tree,
		.dictionary = dictionary,
		.addresses = addresses,
		.stack_ids = pk_dictionary_stacks(dictionary),
		.frame_ids = pk_dictionary_frames(dictionary),
	};
	bool done;

	if (!u.stack_ids.count)
		return true;
	u.frames = calloc(2 * ((size_t)u.frame_ids.count + 1), sizeof(*u.frames));
	u.nodes = calloc(u.stack_ids.count, sizeof(*u.nodes));
	u.java = calloc(u.stack_ids.count, sizeof(*u.java));
	done = u.frames && u.nodes && u.java && add_weights(&u, weights, count);
	free(u.text.data);
	free(u.names);
	free(u.frames);
	free(u.nodes);
	free(u.java);
	return done;
}
