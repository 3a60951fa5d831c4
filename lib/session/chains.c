// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "chains_internal.h"

#define COUNT_MAX 393216 /* 9 MiB, and 16 MiB of the table */

void pk_chains_init(struct pk_chains *chains)
{
	*chains = (struct pk_chains){
		.seeds = {UINT64_C(0x2d358dccaa6c78a5), UINT64_C(0x8bb84b93962eacc9)}};
	/* Where that fails the seeds are known, and one who makes a recording may spoil his own
	 * stacks. */
	if (getrandom(chains->seeds, sizeof(chains->seeds), GRND_NONBLOCK) < 0)
		return;
}

/* As pk_hash, in two lanes. */
struct pk_chain_hash pk_chains_hash(const struct pk_chains *chains, const struct pk_chain_key *key)
{
	const uint64_t k0 = UINT64_C(0xa0761d6478bd642f), k1 = UINT64_C(0xe7037ed1a0b428db);
	uint64_t low = pk_mix64(key->space ^ chains->seeds[0], key->task ^ k0);
	uint64_t high = pk_mix64(key->task ^ chains->seeds[1], key->space ^ k1);
	const uint8_t *p = key->ips->data;
	uint64_t left = key->ips->count;

	for (; left >= 2; left -= 2, p += 16) {
		uint64_t a = pk_load_u64(p), b = pk_load_u64(p + 8);

		low = pk_mix64(a ^ chains->seeds[0], b ^ low);
		high = pk_mix64(a ^ high, b ^ chains->seeds[1]);
	}
	if (left) {
		uint64_t a = pk_load_u64(p);

		low = pk_mix64(a ^ chains->seeds[0], low ^ chains->seeds[1]);
		high = pk_mix64(a ^ high, k0 ^ chains->seeds[0]);
	}
	low = pk_mix64(low ^ key->ips->count, k1 ^ chains->seeds[0]);
	high = pk_mix64(high ^ k0, key->ips->count ^ chains->seeds[1]);
	return (struct pk_chain_hash){low, high};
}

void pk_chains_forget(struct pk_chains *chains)
{
	free(chains->items);
	chains->items = NULL;
	chains->capacity = chains->count = 0;
	pk_table_free(&chains->numbers);
}

const struct pk_chain *pk_chains_find(struct pk_chains *chains, const struct pk_chain_hash *hash)
{
	struct pk_probe probe = pk_table_probe(&chains->numbers, hash->low);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct pk_chain *chain = &chains->items[number - 1];

		if (chain->hash.high != hash->high)
			continue;
		chain->used = 1;
		return chain;
	}
	return NULL;
}

/* Forgets the chains that were not used since the last time. If most were, sweeping every now and
 * then would only cost time. */
static void sweep(struct pk_chains *chains)
{
	size_t count = 0;

	for (size_t i = 0; i < chains->count; i++)
		if (chains->items[i].used)
			chains->items[count++] = chains->items[i];
	chains->count = count;
	if (count > COUNT_MAX / 3 * 2) {
		pk_chains_forget(chains);
		return;
	}
	pk_table_clear(&chains->numbers);
	for (size_t i = 0; i < count; i++) {
		chains->items[i].used = 0;
		/* It has the room that it had. */
		if (!pk_table_add(&chains->numbers, chains->items[i].hash.low, i + 1)) {
			chains->count = i;
			return;
		}
	}
}

void pk_chains_add(struct pk_chains *chains, const struct pk_chain *chain)
{
	if (chains->count == COUNT_MAX)
		sweep(chains);
	if (!pk_reserve(&chains->items, &chains->capacity, chains->count, 1,
			sizeof(*chains->items)) ||
	    !pk_table_add(&chains->numbers, chain->hash.low, chains->count + 1))
		return;
	chains->items[chains->count] = *chain;
	chains->items[chains->count++].used = 0;
}
