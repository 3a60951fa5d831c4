// SPDX-License-Identifier: BSD-2-Clause
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf_call.h"
#include "bpf_maps.h"
#include "pkutil.h"
#include "vector.h"

/* The kernel maps a page with the position of the consumer, a page with the position of the
 * producer, and the data. It maps the data twice, so that each record is contiguous. */
static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

enum pk_status bpf_ring_map(struct bpf_ring *ring, int fd, size_t size)
{
	const size_t page = page_size();
	void *consumed = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *produced;

	if (consumed == MAP_FAILED)
		return PK_IO;
	produced = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, fd, (off_t)page);
	if (produced == MAP_FAILED) {
		munmap(consumed, page);
		return PK_IO;
	}
	*ring = (struct bpf_ring){.consumed = consumed,
				  .produced = produced,
				  .data = (const uint8_t *)produced + page,
				  .size = size};
	return PK_OK;
}

void bpf_ring_unmap(struct bpf_ring *ring)
{
	if (!ring->data)
		return;
	munmap(ring->consumed, page_size());
	munmap((void *)(uintptr_t)ring->produced, page_size() + 2 * ring->size);
	*ring = (struct bpf_ring){.data = NULL};
}

size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg)
{
	const uint64_t end = __atomic_load_n(ring->produced, __ATOMIC_ACQUIRE);
	const uint64_t start = __atomic_load_n(ring->consumed, __ATOMIC_RELAXED);
	uint64_t at = start;
	size_t count = 0;

	while (at < end && at - start < most) {
		const uint8_t *record = ring->data + (at & (ring->size - 1));
		const uint32_t word = __atomic_load_n((const uint32_t *)record, __ATOMIC_ACQUIRE);
		const uint32_t size = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (word & BPF_RINGBUF_BUSY_BIT || size > ring->size - BPF_RINGBUF_HDR_SZ)
			break;
		if (!(word & BPF_RINGBUF_DISCARD_BIT)) {
			each(arg, record + BPF_RINGBUF_HDR_SZ, size);
			count++;
		}
		at += PK_ALIGN8((uint64_t)size + BPF_RINGBUF_HDR_SZ);
	}
	__atomic_store_n(ring->consumed, at, __ATOMIC_RELEASE);
	return count;
}

bool bpf_counts_possible(uint32_t type)
{
	switch (type) {
	case BPF_MAP_TYPE_ARRAY:
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_LRU_HASH:
	case BPF_MAP_TYPE_LRU_PERCPU_HASH: return true;
	default: return false;
	}
}

static bool is_per_cpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* The kernel aligns the value of each CPU to 8 bytes. */
static size_t stride_of(const struct bpf_counts *counts)
{
	return PK_ALIGN8((size_t)counts->map.value_size);
}

static uint32_t slots_of(const struct bpf_counts *counts)
{
	return counts->counter.count ? counts->counter.count : 1;
}

enum pk_status bpf_counts_init(struct bpf_counts *counts, const struct bpf_library_map *map,
			       const struct pk_raw_field *counter, uint32_t cpus)
{
	*counts = (struct bpf_counts){
		.map = *map, .counter = *counter, .cpus = is_per_cpu(map->type) ? cpus : 1};
	counts->by_index =
		map->type == BPF_MAP_TYPE_ARRAY || map->type == BPF_MAP_TYPE_PERCPU_ARRAY;
	counts->value = calloc(counts->cpus, stride_of(counts));
	return counts->value ? PK_OK : PK_NOMEM;
}

void bpf_counts_free(struct bpf_counts *counts)
{
	free(counts->value);
	free(counts->keys);
	free(counts->last);
	pk_table_free(&counts->places);
	*counts = (struct bpf_counts){.cut = false};
}

/* Returns the last counts of a key. If the key is new, adds it. Returns NULL if memory is
 * exhausted. */
