// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "chain_hash.h"
#include "frame_address.h"
#include "frames.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "session.h"
#include "stacks.h"
#include "vector.h"

/* ---- Stacks with only the innermost address ---- */

/* A cache of stacks that have only the name of a thread and the frames of one address. It is for
 * programs that need no callers. Different addresses of a function have the same stack. */

/* The cache is empty if all members are zero. */
struct pk_leaf_stacks {
	struct pk_leaf_stack *entries; /* NULL if it does not exist yet or memory is exhausted */
	uint64_t generation; /* the value of pk_frames.generation when the entries were made */
};

/* A stack in the cache. The key includes the number of frames: ranges with different numbers of
 * frames are different, even if `frames` is equal. */
struct pk_leaf_stack {
	uint32_t comm, frames;
	uint32_t count; /* number of frames; 0 if the entry is free */
	uint32_t stack;
};

#define LEAVES_SHIFT 14 /* log2 of the number of entries, which need 256 KiB */

static void leaf_stacks_forget(struct pk_leaf_stacks *stacks)
{
	free(stacks->entries);
	stacks->entries = NULL;
}

/* Returns the entry for the key, or NULL if memory is exhausted. */
static struct pk_leaf_stack *entry_of(struct pk_leaf_stacks *stacks, uint32_t comm, uint32_t frames)
{
	const uint64_t hash = ((uint64_t)comm << 32 | frames) * UINT64_C(0x9e3779b97f4a7c15);

	if (!stacks->entries)
		stacks->entries = calloc((size_t)1 << LEAVES_SHIFT, sizeof(*stacks->entries));
	return stacks->entries ? &stacks->entries[hash >> (64 - LEAVES_SHIFT)] : NULL;
}

/* Makes the stack. Returns 0 if memory is exhausted. */
static uint32_t make(struct pk_frames *frames, const struct pk_session *session, uint32_t comm,
		     const struct pk_code_range *range)
{
	const uint32_t name = pk_frames_comm(frames, session, comm);
	uint32_t stack = name ? pk_dictionary_stack(frames->dictionary, 0, name) : 0;

	for (uint32_t i = range->count; i-- && stack;)
		stack = pk_dictionary_stack(frames->dictionary, stack,
					    pk_frames_ids(frames, range)[i]);
	return stack;
}

/* Returns the id of the stack, or 0 if memory is exhausted. `found` must be the latest result of
 * pk_frames_find(), or contain no frames. */
static uint32_t leaf_stack_of(struct pk_leaf_stacks *stacks, struct pk_frames *frames,
			      const struct pk_session *session, uint32_t comm,
			      const struct pk_found_frame *found)
{
	const struct pk_code_range *range = &found->frames;
	struct pk_leaf_stack *entry;
	uint32_t stack;

	if (stacks->generation != frames->generation)
		leaf_stacks_forget(stacks);
	stacks->generation = frames->generation;
	entry = entry_of(stacks, comm, range->frames);
	if (pk_likely(entry && entry->frames == range->frames && entry->comm == comm &&
		      entry->count == range->count && range->count))
		return entry->stack;
	stack = make(frames, session, comm, range);
	if (entry && stack && !found->retry)
		*entry = (struct pk_leaf_stack){comm, range->frames, range->count, stack};
	return stack;
}

/* ---- The cache of callchains ---- */

/* A callchain has at most 8,192 entries, because a record has at most 64 KiB. */
#define UNRESOLVED_MAX 0x7fff

/* A callchain in the cache, and its stack. */
struct pk_chain {
	struct pk_chain_hash hash;
	uint32_t stack; /* 0 if the entry is free */
	uint16_t frames;
	uint16_t unresolved : 15;
	bool nameless_jit : 1; /* a frame of JIT code has no name */
};

/* A cache of callchains and their stacks. It also contains the outermost entries of callchains. */
#define CHAIN_PAIRS ((size_t)1 << 16) /* they need 3 MiB */

/* The cache of callchains. */
struct pk_chains {
	struct pk_chain (*pairs)[2]; /* NULL if there is no cache */
	struct pk_chain_seeds seeds;
};

/* ---- Chains ---- */

static void pk_chains_forget(struct pk_chains *chains)
{
	free(chains->pairs);
	chains->pairs = NULL;
}

static struct pk_chain *pair_of(const struct pk_chains *chains, const struct pk_chain_hash *hash)
{
	return chains->pairs[hash->low & (CHAIN_PAIRS - 1)];
}

