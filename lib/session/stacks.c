// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "chain_hash.h"
#include "code_ranges.h"
#include "large_pages.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "session.h"
#include "vector.h"

struct pk_chain {
	struct pk_chain_hash hash;
	uint32_t stack; /* 0: the entry is free */
	uint16_t frames, unresolved;
};

/* A cache of callchains and their stacks. */
#define CHAIN_PAIRS ((size_t)1 << 16) /* 3 MiB */

struct pk_chains {
	struct pk_chain (*pairs)[2]; /* NULL: no cache */
	struct pk_chain_seeds seeds;
};

/* An entry of a cache from addresses to frames. Most addresses of a new callchain were in recent
 * callchains, too. */
struct pk_recent {
	uint64_t ip;
	uint64_t maps;	  /* the maps that ip was looked up in: pk_chain_maps(), or the kernel's */
	uint32_t context; /* context_of() */
	struct pk_code_range frames; /* count 0: the entry is free */
};

#define RECENT_SHIFT 15			/* entries: 1 MiB */
#define IDS_MAX	     ((size_t)16 << 20) /* 64 MiB of pk_frames.ids */

/* Caches from addresses and locations to frames of the dictionary, so that a function is not
 * resolved for each of its addresses. */
struct pk_frames {
	struct pk_dictionary *dictionary;
	pk_resolve_fn resolve;
	void *arg;
	bool addresses;		  /* one frame for each address, not for each function */
	struct pk_recent *recent; /* 1 << RECENT_SHIFT; NULL: no cache */
	struct pk_code_ranges ranges;
	uint32_t *ids; /* the frames of ranges with several frames, one range after another */
	size_t ids_room, ids_count;
	uint32_t *dsos; /* ids, by pk_image.index; 0: not yet in the dictionary */
	size_t dsos_capacity;
	uint32_t *comms; /* ids of frames, by comm id; 0: not yet in the dictionary */
	size_t comms_capacity;
	bool failed; /* memory was exhausted while a frame was added */
	bool stale;  /* pk_resolved.appeared: clear the caches before the next sample */
};

