// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "chains_internal.h"

#define WORDS_MAX ((size_t)2 << 20) /* 16 MiB of keys */

/* A key in memory: space, task, number of addresses; then those. */
enum { KEY_SPACE, KEY_TASK, KEY_COUNT, KEY_HEAD };

uint32_t pk_chain_hash(const struct pk_chain_key *key)
{
	uint64_t seed = pk_mix64(key->space ^ UINT64_C(0x9e3779b97f4a7c15),
				 key->task ^ UINT64_C(0xe7037ed1a0b428db));
	uint64_t hash = pk_hash(key->ips.data, 8 * key->ips.count, seed);

	return (uint32_t)(hash ^ hash >> 32);
}

void pk_chains_forget(struct pk_chains *chains)
{
	free(chains->slots);
	free(chains->words);
	*chains = (struct pk_chains){0};
}

static bool is_key(const uint64_t *words, const struct pk_chain_key *key)
{
	return words[KEY_SPACE] == key->space && words[KEY_TASK] == key->task &&
	       words[KEY_COUNT] == key->ips.count &&
	       !memcmp(words + KEY_HEAD, key->ips.data, 8 * key->ips.count);
}

const struct pk_chain *pk_chains_find(struct pk_chains *chains, const struct pk_chain_key *key)
{
	size_t mask = chains->capacity - 1, i = key->hash & mask;
	struct pk_chain *slot;

	if (!chains->capacity)
		return NULL;
	for (; (slot = &chains->slots[i])->stack; i = (i + 1) & mask) {
		if (slot->hash != key->hash || !is_key(chains->words + slot->words, key))
			continue;
		slot->used = 1;
		return slot;
	}
	return NULL;
}

static void insert(struct pk_chains *chains, const struct pk_chain *chain)
{
	size_t mask = chains->capacity - 1, i = chain->hash & mask;

	while (chains->slots[i].stack)
		i = (i + 1) & mask;
	chains->slots[i] = *chain;
	chains->count++;
}

/* Slots of another number, or the same without those that were not used. */
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
	for (size_t i = 0; i < old_capacity; i++) {
		if (!old[i].stack || (used_only && !old[i].used))
			continue;
		if (used_only)
			old[i].used = 0;
		insert(chains, &old[i]);
	}
	free(old);
	return true;
}

/* The slot whose key lies there, or NULL. */
static struct pk_chain *slot_at(const struct pk_chains *chains, size_t at)
{
	const uint64_t *words = chains->words + at;
	const struct pk_chain_key key = {
		.space = words[KEY_SPACE],
		.task = words[KEY_TASK],
		.ips = {(const uint8_t *)(words + KEY_HEAD), words[KEY_COUNT]},
	};
	size_t mask = chains->capacity - 1, i = pk_chain_hash(&key) & mask;

	for (; chains->slots[i].stack; i = (i + 1) & mask)
		if (chains->slots[i].words == at)
			return &chains->slots[i];
	return NULL;
}

/* Makes room by forgetting what was not seen since the last time. */
static bool sweep(struct pk_chains *chains)
{
	size_t to = 0;

	if (!rebuild(chains, chains->capacity, true))
		return false;
	for (size_t from = 0, size; from < chains->words_count; from += size) {
		struct pk_chain *slot = slot_at(chains, from);

		size = KEY_HEAD + chains->words[from + KEY_COUNT];
		if (!slot)
			continue;
		memmove(chains->words + to, chains->words + from, size * sizeof(*chains->words));
		slot->words = (uint32_t)to;
		to += size;
	}
	chains->words_count = to;
	/* If most of it is in use, sweeping every now and then would only cost time. */
	if (to > WORDS_MAX / 4 * 3)
		pk_chains_forget(chains);
	return true;
}

static bool reserve_words(struct pk_chains *chains, size_t count)
{
	size_t capacity = pk_pow2_above(chains->words_count + count);
	uint64_t *words;

	if (capacity <= chains->words_capacity)
		return true;
	words = realloc(chains->words, capacity * sizeof(*words));
	if (!words)
		return false;
	chains->words = words;
	chains->words_capacity = capacity;
	return true;
}

static bool reserve(struct pk_chains *chains, size_t words)
{
	if (chains->words_count + words > WORDS_MAX && !sweep(chains))
		return false;
	if (2 * (chains->count + 1) > chains->capacity &&
	    !rebuild(chains, chains->capacity ? 2 * chains->capacity : 4096, false))
		return false;
	return reserve_words(chains, words);
}

void pk_chains_add(struct pk_chains *chains, const struct pk_chain_key *key,
		   const struct pk_chain *chain)
{
	size_t size = KEY_HEAD + key->ips.count;
	struct pk_chain added = *chain;
	uint64_t *words;

	if (!reserve(chains, size))
		return;
	words = chains->words + chains->words_count;
	words[KEY_SPACE] = key->space;
	words[KEY_TASK] = key->task;
	words[KEY_COUNT] = key->ips.count;
	if (key->ips.count)
		memcpy(words + KEY_HEAD, key->ips.data, 8 * key->ips.count);
	added.hash = key->hash;
	added.words = (uint32_t)chains->words_count;
	added.used = 0;
	chains->words_count += size;
	insert(chains, &added);
}