/* Returns the chain from the cache, or NULL if it is not in the cache. */
static const struct pk_chain *pk_chains_find(const struct pk_chains *chains,
					     const struct pk_chain_hash *hash)
{
	return pk_likely(chains->pairs)
		       ? pk_pair_find(pair_of(chains, hash), sizeof(struct pk_chain), hash)
		       : NULL;
}

/* Adds a chain to the cache. Does nothing if memory is exhausted. */
static void pk_chains_add(struct pk_chains *chains, const struct pk_chain *chain)
{
	const size_t size = sizeof(*chains->pairs);

	if (pk_unlikely(!chains->pairs)) {
		chains->pairs = calloc(CHAIN_PAIRS, size);
		if (chains->pairs)
			pk_use_large_pages(chains->pairs, CHAIN_PAIRS * size);
	}
	if (chains->pairs)
		pair_of(chains, &chain->hash)[1] = *chain;
}

/* ---- Stacks ---- */

/* The whole callchain is looked up first, by its address space, thread name and addresses. Only if
 * a callchain is not in the cache, it is split into frames. Only frames that are not in the cache
 * are resolved. */

/* The default of the kernel and of perf for the highest number of addresses in a callchain. */
#define MAX_STACK_DEFAULT 127

/* The state of converting callchains to stacks. */
struct pk_stacks {
	struct pk_frames frames;
	struct pk_chains chains;
	struct pk_leaf_stacks leaves;
	struct pk_stacks_count count;
	bool leaves_only;    /* set by pk_stacks_leaves() */
	bool trailers, mark; /* set by pk_stacks_trailers() */
	bool truncated;	     /* the result of pk_stacks_truncated() */
	bool nameless_jit;   /* the result of pk_stacks_nameless_jit() */
	uint32_t *ids; /* ids of the frames of the current callchain, starting with the innermost
			* one */
	size_t ids_room;
	struct pk_chain_parts parts;
	/* The parts of the callchain that are not in the cache, starting with the longest one. */
	struct missing {
		struct pk_chain_hash hash;
		size_t ids_count; /* the number of items in ids that precede the frames of the part
				   */
		uint16_t frames, unresolved; /* numbers of frames and unresolved frames that precede
					      * the part in the callchain */
	} missing[PK_CHAIN_PARTS_MAX];
	unsigned int missing_count;
};

/* The state while the stack of one sample is looked up. */
struct lookup {
	struct pk_stacks *stacks;
	struct pk_session *session;
	const struct pk_thread *thread;
	struct pk_u64s chain;
	uint64_t own;		    /* pk_addresses.own of the sample */
	uint64_t maps, kernel_maps; /* maps is the result of pk_chain_maps(); kernel_maps is the
				     * serial of the kernel's maps */
	uint16_t mode;		    /* the mode of the addresses before the first marker, such as
				     * PERF_RECORD_MISC_KERNEL */
	size_t ids_count;	    /* number of ids in stacks->ids */
	size_t jit_end; /* the value of ids_count after the outermost frame of JIT code that has no
			 * name was added; 0 if there is none */
	bool called;	/* the next address is a return address */
	struct pk_chain result;
	bool retry, failed;
	bool marked; /* callers are missing, so the frame "[stack truncated]" is added */
};

struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg)
{
	struct pk_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	pk_chain_seeds_draw(&stacks->chains.seeds);
	stacks->frames.dictionary = dictionary;
	pk_stacks_frames(stacks, frames, resolve, arg);
	return stacks;
}

void pk_stacks_frames(struct pk_stacks *stacks, enum pk_frames_of frames, pk_resolve_fn resolve,
		      void *arg)
{
	stacks->frames.resolve = resolve;
	stacks->frames.arg = arg;
	stacks->frames.addresses = frames != PK_FRAMES_OF_FUNCTIONS;
	stacks->frames.calls = frames == PK_FRAMES_OF_CALLS;
}

void pk_stacks_leaves(struct pk_stacks *stacks, bool leaves)
{
	stacks->leaves_only = leaves;
}

void pk_stacks_forget(struct pk_stacks *stacks)
{
	pk_chains_forget(&stacks->chains);
	leaf_stacks_forget(&stacks->leaves);
	pk_frames_forget(&stacks->frames);
}