struct pk_found_frame {
	struct pk_code_range frames; /* first and last are unset. count 0: out of memory */
	bool retry;		     /* pk_resolved.retry: do not cache it, nor its chain */
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

/* NULL: not in the cache. */
static const struct pk_chain *pk_chains_find(const struct pk_chains *chains,
					     const struct pk_chain_hash *hash)
{
	return pk_likely(chains->pairs)
		       ? pk_pair_find(pair_of(chains, hash), sizeof(struct pk_chain), hash)
		       : NULL;
}

/* Does nothing if memory is exhausted. */
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

/* ---- Frames ---- */

static void forget_locations(struct pk_frames *frames)
{
	pk_code_ranges_free(&frames->ranges);
	free(frames->recent);
	frames->recent = NULL;
	frames->ids_count = 0;
	frames->stale = false;
}

static void pk_frames_forget(struct pk_frames *frames)
{
	forget_locations(frames);
	free(frames->ids);
	free(frames->dsos);
	free(frames->comms);
	frames->ids = NULL;
	frames->ids_room = 0;
	frames->dsos = frames->comms = NULL;
	frames->dsos_capacity = frames->comms_capacity = 0;
}

/* Sets failed if an id from the dictionary is 0: memory is exhausted. In a frame, the 0 would mean
 * "unknown". Returns the id. */
static uint32_t check(struct pk_frames *frames, uint32_t id)
{
	frames->failed |= !id;
	return id;
}

static uint32_t intern_dso(struct pk_frames *frames, enum pk_dso_kind kind, const char *path,
			   const struct pk_image *build)
{
	struct pk_dso dso = {.kind = kind};

	dso.path = check(frames, pk_dictionary_string(frames->dictionary, path, strlen(path)));
	if (!dso.path)
		return 0;
	if (build) {
		dso.build_id_size = build->build_id_size;
		memcpy(dso.build_id, build->build_id, sizeof(dso.build_id));
	}
	return check(frames, pk_dictionary_dso(frames->dictionary, &dso));
}

static uint32_t image_dso(struct pk_frames *frames, const struct pk_image *image)
{
	if (!pk_extend(&frames->dsos, &frames->dsos_capacity, image->index))
		return check(frames, 0);
	if (!frames->dsos[image->index])
		frames->dsos[image->index] = intern_dso(frames, image->kind, image->name, image);
	return frames->dsos[image->index];
}

/* The DSO of a symbol for which kallsyms has another module than the map: kallsyms is right. */
static uint32_t module_dso(struct pk_frames *frames, const char *module)
{
	char path[128] = "[";
	size_t length = strnlen(module, sizeof(path) - 3);

	memcpy(path + 1, module, length);
	path[length + 1] = ']';
	return intern_dso(frames, PK_DSO_MODULE, path, NULL);
}

/* Adds a frame to ids. False: out of memory. */
static bool add(struct pk_frames *frames, const struct pk_frame *frame)
{
	uint32_t id = pk_dictionary_frame(frames->dictionary, frame);

	if (!pk_reserve(&frames->ids, &frames->ids_room, frames->ids_count, 1,
			sizeof(*frames->ids)))
		return false;
	frames->ids[frames->ids_count++] = id;
	return id;
}

static uint32_t intern(struct pk_frames *frames, const char *text)
{
	return text ? check(frames, pk_dictionary_string(frames->dictionary, text, strlen(text)))
		    : 0;
}

/* An inlined function has the address and the symbol start of the function that contains it. */
static bool add_inlined(struct pk_frames *frames, struct pk_frame frame,
			const struct pk_inlined *inlined)
{
	frame.function = intern(frames, inlined->function);
	frame.file = intern(frames, inlined->file);
	frame.line = inlined->line;
	frame.column = inlined->column;
	frame.flags |= PK_FRAME_INLINED;
	return add(frames, &frame);
}

/* The DSO of a frame; 0: none, or out of memory. Kernel code that no map covers, such as startup
 * code, gets the kernel's DSO if it has a symbol. */
static uint32_t dso_of(struct pk_frames *frames, const struct pk_location *location,
		       const struct pk_resolved *resolved)
{
	if (resolved->module)
		return module_dso(frames, resolved->module);
	if (location->image)
		return image_dso(frames, location->image);
	if (location->flags == PK_FRAME_KERNEL && resolved->function)
		return intern_dso(frames, PK_DSO_KERNEL, "[kernel.kallsyms]", NULL);
	return 0;
}

static void fill(struct pk_frames *frames, const struct pk_location *location,
		 const struct pk_resolved *resolved, struct pk_frame *frame)
{
	*frame = (struct pk_frame){.address = location->address,
				   .dso = dso_of(frames, location, resolved),
				   .flags = location->flags,
				   .line = resolved->line,
				   .column = resolved->column};
	if (resolved->function) {
		frame->function =
			check(frames, pk_dictionary_string(frames->dictionary, resolved->function,
							   resolved->function_size));
		frame->symbol_start = resolved->symbol_start;
	}
	if (!frames->addresses) {
		frame->address = frame->symbol_start;
		frame->flags |= PK_FRAME_FUNCTION;
	}
	frame->file = intern(frames, resolved->file);
	if (location->image && location->image->kind == PK_DSO_JIT)
		frame->flags |= PK_FRAME_JIT;
}

/* The ids of the frames, innermost first; valid until the next location is resolved. */
static const uint32_t *ids_of(const struct pk_frames *frames, const struct pk_code_range *range)
{
	return pk_likely(range->count == 1) ? &range->frames : frames->ids + range->frames;
}

/* Resolves the location. *same: the addresses that have the same frames. */
static struct pk_found_frame make(struct pk_frames *frames, const struct pk_location *location,
				  struct pk_range *same)
{
	const size_t first = frames->ids_count;
	struct pk_resolved resolved = {0};
	struct pk_found_frame found = {0};
	struct pk_frame frame;
	bool ok = true;

