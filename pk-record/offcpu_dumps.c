// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "offcpu_dumps.h"
#include "pkutil.h"

/* The addresses that were unwound from a stack dump. */
struct thread_dump {
	uint32_t end, count;
	uint64_t addresses[];
};

/* A block that waits for its dump. */
struct waiting {
	uint64_t time;
	uint32_t cpu, size; /* `size` is the size of the block in bytes */
	struct offcpu_block block;
};

/* ---- Dumps ---- */

static void drop_all(struct offcpu_dumps *dumps)
{
	struct thread_dump *dump;
	size_t cursor = 0;

	while ((dump = pk_table_next_value(&dumps->starts, &cursor)))
		free(dump);
	pk_table_clear(&dumps->starts);
}

/* Returns the key of a block. It is unique because a thread can only be in one block at a time. */
static uint64_t key_of(uint32_t tid, uint64_t start)
{
	return start ^ (uint64_t)tid << 40;
}

static enum pk_status keep(struct offcpu_dumps *dumps, const struct unwind_half *half)
{
	const size_t size = half->count * sizeof(half->addresses[0]);
	struct thread_dump *dump = malloc(sizeof(*dump) + size);
	const uint64_t key = key_of(half->tid, half->ip);
	struct thread_dump *before = pk_table_get(&dumps->starts, key);

	if (!dump)
		return PK_NOMEM;
	*dump = (struct thread_dump){.end = half->end, .count = half->count};
	memcpy(dump->addresses, half->addresses, size);
	if (!before && dumps->starts.count == OFFCPU_DUMPS_MAX)
		drop_all(dumps); /* The blocks of these dumps were too short, or have not ended yet.
				  */
	if (pk_table_set(&dumps->starts, key, dump) != PK_OK) {
		free(dump);
		return PK_NOMEM;
	}
	free(before);
	return PK_OK;
}

enum pk_status offcpu_dumps_add(struct offcpu_dumps *dumps, struct unwind_joins *joins,
				const uint8_t *data, size_t size)
{
	struct unwind_half *half = malloc(sizeof(*half));
	enum pk_status status = PK_CORRUPT;

	if (!half)
		return PK_NOMEM;
	size = size < sizeof(*half) ? size : sizeof(*half);
	memcpy(half, data, size);
	if (size >= offsetof(struct unwind_half, addresses) && half->end & UNWIND_DUMP &&
	    unwind_half_is_valid(half, size)) {
		joins->unwind(joins->arg, half);
		status = keep(dumps, half);
	}
	free(half);
	return status;
}

/* ---- Blocks ---- */

enum pk_status offcpu_dumps_wait(struct offcpu_dumps *dumps, const uint8_t *block, size_t size,
				 uint64_t time, uint32_t cpu)
{
	const size_t head = offsetof(struct waiting, block);
	struct waiting waiting = {.time = time, .cpu = cpu, .size = (uint32_t)size};
	char *to = buffer_room(&dumps->waiting, PK_ALIGN8(head + size));

	if (!to)
		return PK_NOMEM;
	memcpy(to, &waiting, head);
	memcpy(to + head, block, size);
	dumps->waiting.size += PK_ALIGN8(head + size);
	return PK_OK;
}

const struct offcpu_block *offcpu_dumps_join(struct offcpu_dumps *dumps,
					     const struct offcpu_block *block, size_t *size)
{
	const uint64_t key = key_of((uint32_t)block->ids, block->dump);
	struct thread_dump *dump = pk_table_get(&dumps->starts, key);
	struct offcpu_block head = *block;

	head.dump = 0;
	head.user = dump ? (uint32_t)(dump->count * sizeof(dump->addresses[0])) : 0;
	head.end = dump ? dump->end : PK_UNWIND_NOT_LOADED;
	dumps->joined.size = 0;
	buffer_add(&dumps->joined, &head, sizeof(head));
	if (dump)
		buffer_add(&dumps->joined, dump->addresses, head.user);
	buffer_add(&dumps->joined, (const uint8_t *)(block + 1) + block->user,
		   (size_t)block->kernel + block->waker);
	if (dump)
		pk_table_remove(&dumps->starts, key);
	free(dump);
	*size = dumps->joined.size;
	if (!dumps->joined.failed)
		return (const void *)dumps->joined.data;
	dumps->joined.failed = false;
	return NULL;
}

void offcpu_dumps_each(struct offcpu_dumps *dumps, size_t before,
		       void (*each)(void *arg, const struct offcpu_block *block, size_t size,
				    uint64_t time, uint32_t cpu),
		       void *arg)
{
	const struct waiting *waiting;

	for (size_t at = 0; at < before;
	     at += PK_ALIGN8(offsetof(struct waiting, block) + waiting->size)) {
		waiting = (const void *)(dumps->waiting.data + at);
		each(arg, &waiting->block, waiting->size, waiting->time, waiting->cpu);
	}
	if (!before)
		return;
	dumps->waiting.size -= before;
	memmove(dumps->waiting.data, dumps->waiting.data + before, dumps->waiting.size);
}

void offcpu_dumps_free(struct offcpu_dumps *dumps)
{
	drop_all(dumps);
	pk_table_free(&dumps->starts);
	free(dumps->waiting.data);
	free(dumps->joined.data);
}