void pk_stacks_free(struct pk_stacks *stacks)
{
	if (!stacks)
		return;
	pk_stacks_forget(stacks);
	free(stacks->ids);
	free(stacks);
}

bool pk_stacks_truncated(const struct pk_stacks *stacks)
{
	return stacks->truncated;
}

bool pk_stacks_nameless_jit(const struct pk_stacks *stacks)
{
	return stacks->nameless_jit;
}

void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count)
{
	*count = stacks->count;
}

void pk_stacks_restore(struct pk_stacks *stacks, const struct pk_stacks_count *count)
{
	stacks->count = *count;
	pk_frames_forget_locations(&stacks->frames);
	pk_chains_forget(&stacks->chains);
}

/* ---- One callchain ---- */

/* Used for functions that are called for each address of each sample. */
#define INLINED static inline __attribute__((always_inline))

/* Returns the serial of the maps in which addresses of this mode are looked up. */
static uint64_t maps_of(const struct lookup *lookup, uint16_t mode)
{
	return mode == PERF_RECORD_MISC_KERNEL ? lookup->kernel_maps : lookup->maps;
}

INLINED struct pk_found_frame find_frames(struct lookup *lookup, uint64_t ip, uint32_t context)
{
	const struct pk_frame_key key = {ip, maps_of(lookup, pk_context_mode_of(context)), context};

	return pk_frames_find(&lookup->stacks->frames, lookup->session, lookup->thread, &key);
}

static bool is_jit(const struct pk_stacks *stacks, uint32_t id)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(stacks->frames.dictionary, id);

	return frame && frame->flags & PK_FRAME_JIT;
}

/* Adds the ids of the frames of an address. Sets *unresolved if the address has no name. */
INLINED void add_frames(struct lookup *lookup, uint64_t ip, uint32_t context, bool *unresolved)
{
	struct pk_stacks *stacks = lookup->stacks;
	const struct pk_found_frame found = find_frames(lookup, ip, context);
	const uint16_t count = found.frames.count;

	lookup->called = !found.frames.interrupts;
	lookup->retry |= found.retry;
	*unresolved = found.frames.unresolved;
	if (pk_unlikely(!count) || (pk_unlikely(stacks->ids_room - lookup->ids_count < count) &&
				    pk_reserve(&stacks->ids, &stacks->ids_room, lookup->ids_count,
					       count, sizeof(*stacks->ids)) != PK_OK)) {
		lookup->failed = true;
		return;
	}
	for (uint16_t i = 0; i < count; i++)
		stacks->ids[lookup->ids_count++] = pk_frames_ids(&stacks->frames, &found.frames)[i];
	if (pk_unlikely(*unresolved) && is_jit(stacks, stacks->ids[lookup->ids_count - 1]))
		lookup->jit_end = lookup->ids_count;
}

/* Looks up the `count` outermost entries of the callchain in the cache. `context` is the result of
 * pk_context_of() for the innermost of these entries. Returns true and sets *outer if they are in
 * the cache. */
static bool find_part(struct lookup *lookup, size_t count, uint32_t context, struct pk_chain *outer)
{
	const struct pk_chains *chains = &lookup->stacks->chains;
	const struct pk_chain_hash *state = pk_chain_part(&lookup->stacks->parts, count);
	const struct pk_chain *known;
	struct pk_chain_hash hash;

	if (pk_likely(!state) || count == lookup->chain.count)
		return false;
	hash = pk_chain_part_hash(&chains->seeds, state, count, context);
	known = pk_chains_find(chains, &hash);
	if (known)
		*outer = *known;
	else
		lookup->stacks->missing[lookup->stacks->missing_count++] = (struct missing){
			hash, lookup->ids_count, lookup->result.frames, lookup->result.unresolved};
	return known;
}

/* ---- The own address of the sample ---- */

/* The entry of the callchain that is looked up next, and the mode of its address. */
struct position {
	size_t i;
	uint16_t mode;
};

/* Moves to the next entry that is an address. Returns false if there is none.
 *
 * SPEC 5.3: A marker sets the mode of the addresses after it. After PERF_CONTEXT_USER_DEFERRED, the
 * next entry is a cookie, not an address. */
static bool next_address(const struct lookup *lookup, struct position *position)
{
	for (; position->i < lookup->chain.count; position->i++) {
		const uint64_t ip = pk_u64s_at(&lookup->chain, position->i);

		if (ip < PERF_CONTEXT_MAX)
			return true;
		position->mode = pk_context_mode(ip, position->mode);
		position->i += ip == PERF_CONTEXT_USER_DEFERRED;
	}
	return false;
}