	frames->failed = false;
	if (frames->resolve)
		frames->resolve(frames->arg, location, &resolved);
	fill(frames, location, &resolved, &frame);
	for (size_t i = 0; ok && i < resolved.inlined_count; i++)
		ok = add_inlined(frames, frame, &resolved.inlined[i]);
	found.retry = resolved.retry;
	frames->stale |= resolved.appeared;
	found.frames.unresolved = !frame.function;
	found.frames.interrupts = resolved.interrupts;
	*same = frames->addresses || !pk_range_has(&resolved.same, location->address)
			? pk_range_of_one(location->address)
			: resolved.same;
	if (!frame.function)
		frame.flags |= PK_FRAME_UNRESOLVED;
	if (!ok || frames->failed || !add(frames, &frame)) {
		frames->ids_count = first;
		return found;
	}
	found.frames.count = (uint16_t)(frames->ids_count - first);
	found.frames.frames = (uint32_t)first;
	if (found.frames.count == 1) {
		found.frames.frames = frames->ids[first];
		frames->ids_count = first;
	}
	return found;
}

static struct pk_found_frame find_location(struct pk_frames *frames,
					   const struct pk_location *location)
{
	const struct pk_code_range *range = pk_code_ranges_find(&frames->ranges, location);
	struct pk_found_frame found;
	struct pk_range same;

	if (pk_likely(range))
		return (struct pk_found_frame){.frames = *range};
	if (pk_unlikely(pk_code_ranges_full(&frames->ranges) || frames->ids_count > IDS_MAX))
		forget_locations(frames);
	found = make(frames, location, &same);
	if (!found.frames.count)
		return found;
	if (found.retry)
		frames->ids_count -= found.frames.count > 1 ? found.frames.count : 0;
	else if (!pk_code_ranges_add(&frames->ranges, location, &same, found.frames))
		found.frames.count = 0;
	return found;
}

/* How an address is looked up: its mode, and whether it is a return address. */
static uint32_t context_of(uint16_t mode, bool called)
{
	return (uint32_t)mode << 1 | called;
}

/* The entry for an address, whose place is taken if it is of another address. NULL: no cache. */
static struct pk_recent *recent_of(struct pk_frames *frames, uint64_t ip, uint64_t maps)
{
	const size_t size = sizeof(*frames->recent) << RECENT_SHIFT;

	if (pk_unlikely(!frames->recent)) {
		frames->recent = calloc((size_t)1 << RECENT_SHIFT, sizeof(*frames->recent));
		if (!frames->recent)
			return NULL;
		pk_use_large_pages(frames->recent, size);
	}
	return &frames->recent[(ip ^ maps) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_SHIFT)];
}

/* The frame of a comm. 0: out of memory. */
static uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session,
			       uint32_t comm)
{
	struct pk_frame frame = {.flags = PK_FRAME_COMM};
	const char *text;

	if (!pk_extend(&frames->comms, &frames->comms_capacity, comm))
		return 0;
	if (!frames->comms[comm]) {
		text = pk_session_comm(session, comm);
		frame.function = pk_dictionary_string(frames->dictionary, text, strlen(text));
		if (frame.function)
			frames->comms[comm] = pk_dictionary_frame(frames->dictionary, &frame);
	}
	return frames->comms[comm];
}

/* ---- Stacks ---- */

/* A chain is looked up as a whole, by its address space, comm and addresses. Only a chain that is
 * not in the cache is split into frames, and only a frame that is not in the cache is resolved. */

/* The default limit of the kernel and of perf for the number of addresses in a chain. */
#define MAX_STACK_DEFAULT 127

