/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHUNKS_H
#define PK_CHUNKS_H

/* Memory for queued data, in chunks of CHUNK_SIZE bytes. Data of any size is stored in a list of
 * chunks. Returned chunks are reused; chunks_free() returns the memory to the system. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Copies some hundred bytes or less, without the start-up time of memcpy() or of the processor's
 * string instructions. */
static inline void chunk_copy(uint8_t *out, const uint8_t *from, size_t size)
{
	for (; size >= 32; size -= 32, out += 32, from += 32)
		memcpy(out, from, 32);
	for (; size >= 8; size -= 8, out += 8, from += 8)
		memcpy(out, from, 8);
	while (size--)
		*out++ = *from++;
}

/* Returns a chunk as memory for a struct of at most CHUNK_SIZE bytes; NULL: out of memory. */
void *chunk_get(struct chunks *chunks);
void chunk_put(struct chunks *chunks, void *one);
/* Returns a list of chunks; NULL is allowed. */
void chunk_give(struct chunks *chunks, struct chunk *list);
/* Copies size bytes to a new list; *list is NULL for size 0. False: out of memory. */
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
void chunk_read_more(struct chunk_reader *reader, uint8_t *out, size_t size);

static inline void chunk_read(struct chunk_reader *reader, uint8_t *out, size_t size)
{
	if (__builtin_expect(size > reader->left, 0)) {
		chunk_read_more(reader, out, size);
		return;
	}
	if (out)
		chunk_copy(out, reader->at, size);
	reader->at += size;
	reader->left -= size;
}

#endif
