/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_CONTENT_KEYS_H
#define EXPORT_CONTENT_KEYS_H

/* Keys of objects, frames and stacks that depend only on their content (SPEC, appendix C), so that
 * they are equal on every machine. Each key is calculated once. */

#include "content_tables.h"
#include "digest.h"
#include "pkstream.h"
#include "table.h"

struct content_keys {
	/* Set by the caller: */
	const struct pk_dictionary *names;
	/* Called for each new item, after those that it refers to. The row is valid during the
	 * call. If no_stacks is set, there are no calls for stacks, and only stacks of
	 * content_keys_stack() get numbers. Returns false to stop. */
	enum pk_status (*add)(void *arg, enum content_table table, const struct content_row *row);
	bool no_stacks;
	void *arg;
	/* Private to the keys: */
	struct content_kind {
		struct content_item *items; /* by id; number 0, of stacks depth 0: unknown */
		size_t count;
		uint8_t (*keys)[CONTENT_KEY_SIZE]; /* by number - 1 */
		size_t keys_count, keys_capacity;
		struct pk_table numbers; /* by the first bytes of the key */
	} objects, frames, stacks;
	struct digest *digest; /* NULL: not yet allocated */
	uint32_t *way;
	size_t way_capacity;
};

/* Calculates the key of a stack, valid until the next call. Returns NULL if the stack has no
 * frames. Sets *failed if memory is exhausted, or a call of `add` returned false. */
const struct content_item *content_keys_stack(struct content_keys *keys, uint32_t stack,
					      bool *failed);
/* The key of a frame of a stack whose key was calculated. */
static inline const struct content_item *content_keys_frame(const struct content_keys *keys,
							    uint32_t frame)
{
	return &keys->frames.items[frame];
}
/* The same for the object of such a frame. Returns NULL if it has none. */
const struct content_item *content_keys_object(const struct content_keys *keys, uint32_t dso);
/* The key of the stack with a number: CONTENT_KEY_SIZE bytes. */
static inline const void *content_keys_of_number(const struct content_keys *keys, uint32_t number)
{
	return keys->stacks.keys[number - 1];
}
void content_keys_free(struct content_keys *keys);

#endif
