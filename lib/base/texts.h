/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TEXTS_H
#define PK_TEXTS_H

/* A set of interned texts. A text can be any bytes. Each distinct text gets a number that
 * identifies it. The numbers start with 1, and are in the order in which the texts are added. A
 * struct of all zero bytes is empty and valid. */

#include <stddef.h>
#include <stdint.h>

#include "table.h"

struct pk_texts_block;

/* A set of texts, in which each text has a number. */
struct pk_texts {
	struct pk_table table; /* The key is the hash of a text. The value is the number that the
				* text got. */
	struct pk_texts_item {
		const char *text;
		uint32_t size;
	} * items;
	size_t count, capacity;
	struct pk_texts_block *
		blocks; /* the blocks of memory that contain the texts; the newest block is first */
};

/* Returns the number that identifies a text of `size` bytes, and adds the text if it is new.
 * Returns 0 if memory is exhausted, or if the size or the count of texts reaches about 2^32. */
uint32_t pk_texts_add(struct pk_texts *texts, const char *text, size_t size);
/* Returns the number that identifies a text, or 0 if the text was not added. */
uint32_t pk_texts_find(const struct pk_texts *texts, const char *text, size_t size);
/* Returns the text that this number identifies, or NULL if there is none. The text ends with a NUL,
 * and its address is a multiple of 8. The text is valid until the texts are cleared or freed.
 * `size` can be NULL. */
static inline const char *pk_texts_get(const struct pk_texts *texts, uint32_t number, size_t *size)
{
	static const struct pk_texts_item none;
	const struct pk_texts_item *item =
		number && number <= texts->count ? &texts->items[number - 1] : &none;

	if (size)
		*size = item->size;
	return item->text;
}

/* If this text is added again later, it gets a new number. The old number stays valid. */
void pk_texts_retire(struct pk_texts *texts, uint32_t number);
void pk_texts_clear(struct pk_texts *texts);
void pk_texts_free(struct pk_texts *texts);

#endif
