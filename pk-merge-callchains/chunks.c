// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "chunks.h"

#define SLAB_CHUNKS 1024

struct chunk {
	struct chunk *next;
	uint8_t bytes[CHUNK_SIZE - sizeof(struct chunk *)];
};

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
	return chunk;
}

void chunk_put(struct chunks *chunks, void *one)
{
	struct chunk *chunk = one;

	chunk->next = chunks->free;
	chunks->free = chunk;
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
