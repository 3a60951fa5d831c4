// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "chains_internal.h"
#include "frames_internal.h"

/*
 * A chain is looked up whole, by its address space, comm and addresses; only one not seen before is
 * taken apart into frames, and only a frame not seen before is resolved.
 */

/* What the kernel's default (and perf's) limit on the length of a chain is. */
#define MAX_STACK_DEFAULT 127

struct pk_stacks {
	struct pk_frames frames;
	struct pk_chains chains;
	struct pk_stacks_count count;
	bool trailers, mark; /* pk_stacks_trailers */
	uint32_t *ids;	     /* frames of the chain that is taken apart, leaf first */
	size_t ids_room;
};

/* One sample on its way to being a stack. */
struct lookup {
	struct pk_stacks *stacks;
	struct pk_session *session;
	const struct pk_thread *thread;
	struct pk_u64s chain;
	uint16_t mode;	  /* of what stands before any marker: PERF_RECORD_MISC_* */
	size_t ids_count; /* in stacks->ids */
	bool called;	  /* the next address is one that is returned to */
	struct pk_chain result;
	bool retry, failed;
	bool marked; /* callers are missing, and that shall be seen */
};

struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, pk_resolve_fn resolve, void *arg)
{
	struct pk_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	pk_chains_init(&stacks->chains);
	stacks->frames = (struct pk_frames){dictionary, resolve, arg, .known = NULL};
	return stacks;
}

void pk_stacks_forget(struct pk_stacks *stacks)
{
	pk_chains_forget(&stacks->chains);
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

void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count)
{
	*count = stacks->count;
}

/* ---- One chain ---- */

/* Code that a jitdump tells of is in memory that no file is mapped to. */
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

static bool reserve_ids(struct pk_stacks *stacks, size_t count)
{
	const size_t room = pk_pow2_above(count);
	uint32_t *ids;

	if (count <= stacks->ids_room)
		return true;
	ids = realloc(stacks->ids, room * sizeof(*ids));
	if (!ids)
		return false;
	stacks->ids = ids;
	stacks->ids_room = room;
	return true;
}

static void add_frame(struct lookup *lookup, uint64_t ip, uint16_t mode)
{
	struct pk_location location = pk_session_locate(lookup->session, lookup->thread, ip, mode);
	struct pk_stacks *stacks = lookup->stacks;
	struct pk_found_frame found;

	location.called = lookup->called;
	found = pk_frames_find(&stacks->frames, &location);
	lookup->called = !found.interrupts;
	lookup->retry |= found.retry;
	lookup->result.unresolved += found.unresolved;
	lookup->result.frames++;
	if (!found.count || !reserve_ids(stacks, lookup->ids_count + found.count)) {
		lookup->failed = true;
		return;
	}
	memcpy(stacks->ids + lookup->ids_count, found.ids, found.count * sizeof(*found.ids));
	lookup->ids_count += found.count;
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
		lookup->called = false; /* that is where the processor left for another context */
	}
}

static bool is_unmerged(const struct pk_u64s *chain)
{
	return chain->count >= 2 &&
	       pk_u64s_at(chain, chain->count - 2) == PERF_CONTEXT_USER_DEFERRED;
}

/* What stands for the callers that are missing. */
static uint32_t truncated_frame(struct pk_dictionary *dictionary)
{
	static const char text[] = "[stack truncated]";
	const struct pk_frame frame = {
		.function = pk_dictionary_string(dictionary, text, sizeof(text) - 1),
		.flags = PK_FRAME_USER | PK_FRAME_TRUNCATED,
	};

	return frame.function ? pk_dictionary_frame(dictionary, &frame) : 0;
}

/* 0: out of memory, which an argument that is 0 tells of, too. */
static uint32_t push(struct pk_dictionary *dictionary, uint32_t stack, uint32_t frame)
{
	return frame ? pk_dictionary_stack(dictionary, stack, frame) : 0;
}

/* Takes the chain apart and puts its stack together, root first. */
static void build(struct lookup *lookup)
{
	struct pk_frames *frames = &lookup->stacks->frames;
	uint32_t stack;

	add_chain(lookup);
	stack = push(frames->dictionary, 0,
		     pk_frames_comm(frames, lookup->session, lookup->thread->comm));
	if (stack && lookup->marked)
		stack = push(frames->dictionary, stack, truncated_frame(frames->dictionary));
	for (size_t i = lookup->ids_count; i > 0 && stack; i--)
		stack = push(frames->dictionary, stack, lookup->stacks->ids[i - 1]);
	lookup->result.stack = lookup->failed ? 0 : stack;
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
	/* A chain that was put together of parts may be longer, and its trailer tells. */
	if (pk_unlikely(lookup->result.frames >= limit) &&
	    (!stacks->trailers || lookup->result.frames == limit))
		stacks->count.stacks_truncated++;
}

static void find_stack(struct pk_stacks *stacks, struct lookup *lookup)
{
	const struct pk_space *kernel = pk_session_kernel(lookup->session);
	const struct pk_space *space = lookup->thread->process->space;
	const struct pk_space *code = lookup->thread->process->code;
	const struct pk_chain_key key = {
		.space = pk_space_serial(space) << 32 | (uint32_t)pk_space_serial(kernel),
		.task = (uint64_t)lookup->marked << 63 | (code ? pk_space_serial(code) << 35 : 0) |
			(uint64_t)lookup->mode << 32 | lookup->thread->comm,
		.ips = &lookup->chain,
	};
	const struct pk_chain_hash hash = pk_chains_hash(&stacks->chains, &key);
	const struct pk_chain *known = pk_chains_find(&stacks->chains, &hash);

	if (pk_likely(known)) {
		lookup->result = *known;
		return;
	}
	build(lookup);
	lookup->result.hash = hash;
	if (!lookup->retry && lookup->result.stack)
		pk_chains_add(&stacks->chains, &lookup->result);
}

/* PK_END: there is no callchain. Where other fields of varying size stand behind it, the whole
 * sample has to be looked at to know that it is one. */
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

void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark)
{
	stacks->trailers = present;
	stacks->mark = present && mark;
}

/* SPEC 9.8.1: whether the trailer says that callers are missing. */
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
				.chain.data = record->data,
				.mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK};
	enum pk_status status = find_chain(event, record, &lookup.chain);
	const struct pk_layout *layout = &event->layout;
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
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
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	if (lookup.mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		lookup.mode = PERF_RECORD_MISC_USER;
	lookup.marked = stacks->mark && is_truncated(record);
	lookup.thread = pk_session_thread(session, task.pid, task.tid);
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
