// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "chains_internal.h"

#define CAPACITY_MIN ((size_t)1 << 12)
#define CAPACITY_MAX ((size_t)1 << 19) /* 12 MiB of slots, of which three quarters are filled */

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
	free(chains->slots);
	chains->slots = NULL;
	chains->capacity = chains->count = 0;
}

const struct pk_chain *pk_chains_find(struct pk_chains *chains, const struct pk_chain_hash *hash)
{
	size_t mask = chains->capacity - 1, i = hash->low & mask;
	struct pk_chain *slot;

	if (!chains->capacity)
		return NULL;
	for (; (slot = &chains->slots[i])->stack; i = (i + 1) & mask) {
		if (slot->hash.low != hash->low || slot->hash.high != hash->high)
			continue;
		slot->used = 1;
		return slot;
	}
	return NULL;
}

static void insert(struct pk_chains *chains, const struct pk_chain *chain)
{
	size_t mask = chains->capacity - 1, i = chain->hash.low & mask;

	while (chains->slots[i].stack)
		i = (i + 1) & mask;
	chains->slots[i] = *chain;
	chains->slots[i].used = 0;
	chains->count++;
}

/* Slots of another number, or without those that were not used. */
static bool rebuild(struct pk_chains *chains, size_t capacity, bool used_only)
{
	struct pk_chain *old = chains->slots;
	size_t old_capacity = chains->capacity;
	struct pk_chain *slots = calloc(capacity, sizeof(*slots));

	if (!slots)
		return false;
	chains->slots = slots;
	chains->capacity = capacity;
	chains->count = 0;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].stack && (old[i].used || !used_only))
			insert(chains, &old[i]);
	free(old);
	return true;
}

static bool reserve(struct pk_chains *chains)
{
	if (4 * (chains->count + 1) <= 3 * chains->capacity)
		return true;
	if (chains->capacity < CAPACITY_MAX)
		return rebuild(chains, chains->capacity ? 2 * chains->capacity : CAPACITY_MIN,
			       false);
	if (!rebuild(chains, chains->capacity, true))
		return false;
	/* If most are in use, sweeping every now and then would only cost time. */
	if (2 * chains->count > chains->capacity)
		pk_chains_forget(chains);
	return chains->capacity || rebuild(chains, CAPACITY_MIN, false);
}

void pk_chains_add(struct pk_chains *chains, const struct pk_chain *chain)
{
	if (reserve(chains))
		insert(chains, chain);
}
