// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "content_keys.h"
#include "stack_walk.h"
#include "vector.h"

static const struct content_item none;

/* ---- Bytes ---- */

/* Starts to calculate the key of an item. kind is a letter for the kind of item. */
static struct digest *start_key(const struct content_keys *keys, char kind)
{
	digest_add(keys->digest, &kind, 1);
	return keys->digest;
}

/* Adds a number in little-endian order. size is in bytes. */
static void add_number(struct digest *digest, uint64_t number, unsigned int size)
{
	uint8_t bytes[8];

	for (unsigned int i = 0; i < size; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
	digest_add(digest, bytes, size);
}

/* Adds the key of an item. If item is NULL, adds zeros. */
static void add_key(struct digest *digest, const struct content_item *item)
{
	digest_add(digest, item ? item->key : none.key, CONTENT_KEY_SIZE);
}

/* Adds the size of a text, and then the text. */
static void add_text(struct digest *digest, const struct pk_dictionary *names, uint32_t id)
{
	size_t size = 0;
	const char *text = pk_dictionary_get_string(names, id, &size);

	add_number(digest, text ? size : 0, 4);
	if (text)
		digest_add(digest, text, size);
}

static void set_key(struct digest *digest, struct content_item *item)
{
	uint8_t bytes[DIGEST_SIZE];

	digest_end(digest, bytes);
	memcpy(item->key, bytes, sizeof(item->key));
}

/* Sets the item's number. Returns true if no item had this key before, so that the number is new.
 * If memory is exhausted, the number stays 0. */
static bool set_number(struct content_kind *kind, struct content_item *item)
{
	struct pk_probe probe;
	uint64_t hash;

	memcpy(&hash, item->key, sizeof(hash));
	probe = pk_table_probe(&kind->numbers, hash);
	while ((item->number = (uint32_t)pk_probe_next(&probe)))
		if (!memcmp(kind->keys[item->number - 1], item->key, sizeof(item->key)))
			return false;
	if (pk_reserve(&kind->keys, &kind->keys_capacity, kind->keys_count, 1, sizeof(item->key)) !=
		    PK_OK ||
	    pk_table_add(&kind->numbers, hash, kind->keys_count + 1) != PK_OK)
		return false;
	memcpy(kind->keys[kind->keys_count++], item->key, sizeof(item->key));
	item->number = (uint32_t)kind->keys_count;
	return true;
}

/* Sets the key and the number of an item. Returns true if the number is new. If memory is
 * exhausted, the number stays 0. */
static bool finish(struct content_kind *kind, struct digest *digest, struct content_item *item)
{
	set_key(digest, item);
	return set_number(kind, item);
}

/* Returns NULL if memory is exhausted. */
static struct content_item *item_of(struct content_kind *kind, uint32_t id)
{
	return pk_extend(&kind->items, &kind->count, id) == PK_OK ? &kind->items[id] : NULL;
}

/* ---- Objects ---- */

/* Returns true if the path of an object is less than its paths so far. A build-id can have several
 * paths. The least one is valid, so that it does not depend on the order of recordings. */
static bool is_least_path(struct content_keys *keys, const struct pk_dso *dso, uint32_t number)
{
	size_t size = 0;
	const char *path = pk_dictionary_get_string(keys->names, dso->path, &size);
	char **least;

	if (!dso->build_id_size || !path ||
	    pk_extend(&keys->paths, &keys->paths_count, number) != PK_OK)
		return false;
	least = &keys->paths[number];
	if (*least && strcmp(path, *least) >= 0)
		return false;
	free(*least);
	*least = strdup(path);
	return true;
}

static bool make_object(struct content_keys *keys, const struct pk_dso *dso,
			struct content_item *item)
{
	struct digest *digest = start_key(keys, dso->build_id_size    ? 'B'
						: content_is_jit(dso) ? 'J'
								      : 'P');
	struct content_row row;
	bool is_new;

	if (dso->build_id_size)
		digest_add(digest, dso->build_id, dso->build_id_size);
	else if (!content_is_jit(dso))
		add_text(digest, keys->names, dso->path);
	is_new = finish(&keys->objects, digest, item);
	if (!item->number)
		return false;
	if (!is_least_path(keys, dso, item->number) && !is_new)
		return true;
	content_object_row(&row, keys->names, item, dso);
	return keys->add(keys->arg, CONTENT_OBJECTS, &row) == PK_OK;
}

/* Returns the item of an object, or NULL if there is no such object. After an error, sets *failed
 * and returns NULL. */
static const struct content_item *object_of(struct content_keys *keys, uint32_t id, bool *failed)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(keys->names, id);
	struct content_item *item;

	if (!dso)
		return NULL;
	item = item_of(&keys->objects, id);
	*failed |= !item || (!item->number && !make_object(keys, dso, item));
	return *failed ? NULL : item;
}

