/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DICTIONARY_INTERNAL_H
#define DICTIONARY_INTERNAL_H

/* The dictionary's insides, shared by dictionary.c (storage, reading) and intern.c (finding,
 * writing). */

#include "stream_internal.h"
#include "table.h"
#include "vector.h"

#define PK_RESET_ALL (1u << PK_STRING | 1u << PK_DSO | 1u << PK_FRAME | 1u << PK_STACK)

enum pk_kind_index { PK_KIND_STRING, PK_KIND_DSO, PK_KIND_FRAME, PK_KIND_STACK, PK_KINDS };

struct pk_text {
	const char *text;
	size_t size;
};

/* Items of one kind, ids base + 1 to base + count. */
struct pk_kind {
	void *items;
	size_t size; /* of one */
	size_t capacity;
	uint32_t base, count;
	struct pk_table ids; /* by hash of the content; of stacks by parent and frame */
};

/* The child that was last looked for below a stack: stacks that lie together in a path lie together
 * here, so that walking down a known path costs less memory traffic than the slots do. */
struct pk_stack_hint {
	uint32_t frame, child; /* child 0: none */
};

/* Where strings are kept. */
struct pk_chunk {
	struct pk_chunk *next;
	size_t used, capacity;
	char data[];
};

struct pk_dictionary {
	struct pk_writer *writer;
	struct pk_kind kinds[PK_KINDS];
	struct pk_stack_hint *hints; /* of id base + i at i; of no parent at 0 */
	size_t hints_capacity;
	struct pk_chunk *chunks;
	size_t chunk_bytes;
};

const void *pk_kind_get(const struct pk_kind *kind, uint32_t id);
/* The new item's id; 0 if memory or ids are exhausted. */
uint32_t pk_kind_append(struct pk_kind *kind, const void *item);
const char *pk_dictionary_keep(struct pk_dictionary *dictionary, const void *text, size_t size);

#endif
