// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "frames_internal.h"

/*
 * A chain is looked up whole, by its address space, comm and addresses; only one not seen before is
 * taken apart into frames, and only a frame not seen before is resolved.
 */

/* Remembered chains are dropped beyond this. */
#define CHAINS_MAX ((size_t)8 << 20) /* words */

/* What the kernel's default (and perf's) limit on the length of a chain is. */
#define MAX_STACK_DEFAULT 127

struct chain {
	uint32_t hash, stack; /* stack 0: free */
	uint32_t words;	      /* where its key lies */
	uint16_t frames, unresolved;
};

/* Where chain keys begin: spaces, mode and comm, number of entries; entries follow. */
enum { KEY_SPACE, KEY_COMM, KEY_COUNT, KEY_HEAD };

struct pk_stacks {
	struct pk_frames frames;
	struct chain *chains;
	size_t chains_capacity, chains_count;
	uint64_t *words; /* keys of chains, one after the other */
	size_t words_count, words_capacity;
	struct pk_stacks_count count;
};

/* One sample on its way to being a stack. */
struct lookup {
	struct pk_stacks *stacks;
	struct pk_session *session;
	const struct pk_thread *thread;
	struct pk_u64s chain;
	uint64_t key[KEY_HEAD];
	uint16_t mode; /* of what stands before any marker: PERF_RECORD_MISC_* */
	uint32_t *ids; /* frames of the chain, leaf first */
	struct chain result;
	bool retry, failed;
};

struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, pk_resolve_fn resolve, void *arg)
{
	struct pk_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->frames = (struct pk_frames){dictionary, resolve, arg, .slots = NULL};
	return stacks;
}

static void forget_chains(struct pk_stacks *stacks)
{
	free(stacks->chains);
	stacks->chains = NULL;
	stacks->chains_capacity = stacks->chains_count = stacks->words_count = 0;
}

void pk_stacks_forget(struct pk_stacks *stacks)
{
	forget_chains(stacks);
	pk_frames_forget(&stacks->frames);
}

void pk_stacks_free(struct pk_stacks *stacks)
{
	if (!stacks)
		return;
	pk_stacks_forget(stacks);
	free(stacks->words);
	free(stacks);
}

void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count)
{
	*count = stacks->count;
}

/* ---- One chain ---- */

struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode)
{
	struct pk_location location = {.ip = ip, .address = ip};
	const struct pk_map *map = NULL;

	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		location.flags = PK_FRAME_KERNEL;
		map = pk_space_find(pk_session_kernel(session), ip);
		break;
	case PERF_RECORD_MISC_USER:
		location.flags = PK_FRAME_USER;
		map = pk_space_find(thread->process->space, ip);
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		location.flags = PK_FRAME_GUEST | PK_FRAME_KERNEL;
		break;
	case PERF_RECORD_MISC_GUEST_USER: location.flags = PK_FRAME_GUEST | PK_FRAME_USER; break;
	case PERF_RECORD_MISC_HYPERVISOR: location.flags = PK_FRAME_HYPERVISOR; break;
	default: break;
	}
	if (map) {
		location.image = map->image;
		location.address = pk_map_address(map, ip);
	}
	return location;
}

