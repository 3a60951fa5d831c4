/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_CONTENT_KEYS_H
#define EXPORT_CONTENT_KEYS_H

/* Keys of objects, frames and stacks that depend only on their content (SPEC, appendix C), so that
 * they are equal on every machine. Each key is calculated once. */

#include "digest.h"
#include "pkstream.h"
#include "table.h"

#define CONTENT_KEY_SIZE 16

/* An item with its key. Items with equal keys have equal numbers. */
struct content_item {
	uint8_t key[CONTENT_KEY_SIZE];
	uint32_t number; /* from 1 on, for each kind of item */
	uint32_t depth;	 /* of a stack: its frames */
};

struct content_keys {
	/* Set by the caller: */
	const struct pk_dictionary *names;
	/* Called for each new item, after those that it refers to. May be NULL if there is no call
	 * for it. Returns false to stop. If `stack` is NULL, only stacks of content_keys_stack()
	 * get numbers. */
	bool (*object)(void *arg, const struct content_item *object, const struct pk_dso *dso);
	bool (*frame)(void *arg, const struct content_item *frame,
		      const struct content_item *object, const struct pk_frame *content);
	bool (*stack)(void *arg, const struct content_item *stack,
		      const struct content_item *parent, const struct content_item *frame);
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

/* The word for the frame's processor mode, as that of the field "mode". */
const char *content_mode(const struct pk_frame *frame);
/* The path of an object. Code of a JIT compiler has a name of its process, if any: all of it is one
 * object, "[jit]". NULL: none. */
const char *content_path(const struct content_keys *keys, const struct pk_dso *dso, size_t *size);
/* Calculates the key of a stack, valid until the next call. Returns NULL if the stack has no
 * frames. Sets *failed if memory is exhausted, or a callback returned false. */
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