const struct content_item *content_keys_object(const struct content_keys *keys, uint32_t dso)
{
	return pk_dictionary_get_dso(keys->names, dso) ? &keys->objects.items[dso] : NULL;
}

/* ---- Frames ---- */

static void add_frame(const struct content_keys *keys, const struct content_item *object,
		      const struct pk_frame *frame)
{
	const bool address = !frame->function;
	const uint32_t flags = address ? CONTENT_MODES : CONTENT_MODES | PK_FRAME_INLINED;
	struct digest *digest = start_key(keys, address ? 'A' : 'F');

	add_key(digest, object);
	add_number(digest, frame->flags & flags, 1);
	if (address) {
		add_number(digest, frame->address, 8);
		return;
	}
	add_text(digest, keys->names, frame->function);
	add_text(digest, keys->names, frame->file);
	add_number(digest, frame->line, 4);
}

static bool make_frame(struct content_keys *keys, const struct pk_frame *frame,
		       struct content_item *item)
{
	bool failed = false;
	const struct content_item *object = object_of(keys, frame->dso, &failed);
	struct content_row row;

	if (failed)
		return false;
	add_frame(keys, object, frame);
	if (!finish(&keys->frames, keys->digest, item))
		return item->number;
	content_frame_row(&row, keys->names, item, object, frame);
	return keys->add(keys->arg, CONTENT_FRAMES, &row) == PK_OK;
}

/* Returns the item of a frame. After an error, sets *failed and returns NULL. */
static const struct content_item *frame_of(struct content_keys *keys, uint32_t id, bool *failed)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(keys->names, id);
	struct content_item *item = item_of(&keys->frames, id);

	*failed |= !item || (!item->number && !make_frame(keys, frame, item));
	return *failed ? NULL : item;
}

/* ---- Stacks ---- */

/* Returns the stack without those innermost frames that are not code. Returns 0 if no frame is
 * left. */
static uint32_t without_texts(const struct content_keys *keys, uint32_t id)
{
	struct pk_stack_walk frames = pk_stack_walk(keys->names, id);

	while (pk_stack_next(&frames))
		if (frames.kind != PK_FRAME_IS_TEXT)
			return frames.stack;
	return 0;
}

/* Calculates the key of a stack. The stack of the caller must already have a key. */
static bool make_stack(struct content_keys *keys, uint32_t id, bool *failed)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(keys->names, id);
	const uint32_t parent_id = without_texts(keys, stack->parent);
	const struct content_item *parent = parent_id ? &keys->stacks.items[parent_id] : NULL;
	const struct content_item *frame = frame_of(keys, stack->frame, failed);
	struct content_item *item = &keys->stacks.items[id];
	struct digest *digest;
	struct content_row row;

	if (*failed)
		return false;
	digest = start_key(keys, 'S');
	add_key(digest, parent);
	add_key(digest, frame);
	set_key(digest, item);
	item->depth = parent ? parent->depth + 1 : 1;
	if (keys->no_stacks)
		return true;
	if (!set_number(&keys->stacks, item))
		return item->number;
	content_stack_row(&row, item, parent, frame);
	return keys->add(keys->arg, CONTENT_STACKS, &row) == PK_OK;
}

const struct content_item *content_keys_stack(struct content_keys *keys, uint32_t stack,
					      bool *failed)
{
	struct content_item *item;
	size_t length = 0;
	uint32_t id;

	if (stack < keys->stacks.count && keys->stacks.items[stack].number)
		return &keys->stacks.items[stack];
	id = stack = without_texts(keys, stack);
	if (!stack)
		return NULL;
	if (!keys->digest)
		keys->digest = digest_new();
	*failed |= !keys->digest || !item_of(&keys->stacks, stack);
	while (!*failed && id && !keys->stacks.items[id].depth) {
		*failed |= pk_extend(&keys->way, &keys->way_capacity, length) != PK_OK;
		if (*failed)
			break;
		keys->way[length++] = id;
		id = without_texts(keys, pk_dictionary_get_stack(keys->names, id)->parent);
	}
	while (length && !*failed)
		*failed |= !make_stack(keys, keys->way[--length], failed);
	if (*failed)
		return NULL;
	item = &keys->stacks.items[stack];
	if (!item->number)
		set_number(&keys->stacks, item);
	*failed |= !item->number;
	return *failed ? NULL : item;
}

static void free_kind(struct content_kind *kind)
{
	free(kind->items);
	free(kind->keys);
	pk_table_free(&kind->numbers);
}

void content_keys_free(struct content_keys *keys)
{
	free_kind(&keys->objects);
	free_kind(&keys->frames);
	free_kind(&keys->stacks);
	for (size_t i = 0; i < keys->paths_count; i++)
		free(keys->paths[i]);
	free(keys->paths);
	digest_free(keys->digest);
	free(keys->way);
}
