// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "leaves.h"
#include "pkutil.h"
#include "vector.h"

/* An object as the session's ids have it. */
struct known_object {
	uint32_t number; /* in the heat */
	uint64_t shift;
};

/* What is known of a stack's leaf. */
struct kept_leaf {
	uint32_t place; /* 0: none */
	uint16_t low;	/* bits of its address, which are those of the sample's own */
	uint8_t state;	/* enum kept_state */
	bool kernel;
};

enum kept_state {
	KEPT_NOT,	/* not looked up yet */
	KEPT_NO_CODE,	/* there is none: the sample's own address tells */
	KEPT_ELSEWHERE, /* its address is in terms of something else: it is not compared */
	KEPT,
};

#define LOW_BITS 0xfffu /* what maps keep, as they are of whole pages */

struct leaves {
	struct heat *heat;
	struct objects *objects;
	struct pk_dictionary *dictionary; /* the session's */
	/* Since the session began, or the dictionary began anew: */
	struct kept_leaf *leaves; /* by stack */
	size_t leaves_capacity;
	struct pk_table known; /* struct known_object by DSO id */
	struct located *located;
};

struct leaves *leaves_new(struct heat *heat, struct objects *objects)
{
	struct leaves *leaves = calloc(1, sizeof(*leaves));

	if (!leaves)
		return NULL;
	leaves->heat = heat;
	leaves->objects = objects;
	leaves->dictionary = pk_dictionary_new(NULL);
	leaves->located = located_new(heat, objects);
	if (leaves->dictionary && leaves->located)
		return leaves;
	leaves_free(leaves);
	return NULL;
}

static void forget(struct leaves *leaves)
{
	free(leaves->leaves);
	pk_table_free_all(&leaves->known);
	leaves->leaves = NULL;
	leaves->leaves_capacity = 0;
}

void leaves_free(struct leaves *leaves)
{
	if (!leaves)
		return;
	forget(leaves);
	located_free(leaves->located);
	pk_dictionary_free(leaves->dictionary);
	free(leaves);
}

void leaves_begin(struct leaves *leaves, struct pk_session *session)
{
	forget(leaves);
	pk_dictionary_clear(leaves->dictionary);
	objects_begin(leaves->objects, session);
	located_begin(leaves->located, session);
}

enum pk_status leaves_definition(struct leaves *leaves, const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_RESET: forget(leaves); return pk_dictionary_read(leaves->dictionary, record);
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK: return pk_dictionary_read(leaves->dictionary, record);
	default: return PK_OK;
	}
}

/* Room for the stack of that index; what is new is 0. */
static bool reserve(struct leaves *leaves, uint32_t index)
{
	return pk_extend(&leaves->leaves, &leaves->leaves_capacity, index);
}

/* Functions inlined into one another, far more than compilers do: each stack asks for its leaf. */
enum { INLINED_MAX = 1024 };

/* The innermost frame that is a function of its own, not inlined into the next: that has the same
 * address. NULL: it is not code. */
static const struct pk_frame *leaf_frame(const struct pk_dictionary *dictionary, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(dictionary, id);
	const struct pk_frame *frame =
		stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	const uint64_t address = frame ? frame->address : 0;
	unsigned int hops = 0;

	while (frame && frame->flags & PK_FRAME_INLINED && frame->address == address &&
	       hops++ < INLINED_MAX) {
		stack = stack->parent ? pk_dictionary_get_stack(dictionary, stack->parent) : NULL;
		frame = stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	}
	if (!frame || frame->flags & (PK_FRAME_INLINED | PK_FRAME_COMM | PK_FRAME_TRUNCATED) ||
	    frame->address != address)
		return NULL;
	return frame;
}

/* NULL: out of memory. */
static struct known_object *object_of(struct leaves *leaves, const struct pk_frame *frame,
				      uint32_t pid)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(leaves->dictionary, frame->dso);
	struct known_object *known =
		pk_table_get_or_add(&leaves->known, frame->dso, sizeof(*known));
	struct first_sight first = {
		.kernel = frame->flags & PK_FRAME_KERNEL, .address = frame->address, .pid = pid};

	if (!known || known->number)
		return known;
	first.object.kind = dso->kind;
	first.object.path = pk_dictionary_get_string(leaves->dictionary, dso->path, NULL);
	first.object.path = first.object.path ? first.object.path : "";
	first.object.build_id.size = (uint8_t)dso->build_id_size;
	memcpy(first.object.build_id.bytes, dso->build_id, sizeof(dso->build_id));
	first.number = heat_object(leaves->heat, &first.object);
	if (!first.number || !objects_meet(leaves->objects, &first, &known->shift))
		return NULL;
	known->number = first.number;
	return known;
}

/* 0: out of memory. */
static uint32_t make_place(struct leaves *leaves, const struct pk_frame *frame, uint32_t pid)
{
	const struct known_object *object = object_of(leaves, frame, pid);
	struct heat_function function = {
		.kernel = frame->flags & PK_FRAME_KERNEL,
		.name = pk_dictionary_get_string(leaves->dictionary, frame->function, NULL)};

	if (!object)
		return 0;
	function.object = object->number;
	function.start = frame->symbol_start + object->shift;
	return heat_place(leaves->heat, &function, frame->address + object->shift);
}

/* False: out of memory. */
static bool look_up(struct leaves *leaves, const struct leaf_sample *sample, struct kept_leaf *kept)
{
	const struct pk_frame *frame = leaf_frame(leaves->dictionary, sample->stack);
	const struct pk_dso *dso =
		frame ? pk_dictionary_get_dso(leaves->dictionary, frame->dso) : NULL;

	*kept = (struct kept_leaf){.state = KEPT_NO_CODE};
	if (!frame)
		return true;
	kept->state = dso && dso->kind == PK_DSO_JIT ? KEPT_ELSEWHERE : KEPT;
	kept->low = frame->address & LOW_BITS;
	kept->kernel = frame->flags & PK_FRAME_KERNEL;
	if (!dso || !pk_dictionary_get_string(leaves->dictionary, frame->function, NULL))
		return true;
	kept->place = make_place(leaves, frame, sample->pid);
	return kept->place;
}

/* Does the stack begin where the sample was taken? */
static bool begins_there(const struct kept_leaf *kept, const struct leaf_sample *sample)
{
	const bool kernel = sample->mode == PERF_RECORD_MISC_KERNEL ||
			    sample->mode == PERF_RECORD_MISC_GUEST_KERNEL;

	if (!sample->has_ip || kept->state == KEPT_ELSEWHERE)
		return true;
	return kept->state == KEPT && kept->kernel == kernel &&
	       kept->low == (sample->ip & LOW_BITS);
}

enum leaf leaves_place(struct leaves *leaves, const struct leaf_sample *sample, uint32_t *place)
{
	const struct pk_id_range defined = pk_dictionary_stacks(leaves->dictionary);
	const uint32_t index = sample->stack - defined.base - 1;
	struct kept_leaf *kept;

	*place = 0;
	if (pk_unlikely(index >= defined.count))
		return sample->stack ? LEAF_UNDEFINED : LEAF_UNPLACED;
	if (!reserve(leaves, index))
		return LEAF_NO_MEMORY;
	kept = &leaves->leaves[index];
	if (pk_unlikely(kept->state == KEPT_NOT) && !look_up(leaves, sample, kept))
		return LEAF_NO_MEMORY;
	*place = kept->place;
	if (pk_unlikely(!begins_there(kept, sample)) &&
	    !located_place(leaves->located, sample, place))
		return LEAF_NO_MEMORY;
	return *place ? LEAF_PLACED : LEAF_UNPLACED;
}
