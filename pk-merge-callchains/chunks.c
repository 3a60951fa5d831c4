// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "chunks.h"

#define SLAB_CHUNKS 1024

struct chunk_slab {
	struct chunk_slab *next;
	_Alignas(CHUNK_SIZE) struct chunk chunks[SLAB_CHUNKS];
};

_Static_assert(sizeof(struct chunk) == CHUNK_SIZE, "struct chunk");

static bool add_slab(struct chunks *chunks)
{
	struct chunk_slab *slab = aligned_alloc(CHUNK_SIZE, sizeof(*slab));

	if (!slab)
		return false;
	slab->next = chunks->slabs;
	chunks->slabs = slab;
	for (size_t i = SLAB_CHUNKS; i > 0; i--) {
		slab->chunks[i - 1].next = chunks->free;
		chunks->free = &slab->chunks[i - 1];
	}
	return true;
}

void *chunk_get(struct chunks *chunks)
{
	struct chunk *chunk;

	if (!chunks->free && !add_slab(chunks))
		return NULL;
	chunk = chunks->free;
	chunks->free = chunk->next;
	chunks->used++;
	return chunk;
}

void chunk_put(struct chunks *chunks, void *one)
{
	struct chunk *chunk = one;

	chunk->next = chunks->free;
	chunks->free = chunk;
	chunks->used--;
}

void chunk_give(struct chunks *chunks, struct chunk *list)
{
	while (list) {
		struct chunk *next = list->next;

		chunk_put(chunks, list);
		list = next;
	}
}

bool chunk_store(struct chunks *chunks, const void *data, size_t size, struct chunk **list)
{
	struct chunk **last = list;
	const uint8_t *from = data;

	*list = NULL;
	while (size) {
		size_t piece = size < sizeof((*last)->bytes) ? size : sizeof((*last)->bytes);
		struct chunk *chunk = chunk_get(chunks);

		if (!chunk) {
			chunk_give(chunks, *list);
			return false;
		}
		chunk_copy(chunk->bytes, from, piece);
		chunk->next = NULL;
		*last = chunk;
		last = &chunk->next;
		from += piece;
		size -= piece;
	}
	return true;
}

void chunks_free(struct chunks *chunks)
{
	while (chunks->slabs) {
		struct chunk_slab *next = chunks->slabs->next;

		free(chunks->slabs);
		chunks->slabs = next;
	}
	*chunks = (struct chunks){0};
}

void chunk_read_more(struct chunk_reader *reader, uint8_t *out, size_t size)
{
	while (size) {
		size_t piece = size < reader->left ? size : reader->left;

		if (!piece) {
			assert(reader->next);
			*reader = chunk_reader_of(reader->next);
			continue;
		}
		if (out) {
			memcpy(out, reader->at, piece);
			out += piece;
		}
		reader->at += piece;
		reader->left -= piece;
		size -= piece;
	}
}