/* Returns true if the address at this position is in the function of the frame with this id. All
 * code of an object that has no name is treated as one function. */
static bool is_in(struct lookup *lookup, const struct position *position, bool called, uint32_t id)
{
	struct pk_frames *frames = &lookup->stacks->frames;
	const struct pk_found_frame found =
		find_frames(lookup, pk_u64s_at(&lookup->chain, position->i),
			    pk_context_of(position->mode, called));
	const struct pk_frame *a, *b;

	lookup->retry |= found.retry;
	if (!found.frames.count)
		return false;
	a = pk_dictionary_get_frame(frames->dictionary, id);
	b = pk_dictionary_get_frame(frames->dictionary,
				    pk_frames_ids(frames, &found.frames)[found.frames.count - 1]);
	return a && b && a->dso == b->dso && a->function == b->function &&
	       a->symbol_start == b->symbol_start && !((a->flags ^ b->flags) & PK_FRAME_KERNEL);
}

/* Adds the frames of the own address, and moves the position to the callers of that address (see
 * pk_stacks_of). */
static void add_own(struct lookup *lookup, struct position *position)
{
	struct pk_stacks *stacks = lookup->stacks;
	const uint16_t mode = lookup->mode;
	struct position at = *position, second;
	bool unresolved = false;
	uint32_t id;

	add_frames(lookup, lookup->own, pk_context_of(mode, false), &unresolved);
	if (lookup->failed)
		return;
	lookup->result.unresolved = unresolved;
	id = stacks->ids[lookup->ids_count - 1];
	while (next_address(lookup, &at) && mode == PERF_RECORD_MISC_USER &&
	       at.mode == PERF_RECORD_MISC_KERNEL) {
		lookup->result.frames++;
		*position = (struct position){++at.i, at.mode};
	}
	if (at.i >= lookup->chain.count)
		return;
	second = (struct position){at.i + 1, at.mode};
	if (is_in(lookup, &at, false, id)) {
		*position = second;
		lookup->result.frames++;
	} else if (second.i < lookup->chain.count &&
		   pk_u64s_at(&lookup->chain, second.i) < PERF_CONTEXT_MAX &&
		   is_in(lookup, &second, true, id)) {
		*position = (struct position){second.i + 1, second.mode};
		lookup->called = true;
		lookup->result.frames = (uint16_t)(lookup->result.frames + 2);
	} else {
		lookup->called = false;
	}
}

/* Looks up the entries of the callchain, starting with the innermost one. Stops when the remaining
 * entries are in the cache, and sets *outer to them. Otherwise does not change *outer. */
static void add_chain(struct lookup *lookup, struct pk_chain *outer)
{
	const size_t count = lookup->chain.count;
	struct position at = {0, lookup->mode};

	if (pk_unlikely(lookup->own != PK_NO_ADDRESS))
		add_own(lookup, &at);
	for (; at.i < count; at.i++) {
		const uint64_t ip = pk_u64s_at(&lookup->chain, at.i);
		const uint32_t context = pk_context_of(at.mode, lookup->called);
		bool unresolved = false;

		if (find_part(lookup, count - at.i, context, outer))
			return;
		if (pk_likely(ip < PERF_CONTEXT_MAX)) {
			add_frames(lookup, ip, context, &unresolved);
			lookup->result.frames++;
			lookup->result.unresolved =
				(lookup->result.unresolved + unresolved) & UNRESOLVED_MAX;
			continue;
		}
		at.mode = pk_context_mode(ip, at.mode);
		/* The next address is the address of an interrupted instruction, not a return
		 * address. */
		lookup->called = false;
		at.i += ip == PERF_CONTEXT_USER_DEFERRED;
	}
}

/* Adds a frame to a stack. Stack 0 is the empty stack. Returns 0 if memory is exhausted. If memory
 * was already exhausted when the caller made the frame, `frame` is 0, and the result is 0. */
static uint32_t push(struct pk_dictionary *dictionary, uint32_t stack, uint32_t frame)
{
	return frame ? pk_dictionary_stack(dictionary, stack, frame) : 0;
}

