// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "offcpu_sums.h"
#include "pkutil.h"

/* The key of a sum is all bytes of a block after its times: the thread and the stacks. */
#define KEY_OFFSET offsetof(struct offcpu_block, ids)

static struct offcpu_sum *sum_at(const struct offcpu_sums *sums, size_t place)
{
	return (struct offcpu_sum *)(void *)(sums->sums.data + place);
}

static uint64_t hash_of(struct offcpu_sums *sums, const uint8_t *block, size_t size)
{
	return pk_hash(block + KEY_OFFSET, size - KEY_OFFSET, pk_table_secret(&sums->places));
}

/* Finds the sum of blocks with the same thread and stacks; NULL: none. */
static struct offcpu_sum *find(const struct offcpu_sums *sums, const uint8_t *block, size_t size,
			       uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&sums->places, hash);
	uint64_t place;

	while ((place = pk_probe_next(&probe))) {
		struct offcpu_sum *sum = sum_at(sums, place - 1);

		if (sum->size == size && !memcmp((const uint8_t *)&sum->block + KEY_OFFSET,
						 block + KEY_OFFSET, size - KEY_OFFSET))
			return sum;
	}
	return NULL;
}

static size_t sum_size(size_t size)
{
	return PK_ALIGN8(offsetof(struct offcpu_sum, block) + size);
}

static struct offcpu_sum *add(struct offcpu_sums *sums, const uint8_t *block, size_t size,
			      uint64_t hash)
{
	struct offcpu_sum *sum;

	if (!buffer_room(&sums->sums, sum_size(size)) ||
	    !pk_table_add(&sums->places, hash, sums->sums.size + 1))
		return NULL;
	sum = sum_at(sums, sums->sums.size);
	*sum = (struct offcpu_sum){.size = (uint32_t)size};
	memcpy(&sum->block, block, size);
	sum->block.time = 0;
	sums->sums.size += sum_size(size);
	return sum;
}

/* The size of the block at the start of data, without padding; 0: invalid. */
static size_t block_in(const void *data, size_t size)
{
	struct offcpu_block block;
	uint64_t whole;

	if (size < sizeof(block))
		return 0;
	memcpy(&block, data, sizeof(block));
	whole = sizeof(block) + (uint64_t)block.user + block.kernel;
	return block.user % 8 == 0 && block.kernel % 8 == 0 && whole <= size ? (size_t)whole : 0;
}

bool offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t available, uint64_t end,
		     uint32_t cpu)
{
	const size_t size = block_in(data, available);
	const uint64_t hash = size ? hash_of(sums, data, size) : 0;
	struct offcpu_block head;
	struct offcpu_sum *sum;

	if (!size)
		return false;
	sum = find(sums, data, size, hash);
	if (!sum)
		sum = add(sums, data, size, hash);
	if (!sum)
		return false;
	memcpy(&head, data, sizeof(head));
	sum->block.time += head.time;
	if (end >= sum->end) {
		sum->end = end;
		sum->cpu = cpu;
	}
	return true;
}

void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, const struct offcpu_sum *sum), void *arg)
{
	for (size_t place = 0; place < sums->sums.size;
	     place += sum_size(sum_at(sums, place)->size))
		each(arg, sum_at(sums, place));
}

void offcpu_sums_clear(struct offcpu_sums *sums)
{
	pk_table_clear(&sums->places);
	sums->sums.size = 0;
}

void offcpu_sums_free(struct offcpu_sums *sums)
{
	free(sums->sums.data);
	pk_table_free(&sums->places);
	*sums = (struct offcpu_sums){0};
}
