/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TEXTS_H
#define PK_TEXTS_H

/* Interned texts, or keys of any bytes: each distinct one gets a number, from 1 on, in the order of
 * addition. A struct of all zero bytes is empty and valid. */

#include <stddef.h>
#include <stdint.h>

#include "table.h"

struct pk_texts_block;

struct pk_texts {
	struct pk_table table; /* numbers by hash */
	struct pk_texts_item {
		const char *text;
		uint32_t size;
	} * items;
	size_t count, capacity;
	struct pk_texts_block *blocks; /* memory of the texts, the newest block first */
};

/* Returns the number of a text of `size` bytes, and adds the text if it is new. Returns 0 if memory
 * is exhausted, or if a count or size reaches about 2^32. */
uint32_t pk_texts_add(struct pk_texts *texts, const char *text, size_t size);
/* The number of a text, or 0 if it was not added. */
uint32_t pk_texts_find(const struct pk_texts *texts, const char *text, size_t size);
/* The text with a number, or NULL if there is no such number. A NUL follows it, and its address is
 * a multiple of 8. It is valid until the texts are cleared or freed. `size` may be NULL. */
static inline const char *pk_texts_get(const struct pk_texts *texts, uint32_t number, size_t *size)
{
	static const struct pk_texts_item none;
	const struct pk_texts_item *item =
		number && number <= texts->count ? &texts->items[number - 1] : &none;

	if (size)
		*size = item->size;
	return item->text;
}

/* Gives the text a new number when it is added again. The old number stays valid. */
void pk_texts_retire(struct pk_texts *texts, uint32_t number);
/* Removes all texts. */
void pk_texts_clear(struct pk_texts *texts);
void pk_texts_free(struct pk_texts *texts);

#endif
