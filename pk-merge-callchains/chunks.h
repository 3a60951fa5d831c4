/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHUNKS_H
#define PK_CHUNKS_H

/*
 * Memory for what waits, in chunks of one size: bytes of any number take a list of them, which is
 * given back in whatever order things stop waiting. Freed chunks are used again and never returned
 * to the system before the end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_SIZE 256

struct chunk {
	struct chunk *next;
	uint8_t bytes[CHUNK_SIZE - sizeof(struct chunk *)];
};

struct chunks {
	struct chunk_slab *slabs;
	struct chunk *free;
	uint64_t used; /* chunks that are out */
};

/* One chunk for a struct that fits; NULL: out of memory. */
void *chunk_get(struct chunks *chunks);
void chunk_put(struct chunks *chunks, void *one);
/* Gives a list of them back, or nothing. */
void chunk_give(struct chunks *chunks, struct chunk *list);
/* A copy of size bytes, NULL for 0 of them. False: out of memory. */
bool chunk_store(struct chunks *chunks, const void *data, size_t size, struct chunk **list);
/* Everything, whoever still has it. */
void chunks_free(struct chunks *chunks);

/* Reads bytes in turn, wherever they lie. */
struct chunk_reader {
	const uint8_t *at;
	size_t left; /* in one piece */
	const struct chunk *next;
};

static inline struct chunk_reader chunk_reader_of(const struct chunk *list)
{
	return (struct chunk_reader){list->bytes, sizeof(list->bytes), list->next};
}

static inline struct chunk_reader chunk_reader_of_bytes(const void *data, size_t size)
{
	return (struct chunk_reader){data, size, NULL};
}

/* The next size bytes, which must be there; out may be NULL: they are passed over. */
void chunk_read(struct chunk_reader *reader, uint8_t *out, size_t size);

#endif
