// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "dictionary_internal.h"

/* ---- Finding by content ---- */

/*
 * The id of the item that is equal to key; 0: there is none. Strings are compared as text, the
 * other kinds byte for byte: their structs have no padding.
 */
static uint32_t find(const struct pk_kind *kind, bool text, const void *key, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&kind->ids, hash);
	uint32_t id;

	while ((id = (uint32_t)pk_probe_next(&probe))) {
		const void *item = pk_kind_get(kind, id);
		const struct pk_text *a = item, *b = key;

		if (text ? a->size == b->size && !memcmp(a->text, b->text, a->size)
			 : !memcmp(item, key, kind->size))
			break;
	}
	return id;
}

static uint64_t hash_of(struct pk_kind *kind, const void *bytes, size_t size)
{
	return pk_hash(bytes, size, pk_table_secret(&kind->ids));
}

/* The new item's id; 0 if memory or ids are exhausted. */
static uint32_t add(struct pk_kind *kind, const void *item, uint64_t hash)
{
	uint32_t id;

	if (!pk_table_reserve(&kind->ids, kind->ids.count + 1))
		return 0;
	id = pk_kind_append(kind, item);
	return id && pk_table_add(&kind->ids, hash, id) ? id : 0;
}

/* ---- One kind each ---- */

/* What fits into a STRING record with its NUL. */
#define STRING_MAX (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_string) - 1)

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
	const uint64_t hash = hash_of(kind, text, key.size);
	uint32_t id = find(kind, true, &key, hash);
	struct pk_record_string *record;

	if (id)
		return id;
	key.text = pk_dictionary_keep(dictionary, text, key.size);
	if (!key.text)
		return 0;
	id = add(kind, &key, hash);
	record = id ? pk_definition_begin(dictionary->writer, PK_STRING,
					  sizeof(*record) + key.size + 1)
		    : NULL;
	if (record) {
		record->id = id;
		record->length = (uint32_t)key.size;
		memcpy(record->text, key.text, key.size);
	}
	return id;
}

_Static_assert(sizeof(struct pk_dso) == 12 + PK_BUILD_ID_MAX, "no padding to compare");
_Static_assert(sizeof(struct pk_frame) == 40, "no padding to compare");

uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_DSO];
	const uint64_t hash = hash_of(kind, dso, sizeof(*dso));
	uint32_t id = find(kind, false, dso, hash);
	struct pk_record_dso *record;

	if (id)
		return id;
	id = add(kind, dso, hash);
	record = id ? pk_definition_begin(dictionary->writer, PK_DSO, sizeof(*record)) : NULL;
	if (record) {
		*record = (struct pk_record_dso){.head = record->head,
						 .id = id,
						 .kind = dso->kind,
						 .path = dso->path,
						 .build_id_size = dso->build_id_size};
		memcpy(record->build_id, dso->build_id, PK_BUILD_ID_MAX);
	}
	return id;
}

uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_FRAME];
	const uint64_t hash = hash_of(kind, frame, sizeof(*frame));
	uint32_t id = find(kind, false, frame, hash);
	struct pk_record_frame *record;

	if (id)
		return id;
	id = add(kind, frame, hash);
	record = id ? pk_definition_begin(dictionary->writer, PK_FRAME, sizeof(*record)) : NULL;
	if (record)
		*record = (struct pk_record_frame){
			.head = record->head,
			.id = id,
			.dso = frame->dso,
			.function = frame->function,
			.file = frame->file,
			.line = frame->line,
			.column = frame->column,
			.flags = frame->flags,
			.address = frame->address,
			.symbol_start = frame->symbol_start,
		};
	return id;
}

/* Room for the hint of every stack there is and one more. */
static bool grow_hints(struct pk_dictionary *dictionary)
{
	const struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	const size_t before = dictionary->hints_capacity;

	if (pk_likely(kind->count < before))
		return true;
	if (!pk_reserve(&dictionary->hints, &dictionary->hints_capacity, before, 1,
			sizeof(*dictionary->hints)))
		return false;
	memset(dictionary->hints + before, 0,
	       (dictionary->hints_capacity - before) * sizeof(*dictionary->hints));
	return true;
}

uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent, uint32_t frame)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	const uint64_t key = (uint64_t)parent << 32 | frame;
	const struct pk_stack stack = {parent, frame};
	struct pk_stack_hint *hint;
	struct pk_record_stack *record;
	uint32_t id;

	assert(!parent || pk_kind_get(kind, parent));
	if (pk_unlikely(!grow_hints(dictionary)))
		return 0;
	hint = &dictionary->hints[parent ? parent - kind->base : 0];
	if (hint->child && hint->frame == frame)
		return hint->child;
	id = (uint32_t)pk_table_get_u64(&kind->ids, key);
	*hint = (struct pk_stack_hint){frame, id};
	if (id)
		return id;
	id = add(kind, &stack, key);
	if (!id)
		return 0;
	hint->child = id;
	record = pk_definition_begin(dictionary->writer, PK_STACK, sizeof(*record));
	if (record)
		*record = (struct pk_record_stack){record->head, id, parent, frame, 0};
	return id;
}