static uint64_t *last_of(struct bpf_counts *counts, const void *key)
{
	const size_t size = counts->map.key_size, slots = slots_of(counts);
	const uint64_t hash = pk_hash(key, size, pk_table_secret(&counts->places));
	uint64_t place;

	for (struct pk_probe probe = pk_table_probe(&counts->places, hash);
	     (place = pk_probe_next(&probe));)
		if (!memcmp(counts->keys + (place - 1) * size, key, size))
			return counts->last + (place - 1) * slots;
	if (pk_reserve(&counts->keys, &counts->keys_capacity, counts->count, 1, size) != PK_OK ||
	    pk_reserve(&counts->last, &counts->last_capacity, counts->count, 1,
		       slots * sizeof(*counts->last)) != PK_OK ||
	    pk_table_add(&counts->places, hash, counts->count + 1) != PK_OK)
		return NULL;
	memcpy(counts->keys + counts->count * size, key, size);
	memset(counts->last + counts->count * slots, 0, slots * sizeof(*counts->last));
	return counts->last + counts->count++ * slots;
}

static uint64_t sum_of(const struct bpf_counts *counts, uint32_t slot)
{
	struct pk_raw_field field = counts->counter;
	uint64_t sum = 0;

	field.offset += slot * field.size;
	for (uint32_t cpu = 0; cpu < counts->cpus; cpu++)
		sum += pk_raw_number(&field, counts->value + cpu * stride_of(counts),
				     counts->map.value_size);
	return sum;
}

struct reading {
	void (*each)(void *arg, const uint8_t *key, uint32_t slot, uint64_t count);
	void *arg;
};

static enum pk_status read_key(struct bpf_counts *counts, const void *key,
			       const struct reading *reading)
{
	uint64_t *last = NULL, sum;

	if (bpf_access_map(BPF_MAP_LOOKUP_ELEM, counts->map.fd, key, counts->value) < 0)
		return PK_OK; /* a BPF program has deleted the key meanwhile; this is not an error
			       */
	for (uint32_t slot = 0; slot < slots_of(counts); slot++) {
		sum = sum_of(counts, slot);
		if (!sum && !last)
			continue;
		if (!last && !(last = last_of(counts, key)))
			return PK_NOMEM;
		/* If the count became smaller, the key was deleted and added again, so that the
		 * counter started at 0. */
		if (sum != last[slot])
			reading->each(reading->arg, key, slot,
				      sum > last[slot] ? sum - last[slot] : sum);
		last[slot] = sum;
	}
	return PK_OK;
}

static enum pk_status read_indexes(struct bpf_counts *counts, const struct reading *reading)
{
	counts->cut |= counts->map.entries > BPF_COUNTS_KEYS_MAX;
	for (uint32_t i = 0; i < counts->map.entries && i < BPF_COUNTS_KEYS_MAX; i++)
		PK_TRY(read_key(counts, &i, reading));
	return PK_OK;
}

/* Reads all keys. If a program deletes the current key, the kernel starts again with the first key.
 * This does no harm: when a key is read twice, only the growth of its counts is reported. */
static enum pk_status read_keys(struct bpf_counts *counts, const struct reading *reading)
{
	uint8_t *keys = calloc(2, counts->map.key_size), *key = NULL, *next = keys;
	enum pk_status status = keys ? PK_OK : PK_NOMEM;
	uint32_t i;

	for (i = 0; !status && i < BPF_COUNTS_KEYS_MAX &&
		    bpf_access_map(BPF_MAP_GET_NEXT_KEY, counts->map.fd, key, next) == 0;
	     i++) {
		status = read_key(counts, next, reading);
		key = next;
		next = key == keys ? keys + counts->map.key_size : keys;
	}
	counts->cut |= i == BPF_COUNTS_KEYS_MAX;
	free(keys);
	return status;
}

enum pk_status bpf_counts_read(struct bpf_counts *counts,
			       void (*each)(void *arg, const uint8_t *key, uint32_t slot,
					    uint64_t count),
			       void *arg)
{
	const struct reading reading = {each, arg};

	return counts->by_index ? read_indexes(counts, &reading) : read_keys(counts, &reading);
}
