/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHAINS_INTERNAL_H
#define CHAINS_INTERNAL_H

#include "pkutil.h"
#include "session.h"
#include "vector.h"

/* What makes a callchain's stack what it is. */
struct pk_chain_key {
	uint64_t space;		   /* which maps of the process and of the kernel are in force */
	uint64_t task;		   /* comm, and the mode of the addresses before the first marker */
	const struct pk_u64s *ips; /* not a copy: it was written a moment ago, field by field, and a
				      wide load would wait for that */
};

struct pk_chain_hash {
	uint64_t low, high;
};

struct pk_chain {
	struct pk_chain_hash hash;
	uint32_t stack;
	uint16_t frames;
	uint16_t unresolved : 15, used : 1; /* used: since the last sweep */
};

/*
 * Callchains whose stacks are known, in bounded memory: when it is full, those go that were not
 * seen again. A chain is known by 128 bits of a hash with secret seeds alone: among the 393,216
 * that are kept at most, the odds that any two are taken for each other are one in 2^90.
 */
struct pk_chains {
	struct pk_chain *items;
	size_t count, capacity;
	struct pk_table numbers; /* of the item + 1, by hash.low */
	uint64_t seeds[2];
};

void pk_chains_init(struct pk_chains *chains);
struct pk_chain_hash pk_chains_hash(const struct pk_chains *chains, const struct pk_chain_key *key);
/* NULL if it is not known. */
const struct pk_chain *pk_chains_find(struct pk_chains *chains, const struct pk_chain_hash *hash);
/* It is no harm if there is no memory for it. */
void pk_chains_add(struct pk_chains *chains, const struct pk_chain *chain);
void pk_chains_forget(struct pk_chains *chains);

#endif
