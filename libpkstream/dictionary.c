// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "pkprivate.h"
#include "records.h"
#include "table.h"
#include "vector.h"

#define PK_RESET_ALL (1u << PK_STRING | 1u << PK_DSO | 1u << PK_FRAME | 1u << PK_STACK)

enum pk_kind_index { PK_KIND_STRING, PK_KIND_DSO, PK_KIND_FRAME, PK_KIND_STACK, PK_KINDS };

struct pk_text {
	const char *text;
	size_t size;
};

/* The items of one kind. The ids of the items are base + 1 to base + count. */
struct pk_kind {
	void *items;
	size_t size; /* bytes of one item */
	size_t capacity;
	uint32_t base, count;
	struct pk_table ids; /* finds an id by the hash of the content; finds stacks that are not in
			      * `firsts` by parent and frame */
};

/* The first child of a stack. Most stacks have only one child, so `firsts` replaces most look-ups
 * in the hash table. The stacks of one call path often have successive ids, so the entries of the
 * path are adjacent in memory. So few cache misses occur when a known path is looked up. */
struct pk_first_child {
	uint32_t frame, id; /* id is 0 if the stack has no child */
};

/* A block of memory for strings. */
struct pk_chunk {
	struct pk_chunk *next;
	size_t used, capacity;
	char data[];
};

/* The items of all kinds, and where their definitions are written. */
struct pk_dictionary {
	struct pk_writer *writer;
	struct pk_kind kinds[PK_KINDS];
	struct pk_first_child *firsts; /* entry i is for the parent with the id base + i; entry 0 is
					* for stacks without a parent */
	size_t firsts_capacity;
	struct pk_chunk *chunks;
	size_t chunk_bytes;
};

struct pk_dictionary *pk_dictionary_new(struct pk_writer *writer)
{
	static const size_t sizes[PK_KINDS] = {sizeof(struct pk_text), sizeof(struct pk_dso),
					       sizeof(struct pk_frame), sizeof(struct pk_stack)};
	struct pk_dictionary *dictionary = calloc(1, sizeof(*dictionary));

	if (!dictionary)
		return NULL;
	dictionary->writer = writer;
	for (int kind = 0; kind < PK_KINDS; kind++)
		dictionary->kinds[kind].size = sizes[kind];
	return dictionary;
}

static void forget(struct pk_dictionary *dictionary)
{
	for (int i = 0; i < PK_KINDS; i++) {
		struct pk_kind *kind = &dictionary->kinds[i];

		kind->base += kind->count;
		kind->count = 0;
		kind->capacity = 0;
		free(kind->items);
		kind->items = NULL;
		pk_table_free(&kind->ids);
	}
	free(dictionary->firsts);
	dictionary->firsts = NULL;
	dictionary->firsts_capacity = 0;
	while (dictionary->chunks) {
		struct pk_chunk *next = dictionary->chunks->next;

		free(dictionary->chunks);
		dictionary->chunks = next;
	}
	dictionary->chunk_bytes = 0;
}

void pk_dictionary_free(struct pk_dictionary *dictionary)
{
	if (!dictionary)
		return;
	forget(dictionary);
	free(dictionary);
}

void pk_dictionary_clear(struct pk_dictionary *dictionary)
{
	forget(dictionary);
	for (int i = 0; i < PK_KINDS; i++)
		dictionary->kinds[i].base = 0;
}

size_t pk_dictionary_memory(const struct pk_dictionary *dictionary)
{
	size_t bytes = dictionary->chunk_bytes +
		       dictionary->firsts_capacity * sizeof(struct pk_first_child);

	for (int i = 0; i < PK_KINDS; i++)
		bytes += dictionary->kinds[i].capacity * dictionary->kinds[i].size +
			 dictionary->kinds[i].ids.capacity * sizeof(struct pk_table_slot);
	return bytes;
}

/* ---- Items ---- */

static const void *pk_kind_get(const struct pk_kind *kind, uint32_t id)
{
	uint32_t index = id - kind->base - 1;

	return index < kind->count ? (const uint8_t *)kind->items + index * kind->size : NULL;
}

/* Returns the id of the new item. Returns 0 if memory is exhausted or no id is left. */
static uint32_t pk_kind_append(struct pk_kind *kind, const void *item)
{
	if (kind->base + kind->count == UINT32_MAX)
		return 0;
	if (pk_reserve(&kind->items, &kind->capacity, kind->count, 1, kind->size) != PK_OK)
		return 0;
	memcpy((uint8_t *)kind->items + kind->count * kind->size, item, kind->size);
	return kind->base + ++kind->count;
}

#define CHUNK_SIZE ((size_t)64 << 10)

/* Copies size bytes and adds a NUL. The copy stays at the same address until the dictionary is
 * reset or cleared. */