/*
 * The entries of a callchain, the outermost caller first, with the stack of each. A deep callchain
 * often has the same callers as the previous one of its thread: only the entries that differ are
 * looked up.
 */
struct pk_callers {
	uint64_t maps, task; /* of its pk_chain_key */
	struct pk_caller {
		uint64_t ip;
		uint32_t stack;		     /* with all frames of this entry and of its callers */
		uint32_t context;	     /* that ip was looked up with: context_of() */
		uint16_t frames, unresolved; /* sums of this entry and its callers */
	} * items;
	size_t count, capacity;
};

#define CALLERS	    64 /* number of threads, by the low bits of their tids */
#define CALLERS_MIN 16 /* shorter callchains are not kept */
#define CALLERS_MAX 1024

struct pk_stacks {
	struct pk_frames frames;
	struct pk_chains chains;
	struct pk_callers callers[CALLERS];
	struct pk_callers shallow; /* always empty; for other callchains */
	struct pk_stacks_count count;
	bool trailers, mark; /* pk_stacks_trailers */
	uint32_t *ids;	     /* ids of the frames of the chain that is decoded, leaf first */
	size_t ids_room;
};

/* The state of finding the stack of one sample. */
struct lookup {
	struct pk_stacks *stacks;
	struct pk_session *session;
	const struct pk_thread *thread;
	struct pk_u64s chain;
	uint64_t maps,
		kernel_maps; /* serials of the maps: pk_chain_maps(), and the kernel's alone */
	uint16_t mode; /* of the addresses before the first marker: PERF_RECORD_MISC_KERNEL ... */
	struct pk_callers *callers;
	size_t ids_count; /* in stacks->ids */
	bool called;	  /* the next address is a return address */
	struct pk_chain result;
	bool retry, failed;
	bool marked; /* callers are missing: add the frame "[stack truncated]" */
};

struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg)
{
	struct pk_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	pk_chain_seeds_draw(&stacks->chains.seeds);
	stacks->frames = (struct pk_frames){.dictionary = dictionary,
					    .resolve = resolve,
					    .arg = arg,
					    .addresses = frames == PK_FRAMES_OF_ADDRESSES};
	return stacks;
}

static void forget_callers(struct pk_stacks *stacks)
{
	for (int i = 0; i < CALLERS; i++)
		stacks->callers[i].count = 0;
}

void pk_stacks_forget(struct pk_stacks *stacks)
{
	forget_callers(stacks);
	pk_chains_forget(&stacks->chains);
	pk_frames_forget(&stacks->frames);
}

void pk_stacks_free(struct pk_stacks *stacks)
{
	if (!stacks)
		return;
	pk_stacks_forget(stacks);
	for (int i = 0; i < CALLERS; i++)
		free(stacks->callers[i].items);
	free(stacks->shallow.items);
	free(stacks->ids);
	free(stacks);
}

void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count)
{
	*count = stacks->count;
}

/* ---- One chain ---- */

/* The map of a user address. A jitdump's code has precedence, except over a mapped file: JIT code
 * is in memory without a file. */
static const struct pk_map *find_user(const struct pk_process *process, uint64_t ip)
{
	const struct pk_map *map = pk_space_find(process->space, ip), *code;

	if (pk_likely(!process->code))
		return map;
	if (map && map->image->kind != PK_DSO_JIT && map->image->kind != PK_DSO_ANON)
		return map;
	code = pk_space_find(process->code, ip);
	return code ? code : map;
}

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
		map = find_user(thread->process, ip);
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
		location.map_start = map->start;
		location.map_end = map->end;
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

static bool is_recent(const struct pk_recent *recent, uint64_t ip, uint64_t maps, uint32_t context)
{
	return recent && recent->ip == ip && recent->maps == maps && recent->context == context &&
	       recent->frames.count;
}

