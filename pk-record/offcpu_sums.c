// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "offcpu_sums.h"
#include "pkutil.h"

#define FIRST_SLOTS 1024

/* Thread and stacks: what stands behind the times. */
#define KEY_OFFSET offsetof(struct offcpu_block, ids)

static struct offcpu_sum *sum_at(const struct offcpu_sums *sums, size_t place)
{
	return (struct offcpu_sum *)(void *)(sums->sums.data + place);
}

static uint64_t hash_of(const struct offcpu_sums *sums, const uint8_t *block, size_t size)
{
	return pk_hash(block + KEY_OFFSET, size - KEY_OFFSET, sums->secret);
}

/* The slot that has the block, or the free one where it belongs. */
static size_t *find(const struct offcpu_sums *sums, const uint8_t *block, size_t size)
{
	size_t i = hash_of(sums, block, size) & (sums->slots_count - 1);

	while (sums->slots[i]) {
		const struct offcpu_sum *sum = sum_at(sums, sums->slots[i] - 1);

		if (sum->size == size && !memcmp((const uint8_t *)&sum->block + KEY_OFFSET,
						 block + KEY_OFFSET, size - KEY_OFFSET))
			break;
		i = (i + 1) & (sums->slots_count - 1);
	}
	return &sums->slots[i];
}

static size_t sum_size(size_t size)
{
	return PK_ALIGN8(offsetof(struct offcpu_sum, block) + size);
}

/* At most half of the slots are taken. */
static bool make_slot(struct offcpu_sums *sums)
{
	const size_t count = sums->slots_count ? 2 * sums->slots_count : FIRST_SLOTS;
	size_t *slots;

	if (2 * sums->count < sums->slots_count)
		return true;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return false;
	free(sums->slots);
	sums->slots = slots;
	sums->slots_count = count;
	if (!sums->secret)
		sums->secret = pk_secret() | 1;
	for (size_t place = 0; place < sums->sums.size;) {
		const struct offcpu_sum *sum = sum_at(sums, place);

		*find(sums, (const uint8_t *)&sum->block, sum->size) = place + 1;
		place += sum_size(sum->size);
	}
	return true;
}

/* 0: none. */
static size_t block_in(const void *data, size_t size)
{
	struct offcpu_block block;
	size_t whole;

	if (size < sizeof(block))
		return 0;
	memcpy(&block, data, sizeof(block));
	whole = sizeof(block) + (size_t)block.user + (size_t)block.kernel;
	return block.user % 8 == 0 && block.kernel % 8 == 0 && whole <= size ? whole : 0;
}

bool offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t available, uint64_t end,
		     uint32_t cpu)
{
	const size_t size = block_in(data, available);
	struct offcpu_block head;
	struct offcpu_sum *sum;
	size_t *slot;

	if (!size || !make_slot(sums) || !buffer_room(&sums->sums, sum_size(size)))
		return false;
	slot = find(sums, data, size);
	if (!*slot) {
		*slot = sums->sums.size + 1;
		sum = sum_at(sums, sums->sums.size);
		*sum = (struct offcpu_sum){.size = (uint32_t)size};
		memcpy(&sum->block, data, size);
		sum->block.time = 0;
		sums->sums.size += sum_size(size);
		sums->count++;
	}
	memcpy(&head, data, sizeof(head));
	sum = sum_at(sums, *slot - 1);
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
	if (sums->count)
		memset(sums->slots, 0, sums->slots_count * sizeof(*sums->slots));
	sums->sums.size = sums->count = 0;
}

void offcpu_sums_free(struct offcpu_sums *sums)
{
	free(sums->sums.data);
	free(sums->slots);
	*sums = (struct offcpu_sums){0};
}
