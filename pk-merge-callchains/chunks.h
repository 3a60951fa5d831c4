/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHUNKS_H
#define PK_CHUNKS_H

/* Memory for queued data, in chunks of one size: any number of bytes is stored in a list of chunks,
 * and lists are returned in any order. Free chunks are reused; the system gets them back only at
 * the end. */

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
	uint64_t used; /* number of chunks in use */
};

/* A chunk for a struct that fits into one; NULL: out of memory. */
void *chunk_get(struct chunks *chunks);
void chunk_put(struct chunks *chunks, void *one);
/* Returns a list of chunks; NULL is allowed. */
void chunk_give(struct chunks *chunks, struct chunk *list);
/* Copies size bytes; NULL for size 0. False: out of memory. */
bool chunk_store(struct chunks *chunks, const void *data, size_t size, struct chunk **list);
/* Frees all chunks, also those in use. */
void chunks_free(struct chunks *chunks);

/* Reads bytes of a list in order. */
struct chunk_reader {
	const uint8_t *at;
	size_t left; /* contiguous bytes that remain */
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

/* Reads the next size bytes, which must exist; out NULL: skips them. */
void chunk_read(struct chunk_reader *reader, uint8_t *out, size_t size);

#endif