static const char *pk_dictionary_keep(struct pk_dictionary *dictionary, const void *text,
				      size_t size)
{
	struct pk_chunk *chunk = dictionary->chunks;
	char *kept;

	if (!chunk || size + 1 > chunk->capacity - chunk->used) {
		size_t capacity = size + 1 > CHUNK_SIZE ? size + 1 : CHUNK_SIZE;

		chunk = malloc(sizeof(*chunk) + capacity);
		if (!chunk)
			return NULL;
		*chunk = (struct pk_chunk){dictionary->chunks, 0, capacity};
		dictionary->chunks = chunk;
		dictionary->chunk_bytes += capacity;
	}
	kept = chunk->data + chunk->used;
	memcpy(kept, text, size);
	kept[size] = '\0';
	chunk->used += size + 1;
	return kept;
}

const char *pk_dictionary_get_string(const struct pk_dictionary *dictionary, uint32_t id,
				     size_t *size)
{
	const struct pk_text *text = pk_kind_get(&dictionary->kinds[PK_KIND_STRING], id);

	if (size)
		*size = text ? text->size : 0;
	return text ? text->text : NULL;
}

const struct pk_dso *pk_dictionary_get_dso(const struct pk_dictionary *dictionary, uint32_t id)
{
	return pk_kind_get(&dictionary->kinds[PK_KIND_DSO], id);
}

const struct pk_frame *pk_dictionary_get_frame(const struct pk_dictionary *dictionary, uint32_t id)
{
	return pk_kind_get(&dictionary->kinds[PK_KIND_FRAME], id);
}

const struct pk_stack *pk_dictionary_get_stack(const struct pk_dictionary *dictionary, uint32_t id)
{
	return pk_kind_get(&dictionary->kinds[PK_KIND_STACK], id);
}

static struct pk_id_range range(const struct pk_kind *kind)
{
	return (struct pk_id_range){kind->base, kind->count};
}

struct pk_id_range pk_dictionary_stacks(const struct pk_dictionary *dictionary)
{
	return range(&dictionary->kinds[PK_KIND_STACK]);
}

struct pk_id_range pk_dictionary_strings(const struct pk_dictionary *dictionary)
{
	return range(&dictionary->kinds[PK_KIND_STRING]);
}

struct pk_id_range pk_dictionary_dsos(const struct pk_dictionary *dictionary)
{
	return range(&dictionary->kinds[PK_KIND_DSO]);
}

struct pk_id_range pk_dictionary_frames(const struct pk_dictionary *dictionary)
{
	return range(&dictionary->kinds[PK_KIND_FRAME]);
}

/* ---- Reset ---- */

enum pk_status pk_dictionary_reset(struct pk_dictionary *dictionary)
{
	struct pk_record_reset *record =
		pk_definition_append(dictionary->writer, PK_RESET, sizeof(*record));

	if (record)
		*record = (struct pk_record_reset){record->head, PK_RESET_ALL, 0};
	forget(dictionary);
	return dictionary->writer ? pk_writer_status(dictionary->writer) : PK_OK;
}

/* ---- Reading definitions ---- */

static bool defined(const struct pk_dictionary *dictionary, enum pk_kind_index kind, uint32_t id)
{
	return !id || pk_kind_get(&dictionary->kinds[kind], id);
}

/* Adds the item of a record whose id is the next one. If the content of the record is invalid, an
 * empty item is added, because otherwise the ids of all later records would be wrong. */
static enum pk_status append_item(struct pk_dictionary *dictionary, enum pk_kind_index kind,
				  const void *item, bool good)
{
	if (!pk_kind_append(&dictionary->kinds[kind], item))
		return PK_NOMEM;
	return good ? PK_OK : PK_CORRUPT;
}

static enum pk_status read_string(struct pk_dictionary *dictionary,
				  const struct pk_record_string *record, size_t size)
{
	bool good = record->length < size - sizeof(*record); /* a NUL must follow the text */
	struct pk_text text = {"", 0};

	if (good) {
		text.text = pk_dictionary_keep(dictionary, record->text, record->length);
		text.size = record->length;
		if (!text.text)
			return PK_NOMEM;
	}
	return append_item(dictionary, PK_KIND_STRING, &text, good);
}

static enum pk_status read_dso(struct pk_dictionary *dictionary, const struct pk_record_dso *record)
{
	struct pk_dso dso = {
		.path = record->path, .kind = record->kind, .build_id_size = record->build_id_size};
	bool good = defined(dictionary, PK_KIND_STRING, dso.path) &&
		    dso.build_id_size <= PK_BUILD_ID_MAX;

	if (good)
		memcpy(dso.build_id, record->build_id, dso.build_id_size);
	else
		dso = (struct pk_dso){0};
	return append_item(dictionary, PK_KIND_DSO, &dso, good);
}

