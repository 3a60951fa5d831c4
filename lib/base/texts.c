// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "vector.h"

/* BLOCK_MIN is the size in bytes of the first block. Each block is twice as large as the previous
 * block, but not larger than BLOCK_MAX. If a single text needs more space than BLOCK_MAX, its block
 * is larger. */
#define BLOCK_MIN ((size_t)1 << 10)
#define BLOCK_MAX ((size_t)1 << 18)

struct pk_texts_block {
	struct pk_texts_block *next;
	size_t size, capacity;
	_Alignas(8) char data[];
};

static uint32_t find_text(const struct pk_texts *texts, uint64_t hash, const char *text,
			  size_t size)
{
	struct pk_probe probe = pk_table_probe(&texts->table, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct pk_texts_item *item = &texts->items[number - 1];

		if (item->size == size && !memcmp(item->text, text, size))
			return (uint32_t)number;
	}
	return 0;
}

uint32_t pk_texts_find(const struct pk_texts *texts, const char *text, size_t size)
{
	return texts->count ? find_text(texts, pk_hash(text, size, texts->table.secret), text, size)
			    : 0;
}

/* Returns memory for a text of `size` bytes and its NUL. Returns NULL if memory is exhausted. */
static char *make_room(struct pk_texts *texts, size_t size)
{
	const size_t needed = (size + 1 + 7) & ~(size_t)7;
	struct pk_texts_block *block = texts->blocks;
	size_t capacity = BLOCK_MIN;

	if (!block || block->capacity - block->size < needed) {
		if (block && 2 * block->capacity > capacity)
			capacity =
				2 * block->capacity < BLOCK_MAX ? 2 * block->capacity : BLOCK_MAX;
		if (capacity < needed)
			capacity = needed;
		block = malloc(sizeof(*block) + capacity);
		if (!block)
			return NULL;
		*block = (struct pk_texts_block){.next = texts->blocks, .capacity = capacity};
		texts->blocks = block;
	}
	block->size += needed;
	return block->data + block->size - needed;
}

uint32_t pk_texts_add(struct pk_texts *texts, const char *text, size_t size)
{
	const uint64_t hash = pk_hash(text, size, pk_table_secret(&texts->table));
	uint32_t number = find_text(texts, hash, text, size);
	char *copy;

	if (number)
		return number;
	if (size > UINT32_MAX - 8 || texts->count >= UINT32_MAX - 1 ||
	    pk_vector_reserve(texts, 1) != PK_OK ||
	    pk_table_reserve(&texts->table, texts->table.count + 1) != PK_OK)
		return 0;
	copy = make_room(texts, size);
	if (!copy || pk_table_add(&texts->table, hash, texts->count + 1) != PK_OK)
		return 0;
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	texts->items[texts->count++] = (struct pk_texts_item){copy, (uint32_t)size};
	return (uint32_t)texts->count;
}

void pk_texts_retire(struct pk_texts *texts, uint32_t number)
{
	const struct pk_texts_item *item = &texts->items[number - 1];

	pk_table_remove_entry(&texts->table, pk_hash(item->text, item->size, texts->table.secret),
			      number);
}

void pk_texts_clear(struct pk_texts *texts)
{
	struct pk_texts_block *block;

	while ((block = texts->blocks)) {
		texts->blocks = block->next;
		free(block);
	}
	pk_table_clear(&texts->table);
	texts->count = 0;
}

void pk_texts_free(struct pk_texts *texts)
{
	pk_texts_clear(texts);
	pk_table_free(&texts->table);
	free(texts->items);
	*texts = (struct pk_texts){0};
}