uint16_t pk_context_mode(uint64_t marker, uint16_t mode)
{
	switch (marker) {
	case PERF_CONTEXT_HV: return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL: return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER: return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_GUEST_KERNEL: return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER: return PERF_RECORD_MISC_GUEST_USER;
	case PERF_CONTEXT_USER_DEFERRED: return mode;
	default: return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
}

static void add_frame(struct lookup *lookup, uint64_t ip, uint16_t mode)
{
	struct pk_location location = pk_session_locate(lookup->session, lookup->thread, ip, mode);
	struct pk_found_frame found = pk_frames_find(&lookup->stacks->frames, &location);

	lookup->retry |= found.retry;
	lookup->failed |= !found.id;
	lookup->result.unresolved += found.unresolved;
	lookup->ids[lookup->result.frames++] = found.id;
}

/* SPEC 5.3: markers say whose the addresses after them are; the one for deferral has a cookie
 * behind it. */
static void add_chain(struct lookup *lookup)
{
	uint16_t mode = lookup->mode;

	for (uint64_t i = 0; i < lookup->chain.count; i++) {
		uint64_t ip = pk_u64s_at(&lookup->chain, i);

		if (ip < PERF_CONTEXT_MAX) {
			add_frame(lookup, ip, mode);
			continue;
		}
		if (ip == PERF_CONTEXT_USER_DEFERRED)
			i++;
		mode = pk_context_mode(ip, mode);
	}
}

static bool is_unmerged(const struct pk_u64s *chain)
{
	return chain->count >= 2 &&
	       pk_u64s_at(chain, chain->count - 2) == PERF_CONTEXT_USER_DEFERRED;
}

/* Takes the chain apart and puts its stack together, root first. */
static void build(struct lookup *lookup)
{
	uint32_t ids[UINT16_MAX / 8 + 1], stack;
	struct pk_frames *frames = &lookup->stacks->frames;

	lookup->ids = ids;
	add_chain(lookup);
	stack = pk_dictionary_stack(frames->dictionary, 0,
				    pk_frames_comm(frames, lookup->session, lookup->thread->comm));
	for (uint32_t i = lookup->result.frames; i > 0 && stack; i--)
		stack = pk_dictionary_stack(frames->dictionary, stack, ids[i - 1]);
	lookup->result.stack = lookup->failed ? 0 : stack;
	lookup->ids = NULL;
}

/* ---- Remembering chains ---- */

static bool same_chain(const struct pk_stacks *stacks, const struct chain *chain,
		       const struct lookup *lookup)
{
	const uint64_t *words = stacks->words + chain->words;

	return !memcmp(words, lookup->key, sizeof(lookup->key)) &&
	       !memcmp(words + KEY_HEAD, lookup->chain.data, 8 * lookup->chain.count);
}

static struct chain *chain_slot(const struct pk_stacks *stacks, const struct lookup *lookup)
{
	size_t mask = stacks->chains_capacity - 1, i = lookup->result.hash & mask;
	struct chain *slot;

	for (; (slot = &stacks->chains[i])->stack; i = (i + 1) & mask)
		if (slot->hash == lookup->result.hash && same_chain(stacks, slot, lookup))
			break;
	return slot;
}

static bool grow_chains(struct pk_stacks *stacks)
{
	size_t old_capacity = stacks->chains_capacity, mask, i;
	struct chain *old = stacks->chains;

	if (2 * (stacks->chains_count + 1) <= old_capacity)
		return true;
	stacks->chains_capacity = old_capacity ? 2 * old_capacity : 4096;
	stacks->chains = calloc(stacks->chains_capacity, sizeof(*stacks->chains));
	if (!stacks->chains) {
		stacks->chains = old;
		stacks->chains_capacity = old_capacity;
		return false;
	}
	mask = stacks->chains_capacity - 1;
	for (size_t from = 0; from < old_capacity; from++) {
		if (!old[from].stack)
			continue;
		for (i = old[from].hash & mask; stacks->chains[i].stack; i = (i + 1) & mask)
			;
		stacks->chains[i] = old[from];
	}
	free(old);
	return true;
}

static bool keep_words(struct pk_stacks *stacks, struct lookup *lookup)
{
	size_t count = KEY_HEAD + lookup->chain.count;
	size_t capacity = pk_pow2_above(stacks->words_count + count);
	uint64_t *words = stacks->words;

	if (capacity > stacks->words_capacity) {
		words = realloc(words, capacity * sizeof(*words));
		if (!words)
			return false;
		stacks->words = words;
		stacks->words_capacity = capacity;
	}
	lookup->result.words = (uint32_t)stacks->words_count;
	memcpy(words + stacks->words_count, lookup->key, sizeof(lookup->key));
	if (lookup->chain.count)
		memcpy(words + stacks->words_count + KEY_HEAD, lookup->chain.data,
		       8 * lookup->chain.count);
	stacks->words_count += count;
	return true;
}

static void remember(struct pk_stacks *stacks, struct lookup *lookup)
{
	if (lookup->retry || !lookup->result.stack)
		return;
	if (stacks->words_count > CHAINS_MAX)
		forget_chains(stacks);
	if (!grow_chains(stacks) || !keep_words(stacks, lookup))
		return;
	*chain_slot(stacks, lookup) = lookup->result;
	stacks->chains_count++;
}

/* ---- Samples ---- */

static void count_sample(struct pk_stacks *stacks, const struct lookup *lookup,
			 const struct pk_event *event)
{
	uint16_t limit =
		event->attr.sample_max_stack ? event->attr.sample_max_stack : MAX_STACK_DEFAULT;

	stacks->count.samples++;
	stacks->count.frames += lookup->result.frames;
	stacks->count.frames_unresolved += lookup->result.unresolved;
	if (pk_unlikely(lookup->result.frames >= limit))
		stacks->count.stacks_truncated++;
}

static uint32_t find_stack(struct pk_stacks *stacks, struct lookup *lookup)
{
	struct pk_session *session = lookup->session;
	const struct chain *known;
	uint64_t hash;

	lookup->key[KEY_SPACE] = pk_space_serial(lookup->thread->process->space) << 32 |
				 (uint32_t)pk_space_serial(pk_session_kernel(session));
	lookup->key[KEY_COMM] = (uint64_t)lookup->mode << 32 | lookup->thread->comm;
	lookup->key[KEY_COUNT] = lookup->chain.count;
	hash = pk_hash(lookup->chain.data, 8 * lookup->chain.count,
		       pk_mix64(lookup->key[KEY_SPACE] ^ UINT64_C(0x9e3779b97f4a7c15),
				lookup->key[KEY_COMM] ^ UINT64_C(0xe7037ed1a0b428db)));
	lookup->result.hash = (uint32_t)(hash ^ hash >> 32);
	if (pk_likely(stacks->chains_capacity)) {
		known = chain_slot(stacks, lookup);
		if (pk_likely(known->stack)) {
			lookup->result = *known;
			return known->stack;
		}
	}
	build(lookup);
	remember(stacks, lookup);
	return lookup->result.stack;
}

uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record)
{
	struct lookup lookup = {.stacks = stacks,
				.session = session,
				.chain.data = record->data,
				.mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK};
	enum pk_status status = pk_sample_callchain(event, record, &lookup.chain);
	const struct pk_layout *layout = &event->layout;
	uint32_t pid = UINT32_MAX, tid = UINT32_MAX;
	uint64_t ip;

	if (pk_unlikely(status < 0)) {
		stacks->count.samples_bad++;
		return 0;
	}
	if (pk_unlikely(is_unmerged(&lookup.chain))) {
		lookup.chain.count -=
			2; /* each cookie is another one: they would fill the memory of chains */
		stacks->count.stacks_unmerged++;
	}
	if (layout->tid) {
		pid = pk_load_u32(record->data + layout->tid);
		tid = pk_load_u32(record->data + layout->tid + 4);
	}
	if (lookup.mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		lookup.mode = PERF_RECORD_MISC_USER;
	lookup.thread = pk_session_thread(session, pid, tid);
	if (!lookup.thread)
		return 0;
	if (pk_unlikely(!lookup.chain.count) && layout->ip) {
		ip = pk_load_u64(record->data + layout->ip);
		lookup.chain = (struct pk_u64s){(const uint8_t *)&ip, 1};
	}
	find_stack(stacks, &lookup);
	count_sample(stacks, &lookup, event);
	return lookup.result.stack;
}