static enum pk_status read_frame(struct pk_dictionary *dictionary,
				 const struct pk_record_frame *record)
{
	struct pk_frame frame = {
		.dso = record->dso,
		.function = record->function,
		.file = record->file,
		.line = record->line,
		.column = record->column,
		.flags = record->flags,
		.address = record->address,
		.symbol_start = record->symbol_start,
	};
	bool good = defined(dictionary, PK_KIND_DSO, frame.dso) &&
		    defined(dictionary, PK_KIND_STRING, frame.function) &&
		    defined(dictionary, PK_KIND_STRING, frame.file);

	if (!good)
		frame = (struct pk_frame){.flags = PK_FRAME_UNRESOLVED};
	return append_item(dictionary, PK_KIND_FRAME, &frame, good);
}

/* Adds all stacks of the record. If the record is too short for all its stacks, adds only the first
 * one. */
static enum pk_status read_stacks(struct pk_dictionary *dictionary,
				  const struct pk_record_stack *record, size_t size)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	const bool whole = record->nr <= (size - sizeof(*record)) / sizeof(record->inner[0]);
	const uint32_t inner = whole ? record->nr : 0;
	struct pk_stack stack = {record->parent, record->frame};
	bool good = defined(dictionary, PK_KIND_STACK, stack.parent);

	if (UINT32_MAX - kind->base - kind->count <= inner)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&kind->items, &kind->capacity, kind->count, (size_t)inner + 1,
			  kind->size));
	for (uint32_t i = 0; i <= inner; i++) {
		const bool known =
			stack.frame && pk_kind_get(&dictionary->kinds[PK_KIND_FRAME], stack.frame);

		if (!known || (!i && !good))
			stack = (struct pk_stack){0, 0};
		good = good && known;
		((struct pk_stack *)kind->items)[kind->count++] = stack;
		stack = (struct pk_stack){kind->base + kind->count,
					  i < inner ? record->inner[i] : 0};
	}
	return good && whole ? PK_OK : PK_CORRUPT;
}

enum pk_status pk_dictionary_read(struct pk_dictionary *dictionary, const struct pk_record *record)
{
	static const uint16_t size_min[PK_KINDS] = {
		sizeof(struct pk_record_string), sizeof(struct pk_record_dso),
		sizeof(struct pk_record_frame), sizeof(struct pk_record_stack)};
	const unsigned int definition = pk_definition_of(record);
	const void *data = record->data;
	const struct pk_record_stack *any = data; /* the id has the same offset in all four types */
	const struct pk_kind *kind;

	if (definition == PK_RESET) {
		if (record->size < sizeof(struct pk_record_reset))
			return PK_CORRUPT;
		forget(dictionary);
		return PK_OK;
	}
	if (definition < PK_STRING || definition > PK_STACK)
		return PK_OK;
	kind = &dictionary->kinds[definition - PK_STRING];
	if (record->size < size_min[definition - PK_STRING] ||
	    any->id != kind->base + kind->count + 1)
		return PK_CORRUPT;
	switch (definition) {
	case PK_STRING: return read_string(dictionary, data, record->size);
	case PK_DSO: return read_dso(dictionary, data);
	case PK_FRAME: return read_frame(dictionary, data);
	default: return read_stacks(dictionary, data, record->size);
	}
}

/* ---- Finding by content ---- */

/* Returns the id of the item that equals key, or 0 if there is no such item. Strings are compared
 * as text. The structs of the other kinds have no padding, so they are compared as bytes. */
static uint32_t find_item(const struct pk_kind *kind, bool text, const void *key, uint64_t hash)
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

/* Returns the id of the new item. Returns 0 if memory is exhausted or no id is left. */
static uint32_t add_item(struct pk_kind *kind, const void *item, uint64_t hash)
{
	uint32_t id;

	if (pk_table_reserve(&kind->ids, kind->ids.count + 1) != PK_OK)
		return 0;
	id = pk_kind_append(kind, item);
	return id && pk_table_add(&kind->ids, hash, id) == PK_OK ? id : 0;
}

/* ---- The kinds ---- */

/* The length in bytes, without the NUL, of the longest string that fits into a STRING record. */
#define STRING_MAX (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_string) - 1)

