/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHAINS_INTERNAL_H
#define CHAINS_INTERNAL_H

#include "pkutil.h"
#include "session.h"

/* What makes a callchain's stack what it is. */
struct pk_chain_key {
	uint64_t space; /* which maps of the process and of the kernel are in force */
	uint64_t task;	/* comm, and the mode of the addresses before the first marker */
	struct pk_u64s ips;
	uint32_t hash; /* pk_chain_hash of the above */
};

struct pk_chain {
	uint32_t hash, stack; /* stack 0: a free slot */
	uint32_t words;	      /* where its key lies */
	uint16_t frames;
	uint16_t unresolved : 15, used : 1; /* used: since the last sweep */
};

/* Callchains whose stacks are known, in bounded memory: when it is full, those go that were not
 * seen again. */
struct pk_chains {
	struct pk_chain *slots;
	size_t capacity, count;
	uint64_t *words; /* keys, one after the other */
	size_t words_count, words_capacity;
};

uint32_t pk_chain_hash(const struct pk_chain_key *key);
/* NULL if it is not known. */
const struct pk_chain *pk_chains_find(struct pk_chains *chains, const struct pk_chain_key *key);
/* chain's stack, frames and unresolved are set. It is no harm if there is no memory for it. */
void pk_chains_add(struct pk_chains *chains, const struct pk_chain_key *key,
		   const struct pk_chain *chain);
void pk_chains_forget(struct pk_chains *chains);

#endif