/* Returns the stack with which all stacks of the thread begin. */
static uint32_t root_of(const struct lookup *lookup)
{
	struct pk_frames *frames = &lookup->stacks->frames;
	uint32_t stack = push(frames->dictionary, 0,
			      pk_frames_comm(frames, lookup->session, lookup->thread->comm));

	if (stack && lookup->marked)
		stack = push(frames->dictionary, stack, pk_frames_truncated(frames->dictionary));
	return stack;
}

/* Adds the frames to the stack of the outermost entries. Adds the stacks of the missing parts to
 * the cache. */
static void push_chain(struct lookup *lookup, const struct pk_chain *outer)
{
	struct pk_stacks *stacks = lookup->stacks;
	struct pk_chain *all = &lookup->result;

	if (!outer->stack || lookup->failed ||
	    pk_dictionary_path(stacks->frames.dictionary, outer->stack, stacks->ids,
			       lookup->ids_count) != PK_OK)
		return;
	all->stack = lookup->ids_count ? stacks->ids[0] : outer->stack;
	all->frames = (uint16_t)(all->frames + outer->frames);
	all->unresolved = (all->unresolved + outer->unresolved) & UNRESOLVED_MAX;
	all->nameless_jit = outer->nameless_jit || lookup->jit_end;
	for (unsigned int i = 0; i < stacks->missing_count && !lookup->retry; i++) {
		const struct missing *part = &stacks->missing[i];

		pk_chains_add(&stacks->chains,
			      &(struct pk_chain){
				      part->hash,
				      part->ids_count < lookup->ids_count
					      ? stacks->ids[part->ids_count]
					      : outer->stack,
				      (uint16_t)(all->frames - part->frames),
				      (all->unresolved - part->unresolved) & UNRESOLVED_MAX,
				      outer->nameless_jit || lookup->jit_end > part->ids_count});
	}
}

/* Prefetches the entries of the caches that add_chain() reads. The guess is that the parts of the
 * callchain start with a return address of user code. A wrong guess only costs time. */
static void prefetch(const struct lookup *lookup)
{
	const struct pk_stacks *stacks = lookup->stacks;
	const size_t count = lookup->chain.count, step = stacks->parts.step;
	struct pk_frame_key key;
	uint16_t mode = lookup->mode;

	if (pk_unlikely(!stacks->chains.pairs || !stacks->frames.recent))
		return;
	for (size_t left = step; left < count; left += step) {
		const struct pk_chain_hash hash = pk_chain_part_hash(
			&stacks->chains.seeds, &stacks->parts.states[left / step - 1], left,
			pk_context_of(PERF_RECORD_MISC_USER, true));

		__builtin_prefetch(pair_of(&stacks->chains, &hash));
	}
	for (size_t i = 0; i < count; i++) {
		key.ip = pk_u64s_at(&lookup->chain, i);
		key.maps = maps_of(lookup, mode);
		if (pk_unlikely(key.ip >= PERF_CONTEXT_MAX))
			mode = pk_context_mode(key.ip, mode);
		else
			__builtin_prefetch(pk_recent_of(&stacks->frames, &key));
	}
}

/* Makes the stack of the callchain. */
static void build(struct lookup *lookup)
{
	struct pk_chain outer = {.stack = 0};

	lookup->stacks->missing_count = 0;
	prefetch(lookup);
	add_chain(lookup, &outer);
	if (!outer.stack)
		outer.stack = root_of(lookup);
	push_chain(lookup, &outer);
}

/* ---- Samples ---- */

static void count_sample(struct pk_stacks *stacks, const struct lookup *lookup,
			 const struct pk_event *event)
{
	uint16_t limit =
		event->attr.sample_max_stack ? event->attr.sample_max_stack : MAX_STACK_DEFAULT;

	stacks->count.samples++;
	pk_partial_chains_count(&stacks->count.partial, event);
	stacks->count.frames += lookup->result.frames;
	stacks->count.frames_unresolved += lookup->result.unresolved;
	/* A callchain that reaches the limit is counted as truncated. A merged callchain can be
	 * longer than the limit without being truncated. In that case, only its trailer reports
	 * whether it was truncated. */
	if (pk_unlikely(lookup->result.frames >= limit) && !stacks->leaves_only &&
	    (!stacks->trailers || lookup->result.frames == limit)) {
		stacks->count.stacks_truncated++;
		stacks->truncated = true;
	}
}

