/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TEXTS_H
#define PK_TEXTS_H

/* A set of interned texts. A text can be any bytes. Each distinct text gets a number in the order
 * of addition, starting with 1. A struct of all zero bytes is empty and valid. */

#include <stddef.h>
#include <stdint.h>

#include "table.h"

struct pk_texts_block;

struct pk_texts {
	struct pk_table table; /* from the hash of a text to its number */
	struct pk_texts_item {
		const char *text;
		uint32_t size;
	} * items;
	size_t count, capacity;
	struct pk_texts_block *blocks; /* the memory of the texts; the newest block is first */
};

/* Returns the number of a text of `size` bytes, and adds the text if it is new. Returns 0 if memory
 * is exhausted, or if the size or the number of texts reaches about 2^32. */
uint32_t pk_texts_add(struct pk_texts *texts, const char *text, size_t size);
/* Returns the number of a text, or 0 if the text was not added. */
uint32_t pk_texts_find(const struct pk_texts *texts, const char *text, size_t size);
/* Returns the text with this number, or NULL if there is no such number. The text ends with a NUL,
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
