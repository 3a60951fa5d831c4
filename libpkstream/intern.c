// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "dictionary_internal.h"

uint8_t *pk_definition_begin(struct pk_writer *writer, enum pk_definition kind, size_t size)
{
	size_t padded = PK_ALIGN8(size);
	uint8_t *record;

	if (!writer)
		return NULL;
	record = pk_writer_begin(writer, PERF_RECORD_EVENT_UPDATE, 0, 24 + padded);
	if (!record)
		return NULL;
	pk_store_u64(record + 8, PK_SUBTYPE_BASE | kind);
	pk_store_u64(record + 16, 0);
	if (padded)
		pk_store_u64(record + 16 + padded, 0);
	return record + 24;
}

/* ---- Finding by content ---- */

static bool grow_slots(struct pk_kind *kind)
{
	size_t capacity = kind->slots_capacity ? 2 * kind->slots_capacity : 256;
	struct pk_slot *slots;

	if (2 * (kind->filled + 1) <= kind->slots_capacity)
		return true;
	slots = calloc(capacity, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < kind->slots_capacity; i++) {
		size_t at = kind->slots[i].hash & (capacity - 1);

		if (!kind->slots[i].id)
			continue;
		while (slots[at].id)
			at = (at + 1) & (capacity - 1);
		slots[at] = kind->slots[i];
	}
	free(kind->slots);
	kind->slots = slots;
	kind->slots_capacity = capacity;
	return true;
}

/*
 * The slot of the item that is equal to key, or the free one where it belongs. Strings are compared
 * as text, the other kinds byte for byte: their structs have no padding.
 */
static struct pk_slot *find(struct pk_kind *kind, bool text, const void *key, uint32_t hash)
{
	size_t mask, at;

	if (!grow_slots(kind))
		return NULL;
	mask = kind->slots_capacity - 1;
	for (at = hash & mask; kind->slots[at].id; at = (at + 1) & mask) {
		const void *item = pk_kind_get(kind, kind->slots[at].id);
		const struct pk_text *a = item, *b = key;

		if (kind->slots[at].hash != hash)
			continue;
		if (text ? a->size == b->size && !memcmp(a->text, b->text, a->size)
			 : !memcmp(item, key, kind->size))
			break;
	}
	return &kind->slots[at];
}

static uint32_t add(struct pk_kind *kind, struct pk_slot *slot, const void *item, uint32_t hash)
{
	uint32_t id = pk_kind_append(kind, item);

	if (id) {
		*slot = (struct pk_slot){hash, id};
		kind->filled++;
	}
	return id;
}

/* ---- One kind each ---- */

/* What fits into a STRING record with its NUL. */
#define STRING_MAX (PERF_RECORD_SIZE_MAX - 24 - 8 - 1)

/* Cut between characters: UTF-8 continuation bytes, three at most, begin with the bits 10. */
static size_t cut_string(const char *text, size_t size)
{
	if (size <= STRING_MAX)
		return size;
	for (size = STRING_MAX; size > STRING_MAX - 4; size--)
		if (((uint8_t)text[size] & 0xc0) != 0x80)
			return size;
	return STRING_MAX;
}

uint32_t pk_dictionary_string(struct pk_dictionary *dictionary, const char *text, size_t size)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STRING];
	struct pk_text key = {text, cut_string(text, size)};
	uint32_t hash = (uint32_t)pk_hash(text, key.size, dictionary->secret), id;
	struct pk_slot *slot = find(kind, true, &key, hash);
	uint8_t *body;

	if (!slot || slot->id)
		return slot ? slot->id : 0;
	key.text = pk_dictionary_keep(dictionary, text, key.size);
	if (!key.text)
		return 0;
	id = add(kind, slot, &key, hash);
	body = id ? pk_definition_begin(dictionary->writer, PK_STRING, 8 + key.size + 1) : NULL;
	if (body) {
		pk_store_u32(body, id);
		pk_store_u32(body + 4, (uint32_t)key.size);
		memcpy(body + 8, key.text, key.size);
	}
	return id;
}

_Static_assert(sizeof(struct pk_dso) == 12 + PK_BUILD_ID_MAX, "no padding to compare");
_Static_assert(sizeof(struct pk_frame) == 40, "no padding to compare");

uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_DSO];
	uint32_t hash = (uint32_t)pk_hash(dso, sizeof(*dso), dictionary->secret), id;
	struct pk_slot *slot = find(kind, false, dso, hash);
	uint8_t *body;

	if (!slot || slot->id)
		return slot ? slot->id : 0;
	id = add(kind, slot, dso, hash);
	body = id ? pk_definition_begin(dictionary->writer, PK_DSO, 40) : NULL;
	if (body) {
		pk_store_u32(body, id);
		pk_store_u32(body + 4, dso->kind);
		pk_store_u32(body + 8, dso->path);
		pk_store_u32(body + 12, dso->build_id_size);
		memcpy(body + 16, dso->build_id, PK_BUILD_ID_MAX);
		pk_store_u32(body + 36, 0);
	}
	return id;
}

uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_FRAME];
	uint32_t hash = (uint32_t)pk_hash(frame, sizeof(*frame), dictionary->secret), id;
	struct pk_slot *slot = find(kind, false, frame, hash);
	uint8_t *body;

	if (!slot || slot->id)
		return slot ? slot->id : 0;
	id = add(kind, slot, frame, hash);
	body = id ? pk_definition_begin(dictionary->writer, PK_FRAME, 48) : NULL;
	if (body) {
		pk_store_u32(body, id);
		pk_store_u32(body + 4, frame->dso);
		pk_store_u32(body + 8, frame->function);
		pk_store_u32(body + 12, frame->file);
		pk_store_u32(body + 16, frame->line);
		pk_store_u32(body + 20, frame->column);
		pk_store_u32(body + 24, frame->flags);
		pk_store_u32(body + 28, 0);
		pk_store_u64(body + 32, frame->address);
		pk_store_u64(body + 40, frame->symbol_start);
	}
	return id;
}

static struct pk_stack_slot *find_stack(const struct pk_dictionary *dictionary, uint32_t parent,
					uint32_t frame)
{
	size_t mask = dictionary->stack_slots_capacity - 1;
	size_t at = pk_mix64(((uint64_t)parent << 32 | frame) ^ UINT64_C(0xa0761d6478bd642f),
			     UINT64_C(0xe7037ed1a0b428db)) &
		    mask;
	struct pk_stack_slot *slot;

	for (; (slot = &dictionary->stack_slots[at])->id; at = (at + 1) & mask)
		if (slot->parent == parent && slot->frame == frame)
			break;
	return slot;
}

static bool grow_stack_slots(struct pk_dictionary *dictionary)
{
	struct pk_stack_slot *old = dictionary->stack_slots, *slots;
	size_t old_capacity = dictionary->stack_slots_capacity;

	if (pk_likely(2 * ((size_t)dictionary->kinds[PK_KIND_STACK].count + 1) <= old_capacity))
		return true;
	slots = calloc(old_capacity ? 2 * old_capacity : 1024, sizeof(*slots));
	if (!slots)
		return false;
	dictionary->stack_slots = slots;
	dictionary->stack_slots_capacity = old_capacity ? 2 * old_capacity : 1024;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].id)
			*find_stack(dictionary, old[i].parent, old[i].frame) = old[i];
	free(old);
	return true;
}

/* Room for the hint of every stack there is and one more. */
static bool grow_hints(struct pk_dictionary *dictionary)
{
	const struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	size_t capacity = 2 * dictionary->hints_capacity + 1024;
	struct pk_stack_hint *hints;

	if (pk_likely(kind->count < dictionary->hints_capacity))
		return true;
	hints = realloc(dictionary->hints, capacity * sizeof(*hints));
	if (!hints)
		return false;
	memset(hints + dictionary->hints_capacity, 0,
	       (capacity - dictionary->hints_capacity) * sizeof(*hints));
	dictionary->hints = hints;
	dictionary->hints_capacity = capacity;
	return true;
}

uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent, uint32_t frame)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	const struct pk_stack stack = {parent, frame};
	struct pk_stack_slot *slot;
	struct pk_stack_hint *hint;
	uint8_t *body;
	uint32_t id;

	assert(!parent || pk_kind_get(kind, parent));
	if (pk_unlikely(!grow_stack_slots(dictionary) || !grow_hints(dictionary)))
		return 0;
	hint = &dictionary->hints[parent ? parent - kind->base : 0];
	if (hint->child && hint->frame == frame)
		return hint->child;
	slot = find_stack(dictionary, parent, frame);
	*hint = (struct pk_stack_hint){frame, slot->id};
	if (slot->id)
		return slot->id;
	id = pk_kind_append(kind, &stack);
	if (!id)
		return 0;
	*slot = (struct pk_stack_slot){parent, frame, id};
	hint->child = id;
	body = pk_definition_begin(dictionary->writer, PK_STACK, 16);
	if (body) {
		pk_store_u32(body, id);
		pk_store_u32(body + 4, parent);
		pk_store_u32(body + 8, frame);
		pk_store_u32(body + 12, 0);
	}
	return id;
}
