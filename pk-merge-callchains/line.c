// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "line.h"
#include "pkutil.h"

#define BLOCK_SIZE ((size_t)1 << 20)

struct line_block {
	struct line_block *next;
	uint64_t end; /* line.added after its last entry */
	size_t used;
	_Alignas(8) uint8_t bytes[];
};

static void free_blocks(struct line_block *block)
{
	while (block) {
		struct line_block *next = block->next;

		free(block);
		block = next;
	}
}

void line_free(struct line *line)
{
	free_blocks(line->oldest);
	free_blocks(line->unused);
	*line = (struct line){0};
}

/* Makes the blocks reusable whose entries were removed, and which no entry can refer to. */
static void forget_past(struct line *line)
{
	while (line->oldest != line->first && line->oldest->end + LINE_PAST < line->removed) {
		struct line_block *block = line->oldest;

		line->oldest = block->next;
		block->next = line->unused;
		line->unused = block;
	}
}

static bool add_block(struct line *line)
{
	struct line_block *block = line->unused;

	if (block)
		line->unused = block->next;
	else
		block = malloc(sizeof(*block) + BLOCK_SIZE);
	if (!block)
		return false;
	block->next = NULL;
	block->used = 0;
	block->end = line->added;
	if (line->last)
		line->last->next = block;
	else
		line->oldest = line->first = block;
	line->last = block;
	return true;
}

struct held *line_add(struct line *line, size_t front, size_t size)
{
	const size_t all = PK_ALIGN8(front + size);
	struct line_block *block = line->last;
	struct held *held;

	if (pk_unlikely(!block || all > BLOCK_SIZE - block->used)) {
		if (!add_block(line))
			return NULL;
		block = line->last;
	}
	held = (struct held *)(void *)(block->bytes + block->used);
	*held = (struct held){.at = line->added, .size = (uint32_t)size, .record = (uint16_t)front};
	block->used += all;
	line->added += all;
	block->end = line->added;
	return held;
}

struct held *line_first(struct line *line)
{
	if (line->added == line->removed)
		return NULL;
	while (line->first_at == line->first->used) {
		line->first = line->first->next;
		line->first_at = 0;
	}
	return (struct held *)(void *)(line->first->bytes + line->first_at);
}

static size_t size_of(const struct held *held)
{
	return PK_ALIGN8((size_t)held->record + held->size);
}

const struct held *line_after(const struct line *line, const struct held *held)
{
	const uint8_t *next = (const uint8_t *)held + size_of(held);

	return next < line->first->bytes + line->first->used ? (const void *)next : NULL;
}

void line_remove_first(struct line *line)
{
	const size_t all = size_of(line_first(line));

	line->first_at += all;
	line->removed += all;
	if (pk_unlikely(line->first_at == line->first->used))
		forget_past(line);
}
