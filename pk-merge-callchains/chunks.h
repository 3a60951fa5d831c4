/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHUNKS_H
#define PK_CHUNKS_H

/* Memory for structs of at most CHUNK_SIZE bytes. Returned chunks are reused; chunks_free() returns
 * the memory to the system. */

#define CHUNK_SIZE 128

struct chunks {
	struct chunk_slab *slabs;
	struct chunk *free;
};

/* NULL: out of memory. */
void *chunk_get(struct chunks *chunks);
void chunk_put(struct chunks *chunks, void *one);
/* Frees all chunks, also those in use. */
void chunks_free(struct chunks *chunks);

#endif
