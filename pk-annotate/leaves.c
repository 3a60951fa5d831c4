// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "leaves.h"
#include "pkutil.h"

/* An object as the session's ids have it. */
struct known_object {
	uint32_t number; /* in the heat */
	uint64_t shift;
};

struct leaves {
	struct heat *heat;
	struct objects *objects;
	struct pk_dictionary *dictionary; /* the session's */
	/* Since the session began, or the dictionary began anew: */
	uint32_t *places; /* by stack: the place + 1, 1 for none, 0 for not looked up */
	uint32_t places_room;
	struct pk_table known; /* struct known_object by DSO id */
};

struct leaves *leaves_new(struct heat *heat, struct objects *objects)
{
	struct leaves *leaves = calloc(1, sizeof(*leaves));

	if (!leaves)
		return NULL;
	leaves->heat = heat;
	leaves->objects = objects;
	leaves->dictionary = pk_dictionary_new(NULL);
	if (leaves->dictionary)
		return leaves;
	free(leaves);
	return NULL;
}

static void forget(struct leaves *leaves)
{
	free(leaves->places);
	pk_table_free_all(&leaves->known);
	leaves->places = NULL;
	leaves->places_room = 0;
}

void leaves_free(struct leaves *leaves)
{
	if (!leaves)
		return;
	forget(leaves);
	pk_dictionary_free(leaves->dictionary);
	free(leaves);
}

void leaves_begin(struct leaves *leaves, const struct pk_session *session)
{
	forget(leaves);
	pk_dictionary_clear(leaves->dictionary);
	objects_begin(leaves->objects, session);
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
	const size_t wanted = pk_pow2_above((size_t)index + 1);
	uint32_t *places;

	if (index < leaves->places_room)
		return true;
	places = wanted > UINT32_MAX ? NULL : realloc(leaves->places, wanted * sizeof(*places));
	if (!places)
		return false;
	memset(places + leaves->places_room, 0, (wanted - leaves->places_room) * sizeof(*places));
	leaves->places = places;
	leaves->places_room = (uint32_t)wanted;
	return true;
}

/* The innermost frame that is a function of its own, not inlined into the next: that has the same
 * address. NULL: it is not code, or no function is known. */
static const struct pk_frame *leaf_frame(const struct pk_dictionary *dictionary, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(dictionary, id);
	const struct pk_frame *frame =
		stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	const uint64_t address = frame ? frame->address : 0;

	while (frame && frame->flags & PK_FRAME_INLINED && frame->address == address) {
		stack = stack->parent ? pk_dictionary_get_stack(dictionary, stack->parent) : NULL;
		frame = stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	}
	if (!frame || frame->flags & (PK_FRAME_INLINED | PK_FRAME_COMM | PK_FRAME_TRUNCATED) ||
	    frame->address != address || !pk_dictionary_get_dso(dictionary, frame->dso) ||
	    !pk_dictionary_get_string(dictionary, frame->function, NULL))
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

static enum leaf result_of(uint32_t kept, uint32_t *place)
{
	*place = kept - 1;
	return *place ? LEAF_PLACED : LEAF_UNPLACED;
}

enum leaf leaves_place(struct leaves *leaves, uint32_t stack, uint32_t pid, uint32_t *place)
{
	const struct pk_id_range defined = pk_dictionary_stacks(leaves->dictionary);
	const uint32_t index = stack - defined.base - 1;
	const struct pk_frame *frame;

	*place = 0;
	if (pk_unlikely(index >= defined.count))
		return stack ? LEAF_UNDEFINED : LEAF_UNPLACED;
	if (pk_likely(index < leaves->places_room && leaves->places[index]))
		return result_of(leaves->places[index], place);
	if (!reserve(leaves, index))
		return LEAF_NO_MEMORY;
	frame = leaf_frame(leaves->dictionary, stack);
	*place = frame ? make_place(leaves, frame, pid) : 0;
	if (frame && !*place)
		return LEAF_NO_MEMORY;
	leaves->places[index] = *place + 1;
	return result_of(leaves->places[index], place);
}
