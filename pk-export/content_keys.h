/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_CONTENT_KEYS_H
#define EXPORT_CONTENT_KEYS_H

/* Calculates keys of objects, frames and stacks (SPEC, appendix C). A key depends only on the
 * content of the item, so it is the same on every machine. Each key is calculated only once. */

#include "content_tables.h"
#include "digest.h"
#include "pkstream.h"
#include "table.h"

/* The keys of all objects, frames and stacks that were calculated so far. */
struct content_keys {
	/* The caller sets these members: */
	const struct pk_dictionary *names;
	/* This function is called for each new item, after the items to which it refers. It is
	 * called again for an object whose path in another recording is less. The row is
	 * valid during the call. If no_stacks is true, it is not called for stacks, and only stacks
	 * that are passed to content_keys_stack() get numbers. Another result than PK_OK is an
	 * error, which stops the calculation. */
	enum pk_status (*add)(void *arg, enum content_table table, const struct content_row *row);
	bool no_stacks;
	void *arg;
	/* Only content_keys.c uses these members: */
	struct content_kind {
		/* The items of the dictionary that were seen so far. The index is the id in the
		 * dictionary. A `number` or `depth` of 0 is unknown. */
		struct content_item *items;
		size_t count;
		uint8_t (*keys)[CONTENT_KEY_SIZE]; /* the keys of the items; the index is
						    * content_item.number - 1 */
		size_t keys_count, keys_capacity;
		/* Finds the number of an item by the first bytes of its key. */
		struct pk_table numbers;
	} objects, frames, stacks;
	char **paths; /* the least path of each object so far, by content_item.number */
	size_t paths_count;
	struct digest *digest; /* calculates the keys; NULL before the first key */
	uint32_t *way;
	size_t way_capacity;
};

/* Calculates the key of a stack. The result is valid until the next call. Returns NULL if the stack
 * has no frames. Sets *failed if memory is exhausted, or if a call of add() has failed. */
const struct content_item *content_keys_stack(struct content_keys *keys, uint32_t stack,
					      bool *failed);
/* Returns the item of a frame. The frame must be in a stack whose key was calculated. */
static inline const struct content_item *content_keys_frame(const struct content_keys *keys,
							    uint32_t frame)
{
	return &keys->frames.items[frame];
}
/* Returns the item of an object. The object must belong to a frame of a stack whose key was
 * calculated. Returns NULL if the frame has no object. */
const struct content_item *content_keys_object(const struct content_keys *keys, uint32_t dso);
/* Returns the key of the stack with this number. The key has CONTENT_KEY_SIZE bytes. */
static inline const void *content_keys_of_number(const struct content_keys *keys, uint32_t number)
{
	return keys->stacks.keys[number - 1];
}
void content_keys_free(struct content_keys *keys);

#endif