static struct pk_found_frame find_frames(struct lookup *lookup, uint64_t ip, uint16_t mode)
{
	const uint64_t maps = mode == PERF_RECORD_MISC_KERNEL ? lookup->kernel_maps : lookup->maps;
	const uint32_t context = context_of(mode, lookup->called);
	struct pk_frames *frames = &lookup->stacks->frames;
	struct pk_recent *recent = recent_of(frames, ip, maps);
	struct pk_location location;
	struct pk_found_frame found;

	if (pk_likely(is_recent(recent, ip, maps, context)))
		return (struct pk_found_frame){.frames = recent->frames};
	location = pk_session_locate(lookup->session, lookup->thread, ip, mode);
	location.called = lookup->called;
	found = find_location(frames, &location);
	if (!found.retry && (recent = recent_of(frames, ip, maps)))
		*recent = (struct pk_recent){ip, maps, context, found.frames};
	return found;
}

/* Adds the ids of the frames. *unresolved: whether the address has no name. */
static void add_frames(struct lookup *lookup, uint64_t ip, uint16_t mode, bool *unresolved)
{
	struct pk_stacks *stacks = lookup->stacks;
	const struct pk_found_frame found = find_frames(lookup, ip, mode);
	const uint16_t count = found.frames.count;

	lookup->called = !found.frames.interrupts;
	lookup->retry |= found.retry;
	*unresolved = found.frames.unresolved;
	if (pk_unlikely(!count) || (pk_unlikely(stacks->ids_room - lookup->ids_count < count) &&
				    !pk_reserve(&stacks->ids, &stacks->ids_room, lookup->ids_count,
						count, sizeof(*stacks->ids)))) {
		lookup->failed = true;
		return;
	}
	for (uint16_t i = 0; i < count; i++)
		stacks->ids[lookup->ids_count++] = ids_of(&stacks->frames, &found.frames)[i];
}

/* The number of entries, from the outermost caller on, that the chain has in common with the
 * callers. */
static size_t common_callers(const struct pk_callers *callers, const struct pk_u64s *chain)
{
	const size_t limit = callers->count < chain->count ? callers->count : chain->count;
	size_t count = 0;

	while (count < limit &&
	       callers->items[count].ip == pk_u64s_at(chain, chain->count - 1 - count))
		count++;
	return count;
}

/*
 * Looks up the entries of the chain from the leaf on, until callers follow that are known. Sets ip,
 * context, frames and unresolved (of the entry alone) of the items, and stack to the number of ids
 * up to the entry. Returns the number of known callers.
 *
 * SPEC 5.3: a marker sets the mode of the addresses after it. After PERF_CONTEXT_USER_DEFERRED, the
 * next entry is a cookie, not an address. Each of them is an item, too, without frames.
 */
static size_t add_chain(struct lookup *lookup)
{
	struct pk_callers *callers = lookup->callers;
	const size_t common = common_callers(callers, &lookup->chain);
	uint16_t mode = lookup->mode;
	size_t left = lookup->chain.count;
	bool cookie = false;

	for (; left; left--) {
		struct pk_caller *item = &callers->items[left - 1];
		const uint64_t ip = pk_u64s_at(&lookup->chain, lookup->chain.count - left);
		const uint32_t context = cookie ? UINT32_MAX : context_of(mode, lookup->called);
		bool unresolved = false;

		if (left <= common && item->context == context)
			break;
		item->ip = ip;
		item->context = context;
		item->frames = !cookie && ip < PERF_CONTEXT_MAX;
		if (item->frames) {
			add_frames(lookup, ip, mode, &unresolved);
		} else if (!cookie) {
			mode = pk_context_mode(ip, mode);
			/* The next address is that of an interrupted instruction, not a return
			 * address. */
			lookup->called = false;
		}
		cookie = !cookie && ip == PERF_CONTEXT_USER_DEFERRED;
		item->unresolved = unresolved;
		item->stack = (uint32_t)lookup->ids_count;
	}
	return left;
}