/* Returns how many bytes of the text fit into a record. The text is cut between two characters. A
 * UTF-8 character has at most three continuation bytes, and each of these starts with the bits 10.
 */
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
	uint32_t id = find_item(kind, true, &key, hash);
	struct pk_record_string *record;

	if (id)
		return id;
	key.text = pk_dictionary_keep(dictionary, text, key.size);
	if (!key.text)
		return 0;
	id = add_item(kind, &key, hash);
	record = id ? pk_definition_append(dictionary->writer, PK_STRING,
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
	uint32_t id = find_item(kind, false, dso, hash);
	struct pk_record_dso *record;

	if (id)
		return id;
	id = add_item(kind, dso, hash);
	record = id ? pk_definition_append(dictionary->writer, PK_DSO, sizeof(*record)) : NULL;
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
	uint32_t id = find_item(kind, false, frame, hash);
	struct pk_record_frame *record;

	if (id)
		return id;
	id = add_item(kind, frame, hash);
	record = id ? pk_definition_append(dictionary->writer, PK_FRAME, sizeof(*record)) : NULL;
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

static uint64_t stack_key(struct pk_stack stack)
{
	return (uint64_t)stack.parent << 32 | stack.frame;
}

/* The largest number of frames in one record. Longer paths are split into several records. */
#define PATH_MAX ((PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_stack)) / sizeof(uint32_t))

/* Reserves memory for `more` stacks of a call path. note_child() explains `first`. */
static enum pk_status reserve_stacks(struct pk_dictionary *dictionary, size_t more, bool first)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];

	if (UINT32_MAX - kind->base - kind->count < more)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&kind->items, &kind->capacity, kind->count, more, kind->size));
	PK_TRY(pk_extend(&dictionary->firsts, &dictionary->firsts_capacity, kind->count + more));
	return first ? PK_OK : pk_table_reserve(&kind->ids, kind->ids.count + 1);
}

/* Returns the id of a child of stack.parent. The child is the one with the frame stack.frame.
 * Returns 0 if there is no such child. Sets *first if the parent has no child at all. */
static uint32_t find_child(const struct pk_dictionary *dictionary, struct pk_stack stack,
			   bool *first)
{
	const struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	const uint32_t index = stack.parent ? stack.parent - kind->base : 0;
	struct pk_first_child child = {0, 0};

	if (pk_likely(index < dictionary->firsts_capacity))
		child = dictionary->firsts[index];
	*first = !child.id;
	if (*first || child.frame == stack.frame)
		return child.id;
	return (uint32_t)pk_table_get_u64(&kind->ids, stack_key(stack));
}

/* Saves the stack's id so that find_child() finds it. If `first` is true, the stack is the first
 * child of its parent. Otherwise, the caller has reserved memory in the hash table. */
static void note_child(struct pk_dictionary *dictionary, struct pk_stack stack, uint32_t id,
		       bool first)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];

	if (first)
		dictionary->firsts[stack.parent ? stack.parent - kind->base : 0] =
			(struct pk_first_child){stack.frame, id};
	else
		pk_table_add(&kind->ids, stack_key(stack), id);
}

/* Adds at most PATH_MAX new stacks, and writes one record that defines them. Replaces each frame by
 * the id of its stack. The caller has reserved the memory. */
static void add_path(struct pk_dictionary *dictionary, uint32_t parent, uint32_t *frames,
		     size_t count, bool first)
{
	struct pk_kind *kind = &dictionary->kinds[PK_KIND_STACK];
	struct pk_record_stack *record = pk_definition_append(
		dictionary->writer, PK_STACK, sizeof(*record) + (count - 1) * sizeof(uint32_t));
	struct pk_stack stack = {parent, frames[count - 1]};

	if (record)
		*record = (struct pk_record_stack){.head = record->head,
						   .id = kind->base + kind->count + 1,
						   .parent = parent,
						   .frame = stack.frame,
						   .nr = (uint32_t)count - 1};
	for (size_t left = count; left--; first = true) {
		stack.frame = frames[left];
		if (record && left < count - 1)
			record->inner[count - 2 - left] = stack.frame;
		((struct pk_stack *)kind->items)[kind->count] = stack;
		frames[left] = kind->base + ++kind->count;
		note_child(dictionary, stack, frames[left], first);
		stack.parent = frames[left];
	}
}

enum pk_status pk_dictionary_path(struct pk_dictionary *dictionary, uint32_t parent,
				  uint32_t *frames, size_t count)
{
	bool first = false;
	uint32_t id;

	assert(!parent || pk_kind_get(&dictionary->kinds[PK_KIND_STACK], parent));
	for (; count; count--) {
		id = find_child(dictionary, (struct pk_stack){parent, frames[count - 1]}, &first);
		if (!id)
			break;
		frames[count - 1] = parent = id;
	}
	if (!count)
		return PK_OK;
	PK_TRY(reserve_stacks(dictionary, count, first));
	while (count) {
		const size_t some = count < PATH_MAX ? count : PATH_MAX;

		add_path(dictionary, parent, frames + count - some, some, first);
		count -= some;
		parent = frames[count];
		first = true;
	}
	return PK_OK;
}

uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent, uint32_t frame)
{
	return pk_dictionary_path(dictionary, parent, &frame, 1) == PK_OK ? frame : 0;
}
