/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHAIN_HASH_H
#define PK_CHAIN_HASH_H

/*
 * Callchains known by 128 bits of a hash with secret seeds alone: among 2^17 of them the odds that
 * any two are taken for each other are one in 2^94.
 */

#include "session.h"

struct pk_chain_seeds {
	uint64_t seeds[2];
};

void pk_chain_seeds_draw(struct pk_chain_seeds *seeds);

struct pk_chain_key {
	uint64_t maps;		   /* pk_chain_maps() */
	uint64_t task;		   /* what else of the sample counts */
	const struct pk_u64s *ips; /* not a copy: it was written a moment ago, field by field, and a
				      wide load would wait for that */
};

struct pk_chain_hash {
	uint64_t low, high;
};

static inline bool pk_chain_equal(const struct pk_chain_hash *a, const struct pk_chain_hash *b)
{
	return a->low == b->low && a->high == b->high;
}

/* Which maps of the thread and of the kernel are in force. */
uint64_t pk_chain_maps(const struct pk_session *session, const struct pk_thread *thread);
struct pk_chain_hash pk_chain_hash(const struct pk_chain_seeds *seeds,
				   const struct pk_chain_key *key);

#endif