/* The marker frame for missing callers. */
static uint32_t truncated_frame(struct pk_dictionary *dictionary)
{
	static const char text[] = "[stack truncated]";
	const struct pk_frame frame = {
		.function = pk_dictionary_string(dictionary, text, sizeof(text) - 1),
		.flags = PK_FRAME_USER | PK_FRAME_TRUNCATED,
	};

	return frame.function ? pk_dictionary_frame(dictionary, &frame) : 0;
}

/* Adds a frame to a stack; stack 0: the empty stack. 0: out of memory, now or before (frame is 0).
 */
static uint32_t push(struct pk_dictionary *dictionary, uint32_t stack, uint32_t frame)
{
	return frame ? pk_dictionary_stack(dictionary, stack, frame) : 0;
}

/* The stack that all stacks of the thread begin with. */
static uint32_t root_of(const struct lookup *lookup)
{
	struct pk_frames *frames = &lookup->stacks->frames;
	uint32_t stack = push(frames->dictionary, 0,
			      pk_frames_comm(frames, lookup->session, lookup->thread->comm));

	if (stack && lookup->marked)
		stack = push(frames->dictionary, stack, truncated_frame(frames->dictionary));
	return stack;
}

/* Adds the entries after the first `known` ones to the stack, and sets their items. */
static void push_chain(struct lookup *lookup, size_t known)
{
	const size_t count = lookup->chain.count;
	struct pk_caller *items = lookup->callers->items;
	struct pk_caller last = {.stack = known ? items[known - 1].stack : root_of(lookup)};

	if (known) {
		last.frames = items[known - 1].frames;
		last.unresolved = items[known - 1].unresolved;
	}
	for (size_t i = known; i < count; i++) {
		const size_t first = i + 1 < count ? items[i + 1].stack : 0;

		for (size_t id = items[i].stack; id > first && last.stack; id--)
			last.stack = push(lookup->stacks->frames.dictionary, last.stack,
					  lookup->stacks->ids[id - 1]);
		items[i].stack = last.stack;
		items[i].frames = last.frames = (uint16_t)(last.frames + items[i].frames);
		items[i].unresolved = last.unresolved =
			(uint16_t)(last.unresolved + items[i].unresolved);
	}
	lookup->result.stack = last.stack;
	lookup->result.frames = last.frames;
	lookup->result.unresolved = last.unresolved;
}

static struct pk_callers *callers_of(struct lookup *lookup, const struct pk_chain_key *key)
{
	const bool deep = lookup->chain.count >= CALLERS_MIN && lookup->chain.count <= CALLERS_MAX;
	struct pk_callers *callers = deep ? &lookup->stacks->callers[lookup->thread->tid % CALLERS]
					  : &lookup->stacks->shallow;

	if (callers->maps != key->maps || callers->task != key->task)
		callers->count = 0;
	callers->maps = key->maps;
	callers->task = key->task;
	return callers;
}

/* Builds the stack of the chain. */
static void build(struct lookup *lookup, const struct pk_chain_key *key)
{
	struct pk_callers *callers = callers_of(lookup, key);

	lookup->callers = callers;
	lookup->kernel_maps = pk_space_serial(pk_session_kernel(lookup->session));
	if (!pk_reserve(&callers->items, &callers->capacity, 0, lookup->chain.count,
			sizeof(*callers->items)))
		return;
	push_chain(lookup, add_chain(lookup));
	callers->count = lookup->chain.count;
	if (lookup->failed || lookup->retry || !lookup->result.stack ||
	    callers == &lookup->stacks->shallow)
		callers->count = 0;
	if (lookup->failed)
		lookup->result.stack = 0;
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
	/* A chain that reaches the limit counts as truncated. A merged chain can be longer than the
	 * limit without being truncated; its trailer reports truncation. */
	if (pk_unlikely(lookup->result.frames >= limit) &&
	    (!stacks->trailers || lookup->result.frames == limit))
		stacks->count.stacks_truncated++;
}