static void find_stack(struct pk_stacks *stacks, struct lookup *lookup)
{
	const struct pk_chain_key key = {
		.maps = lookup->maps,
		.task = (uint64_t)lookup->marked << 32 | lookup->thread->comm,
		.ips = &lookup->chain,
	};
	const struct pk_chain *known;
	struct pk_chain_hash hash;

	pk_chain_parts(&stacks->chains.seeds, &key, &lookup->stacks->parts);
	hash = pk_chain_part_hash(&stacks->chains.seeds, &lookup->stacks->parts.whole,
				  lookup->chain.count, pk_context_of(lookup->mode, false));
	if (pk_unlikely(lookup->own != PK_NO_ADDRESS))
		hash = pk_chain_hash_with(&stacks->chains.seeds, &hash, lookup->own);
	known = pk_chains_find(&stacks->chains, &hash);
	if (pk_likely(known)) {
		lookup->result = *known;
		return;
	}
	build(lookup);
	lookup->result.hash = hash;
	if (!lookup->retry && lookup->result.stack)
		pk_chains_add(&stacks->chains, &lookup->result);
}

/* Finds the stack that has only the name of the thread and the frames of the innermost address. */
static void find_leaf(struct pk_stacks *stacks, struct lookup *lookup)
{
	const uint32_t comm = lookup->thread->comm;
	struct pk_found_frame found = {0};
	struct position at = {0, lookup->mode};
	uint64_t ip = lookup->own;

	if (pk_likely(ip == PK_NO_ADDRESS) && next_address(lookup, &at))
		ip = pk_u64s_at(&lookup->chain, at.i);
	if (pk_likely(ip != PK_NO_ADDRESS)) {
		found = find_frames(lookup, ip, pk_context_of(at.mode, false));
		if (pk_unlikely(!found.frames.count))
			return;
		lookup->result.frames = 1;
		lookup->result.unresolved = found.frames.unresolved;
		lookup->result.nameless_jit =
			found.frames.unresolved &&
			is_jit(stacks, pk_frames_ids(&stacks->frames,
						     &found.frames)[found.frames.count - 1]);
	}
	lookup->result.stack =
		leaf_stack_of(&stacks->leaves, &stacks->frames, lookup->session, comm, &found);
}

void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark)
{
	stacks->trailers = present;
	stacks->mark = present && mark;
}

/* Returns the flags of the sample's chain trailer (SPEC 9.8.1). */
static uint32_t trailer_flags(const struct pk_record *record)
{
	const struct pk_trailer *trailer =
		pk_trailer_at(record->data + record->size - PK_CHAIN_TRAILER_SIZE);

	return record->size >= sizeof(struct perf_header) + PK_CHAIN_TRAILER_SIZE &&
			       trailer->tag == PK_CHAIN_TRAILER_TAG
		       ? trailer->value
		       : 0;
}

uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record)
{
	struct lookup lookup = {.stacks = stacks,
				.session = session,
				.mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK};
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
	const struct pk_layout *layout = &event->layout;
	struct pk_addresses addresses;
	uint32_t flags;

	if (pk_unlikely(stacks->frames.stale)) {
		pk_frames_forget_locations(&stacks->frames);
		pk_chains_forget(&stacks->chains);
	}
	if (pk_unlikely(pk_sample_addresses(event, record, &addresses) != PK_OK)) {
		stacks->count.samples_bad++;
		return 0;
	}
	lookup.chain = addresses.chain;
	lookup.own = addresses.own;
	stacks->count.stacks_unmerged += addresses.unmerged;
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	if (lookup.mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		lookup.mode = PERF_RECORD_MISC_USER;
	flags = stacks->trailers ? trailer_flags(record) : 0;
	stacks->count.stacks_torn += (flags & PK_CHAIN_TORN) != 0;
	stacks->truncated = (flags & PK_CHAIN_MISSING) != 0;
	lookup.marked = stacks->mark && stacks->truncated;
	stacks->truncated |= addresses.unmerged || addresses.bare || stacks->leaves_only;
	lookup.thread = pk_session_thread(session, task.pid, task.tid);
	if (!lookup.thread)
		return 0;
	lookup.maps = pk_chain_maps(session, lookup.thread);
	lookup.kernel_maps = pk_space_serial(pk_session_kernel(session));
	if (stacks->leaves_only)
		find_leaf(stacks, &lookup);
	else
		find_stack(stacks, &lookup);
	stacks->nameless_jit = lookup.result.nameless_jit;
	count_sample(stacks, &lookup, event);
	return lookup.result.stack;
}
