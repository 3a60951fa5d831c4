/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHAIN_HASH_H
#define PK_CHAIN_HASH_H

/*
 * Hashes of callchains. A callchain is identified only by its 128-bit hash, which has secret seeds.
 * For 2^17 callchains, the probability that any two have the same hash is about 2^-95.
 */

#include <string.h>

#include "pkutil.h"
#include "session.h"

/* The secret seeds of the hashes. */
struct pk_chain_seeds {
	uint64_t seeds[2];
};

/* Sets random seeds. Sets constants if the kernel has no random numbers yet. */
void pk_chain_seeds_draw(struct pk_chain_seeds *seeds);

/* What is hashed: a callchain, and the other values that determine its stack. */
struct pk_chain_key {
	uint64_t maps; /* the result of pk_chain_maps() */
	uint64_t task; /* a number for all other values of the sample that determine its stack, such
			* as the thread's name */
	const struct pk_u64s *ips; /* This is a pointer and not a copy. A wide load soon after
				    * stores of single fields would stall the processor. */
};

/* The hash of a callchain. */
struct pk_chain_hash {
	uint64_t low, high;
};

static inline bool pk_chain_equal(const struct pk_chain_hash *a, const struct pk_chain_hash *b)
{
	return a->low == b->low && a->high == b->high;
}

/* Returns a hash of the serials of the current maps: those of the thread's process, of its JIT
 * code, and of the kernel. The result changes when any of these maps changes. */
uint64_t pk_chain_maps(const struct pk_session *session, const struct pk_thread *thread);
struct pk_chain_hash pk_chain_hash(const struct pk_chain_seeds *seeds,
				   const struct pk_chain_key *key);

/* ---- The outermost entries of a callchain ---- */

/* The states of the hash after the outermost `step` entries, 2 * `step` entries, and so on. */
#define PK_CHAIN_PARTS_MAX 32

/* States of the hash of a callchain, after some of its outermost entries. */
struct pk_chain_parts {
	/* The number of entries between two stored states, a power of two. It doubles when the
	 * length of the callchain doubles, so that the states fit into the array. */
	size_t step;
	struct pk_chain_hash states[PK_CHAIN_PARTS_MAX];
	struct pk_chain_hash whole; /* the state of the hash after all entries of the callchain */
};

void pk_chain_parts(const struct pk_chain_seeds *seeds, const struct pk_chain_key *key,
		    struct pk_chain_parts *parts);
/* Returns the state after the `count` outermost entries. Returns NULL if this state was not stored.
 */
static inline const struct pk_chain_hash *pk_chain_part(const struct pk_chain_parts *parts,
							size_t count)
{
	return pk_unlikely(count && !(count & (parts->step - 1)))
		       ? &parts->states[count / parts->step - 1]
		       : NULL;
}

/* Returns the hash of the `count` outermost entries, computed from the state after these entries.
 * context contains other values that determine their stack. */
struct pk_chain_hash pk_chain_part_hash(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *state, size_t count,
					uint32_t context);

/* Returns the hash of a callchain and a number. */
struct pk_chain_hash pk_chain_hash_with(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *hash, uint64_t number);

/* ---- Pairs of cache entries ---- */

/*
 * Caches of callchains have a fixed size and consist of pairs of entries. The low bits of a hash
 * select the pair. Each entry starts with a pk_chain_hash. An entry whose bytes are all zero is
 * free. A new callchain replaces the second entry of a pair. When a callchain is found again, it
 * moves to the first entry. So callchains that occur only once do not replace the other ones.
 */
#define PK_PAIR_ENTRY_MAX 64 /* in bytes */

/* Returns the entry with the hash, or NULL if it is not in the pair. size is the size of an entry
 * in bytes. */
static inline void *pk_pair_find(void *pair, size_t size, const struct pk_chain_hash *hash)
{
	uint8_t *first = pair, *second = first + size, again[PK_PAIR_ENTRY_MAX];

	if (pk_likely(pk_chain_equal((const struct pk_chain_hash *)first, hash)))
		return first;
	if (!pk_chain_equal((const struct pk_chain_hash *)second, hash))
		return NULL;
	memcpy(again, second, size);
	memcpy(second, first, size);
	memcpy(first, again, size);
	return first;
}

#endif
