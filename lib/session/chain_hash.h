/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHAIN_HASH_H
#define PK_CHAIN_HASH_H

/*
 * Callchains are identified only by a 128-bit hash with secret seeds: for 2^17 callchains, the
 * probability that any two have the same hash is about 2^-95.
 */

#include <string.h>

#include "pkutil.h"
#include "session.h"

struct pk_chain_seeds {
	uint64_t seeds[2];
};

/* Sets random seeds, or constants if the kernel has no random numbers yet. */
void pk_chain_seeds_draw(struct pk_chain_seeds *seeds);

struct pk_chain_key {
	uint64_t maps;		   /* pk_chain_maps() */
	uint64_t task;		   /* other values of the sample that its stack depends on */
	const struct pk_u64s *ips; /* not a copy: a wide load just after stores of single
				    * fields would stall */
};

struct pk_chain_hash {
	uint64_t low, high;
};

static inline bool pk_chain_equal(const struct pk_chain_hash *a, const struct pk_chain_hash *b)
{
	return a->low == b->low && a->high == b->high;
}

/* A hash of the serials of the current maps of the thread's process, with its JIT code, and of the
 * kernel: it changes when one of them changes. */
uint64_t pk_chain_maps(const struct pk_session *session, const struct pk_thread *thread);
struct pk_chain_hash pk_chain_hash(const struct pk_chain_seeds *seeds,
				   const struct pk_chain_key *key);

/* ---- The outermost entries of a callchain ---- */

/* States of the hash after each `step` entries, counted from the outermost one. */
#define PK_CHAIN_PARTS_MAX 32

struct pk_chain_parts {
	size_t step; /* a power of two; twice as much for callchains that are twice as long */
	struct pk_chain_hash states[PK_CHAIN_PARTS_MAX];
	struct pk_chain_hash whole; /* after all entries */
};

void pk_chain_parts(const struct pk_chain_seeds *seeds, const struct pk_chain_key *key,
		    struct pk_chain_parts *parts);
/* The state after the `count` outermost entries, or NULL if there is none. */
static inline const struct pk_chain_hash *pk_chain_part(const struct pk_chain_parts *parts,
							size_t count)
{
	return pk_unlikely(count && !(count & (parts->step - 1)))
		       ? &parts->states[count / parts->step - 1]
		       : NULL;
}

/* The hash of the `count` outermost entries, from the state after them. The context is what their
 * stack depends on besides the entries. */
struct pk_chain_hash pk_chain_part_hash(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *state, size_t count,
					uint32_t context);

/* The hash of a callchain together with another number. */
struct pk_chain_hash pk_chain_hash_with(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *hash, uint64_t number);

/* ---- Pairs ---- */

/*
 * Caches of callchains in fixed memory consist of pairs of entries, which the low bits of a hash
 * select. Each entry starts with its pk_chain_hash. An entry of zeros is free. A new chain replaces
 * the second entry. A chain that is found again moves to the first entry, so that chains that occur
 * once do not evict the others.
 */
#define PK_PAIR_ENTRY_MAX 64 /* bytes */

/* The entry of the hash, of `size` bytes, or NULL if it is not in the pair. */
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
