// SPDX-License-Identifier: BSD-2-Clause
/* The set of addresses of sampled memory that is still allocated. free() looks up each address, and
 * nearly all addresses are not in the set. Two tables of counters answer most lookups. */
#include "preload.h"

/* The size of the set: buckets of one cache line each, which are only touched by samples. */
#define BUCKET_BITS 15
#define BUCKETS	    (1u << BUCKET_BITS)
#define SLOTS	    8 /* addresses in a bucket */
#define NEIGHBOURS  4 /* an address is in its bucket or in one of the next ones */
/* A second table of counters, for programs with thousands of addresses. The first one takes only an
 * eighth of the fastest cache of a core, most of which is left to the program. */
#define SECOND_BITS 15
#define COUNTER_MAX 255 /* a counter with this value stays at it */

static _Alignas(64) _Atomic(uintptr_t) buckets[BUCKETS][SLOTS];
static _Atomic(uint8_t) second_counters[1u << SECOND_BITS];
_Atomic(uint8_t) live_counters[1u << LIVE_BITS];

static _Atomic(uint8_t) *first_of(uint64_t hash)
{
	return &live_counters[hash >> (64 - LIVE_BITS)];
}

static _Atomic(uint8_t) *second_of(uint64_t hash)
{
	return &second_counters[hash >> (64 - SECOND_BITS)];
}

/* Adds 1 or -1 to a counter. */
static void count(_Atomic(uint8_t) *counter, int step)
{
	uint8_t old = atomic_load(counter);

	while (old < COUNTER_MAX &&
	       !atomic_compare_exchange_weak(counter, &old, (uint8_t)(old + step)))
		;
}

/* Replaces `old` by `new` in the buckets of the hash. Returns false if `old` is not there. */
static bool replace(uint64_t hash, uintptr_t old, uintptr_t new)
{
	const unsigned int home = (unsigned int)(hash >> 16) % BUCKETS;

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		_Atomic(uintptr_t) *bucket = buckets[(home + i) % BUCKETS];

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
	const uint64_t hash = live_hash(p);

	if (!replace(hash, 0, (uintptr_t)p))
		return false;
	count(second_of(hash), 1);
	count(first_of(hash), 1);
	return true;
}

bool live_remove(const void *p)
{
	const uint64_t hash = live_hash(p);

	/* An address of 0 is that of a free place in the set. */
	if (!p || !atomic_load_explicit(second_of(hash), memory_order_relaxed) ||
	    !replace(hash, (uintptr_t)p, 0))
		return false;
	count(first_of(hash), -1);
	count(second_of(hash), -1);
	return true;
}

void live_set_all(void)
{
	for (size_t i = 0; i < sizeof(live_counters); i++)
		atomic_store_explicit(&live_counters[i], COUNTER_MAX, memory_order_relaxed);
}
