// SPDX-License-Identifier: BSD-2-Clause
/* The set of addresses of sampled memory that is still allocated. free() looks up each address, and
 * nearly all addresses are not in the set. A small table of counters answers most lookups. */
#include <stdatomic.h>

#include "preload.h"

/* The size of the set: buckets of one cache line each, which are only touched by samples. */
#define BUCKET_BITS 15
#define BUCKETS	    (1u << BUCKET_BITS)
#define SLOTS	    8 /* addresses in a bucket */
#define NEIGHBOURS  4 /* an address is in its bucket or in one of the next ones */
/* Number of counters. All of them fit into the cache of a core. */
#define FILTER_BITS 15
#define FILTER_MAX  255 /* a counter with this value stays at it */

static _Alignas(64) _Atomic(uintptr_t) buckets[BUCKETS][SLOTS];
static _Atomic(uint8_t) filter[1u << FILTER_BITS];

static uint64_t hash_of(uintptr_t address)
{
	return (uint64_t)address * UINT64_C(0x9e3779b97f4a7c15);
}

static _Atomic(uint8_t) *filter_of(uint64_t hash)
{
	return &filter[hash >> (64 - FILTER_BITS)];
}

/* Replaces `old` by `new` in the buckets of the hash. Returns false if `old` is not there. */
static bool replace(uint64_t hash, uintptr_t old, uintptr_t new)
{
	const unsigned int first = (unsigned int)(hash >> 16) % BUCKETS;

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		_Atomic(uintptr_t) *bucket = buckets[(first + i) % BUCKETS];

		for (unsigned int slot = 0; slot < SLOTS; slot++) {
			uintptr_t expected = old;

			if (atomic_load_explicit(&bucket[slot], memory_order_relaxed) == old &&
			    atomic_compare_exchange_strong(&bucket[slot], &expected, new))
				return true;
		}
	}
	return false;
}

bool live_add(const void *p)
{
	const uint64_t hash = hash_of((uintptr_t)p);
	_Atomic(uint8_t) *count = filter_of(hash);
	uint8_t old = atomic_load(count);

	if (!replace(hash, 0, (uintptr_t)p))
		return false;
	while (old < FILTER_MAX && !atomic_compare_exchange_weak(count, &old, (uint8_t)(old + 1)))
		;
	return true;
}

bool live_remove(const void *p)
{
	const uint64_t hash = hash_of((uintptr_t)p);
	_Atomic(uint8_t) *count = filter_of(hash);
	uint8_t old = atomic_load_explicit(count, memory_order_relaxed);

	if (!heap_unlikely(old) || !replace(hash, (uintptr_t)p, 0))
		return false;
	while (old && old < FILTER_MAX &&
	       !atomic_compare_exchange_weak(count, &old, (uint8_t)(old - 1)))
		;
	return true;
}