static void find_stack(struct pk_stacks *stacks, struct lookup *lookup)
{
	const struct pk_chain_key key = {
		.maps = lookup->maps = pk_chain_maps(lookup->session, lookup->thread),
		.task = (uint64_t)lookup->marked << 63 | (uint64_t)lookup->mode << 32 |
			lookup->thread->comm,
		.ips = &lookup->chain,
	};
	const struct pk_chain_hash hash = pk_chain_hash(&stacks->chains.seeds, &key);
	const struct pk_chain *known = pk_chains_find(&stacks->chains, &hash);

	if (pk_likely(known)) {
		lookup->result = *known;
		return;
	}
	build(lookup, &key);
	lookup->result.hash = hash;
	if (!lookup->retry && lookup->result.stack)
		pk_chains_add(&stacks->chains, &lookup->result);
}

/* The callchain of a sample; PK_END: it has none. If the sample has other fields, the whole sample
 * is decoded to check it. */
static enum pk_status find_chain(const struct pk_event *event, const struct pk_record *record,
				 struct pk_u64s *chain)
{
	const uint64_t simple = PERF_SAMPLE_ID_ALL | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
				PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	struct pk_sample sample;

	if (event->attr.sample_type & ~simple) {
		enum pk_status status = pk_sample_decode(event, record, &sample);

		if (status)
			return status;
	}
	return pk_sample_callchain(event, record, chain);
}

static bool is_unmerged(const struct pk_u64s *chain)
{
	return chain->count >= 2 &&
	       pk_u64s_at(chain, chain->count - 2) == PERF_CONTEXT_USER_DEFERRED;
}

enum pk_status pk_stack_addresses(const struct pk_event *event, const struct pk_record *record,
				  struct pk_u64s *addresses, bool *unmerged)
{
	enum pk_status status;

	*addresses = (struct pk_u64s){record->data, 0};
	status = find_chain(event, record, addresses);
	if (pk_unlikely(status < 0))
		return status;
	*unmerged = is_unmerged(addresses);
	/* Without the cookie, which differs for each sample: such chains would fill the cache. */
	if (pk_unlikely(*unmerged))
		addresses->count -= 2;
	if (pk_unlikely(!addresses->count) && event->layout.ip)
		*addresses = (struct pk_u64s){record->data + event->layout.ip, 1};
	return PK_OK;
}

void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark)
{
	stacks->trailers = present;
	stacks->mark = present && mark;
}

/* SPEC 9.8.1: whether the trailer reports missing callers. */
static bool is_truncated(const struct pk_record *record)
{
	const struct pk_trailer *trailer =
		pk_trailer_at(record->data + record->size - PK_CHAIN_TRAILER_SIZE);

	return record->size >= sizeof(struct perf_header) + PK_CHAIN_TRAILER_SIZE &&
	       trailer->tag == PK_CHAIN_TRAILER_TAG && trailer->value & PK_CHAIN_MISSING;
}

uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record)
{
	struct lookup lookup = {.stacks = stacks,
				.session = session,
				.mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK};
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
	const struct pk_layout *layout = &event->layout;
	bool unmerged;

	if (pk_unlikely(stacks->frames.stale)) {
		forget_locations(&stacks->frames);
		pk_chains_forget(&stacks->chains);
		forget_callers(stacks);
	}
	if (pk_unlikely(pk_stack_addresses(event, record, &lookup.chain, &unmerged))) {
		stacks->count.samples_bad++;
		return 0;
	}
	stacks->count.stacks_unmerged += unmerged;
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	if (lookup.mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		lookup.mode = PERF_RECORD_MISC_USER;
	lookup.marked = stacks->mark && is_truncated(record);
	lookup.thread = pk_session_thread(session, task.pid, task.tid);
	if (!lookup.thread)
		return 0;
	find_stack(stacks, &lookup);
	count_sample(stacks, &lookup, event);
	return lookup.result.stack;
}
