// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "pkprivate.h"
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

struct pk_known_frame {
	const struct pk_image *image;
	uint64_t address;
	uint32_t flags;
	uint32_t first; /* of its frames, in ->ids */
	uint16_t count;
	bool called, unresolved, interrupts;
};

/* Which frames of the dictionary stand for which location, so that each is resolved once. */
struct pk_frames {
	struct pk_dictionary *dictionary;
	pk_resolve_fn resolve;
	void *arg;
	struct pk_known_frame *known;
	size_t known_count, known_capacity;
	struct pk_table numbers; /* of known + 1, by hash */
	uint32_t *ids;		 /* of the frames of all known */
	size_t ids_room, ids_count;
	uint32_t *dsos; /* by image index; 0 not yet in the dictionary */
	size_t dsos_capacity;
	uint32_t *comms; /* frames, by comm */
	size_t comms_capacity;
	bool failed; /* memory was exhausted while a frame was made */
};

struct pk_found_frame {
	const uint32_t *ids; /* the innermost first; until the next call */
	uint16_t count;	     /* 0: out of memory */
	bool unresolved;
	bool retry; /* may be resolved later: what it is part of is not to be remembered */
	bool interrupts;
};

/* ---- Chains ---- */

#define COUNT_MAX 393216 /* 9 MiB, and 16 MiB of the table */

static void pk_chains_init(struct pk_chains *chains)
{
	*chains = (struct pk_chains){
		.seeds = {UINT64_C(0x2d358dccaa6c78a5), UINT64_C(0x8bb84b93962eacc9)}};
	/* Where that fails the seeds are known, and one who makes a recording may spoil his own
	 * stacks. */
	if (getrandom(chains->seeds, sizeof(chains->seeds), GRND_NONBLOCK) < 0)
		return;
}

/* As pk_hash, in two lanes. */
static struct pk_chain_hash pk_chains_hash(const struct pk_chains *chains,
					   const struct pk_chain_key *key)
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

static void pk_chains_forget(struct pk_chains *chains)
{
	free(chains->items);
	chains->items = NULL;
	chains->capacity = chains->count = 0;
	pk_table_free(&chains->numbers);
}

/* NULL if it is not known. */
static const struct pk_chain *pk_chains_find(struct pk_chains *chains,
					     const struct pk_chain_hash *hash)
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

/* It is no harm if there is no memory for it. */
static void pk_chains_add(struct pk_chains *chains, const struct pk_chain *chain)
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

/* ---- Frames ---- */

static void pk_frames_forget(struct pk_frames *frames)
{
	free(frames->known);
	pk_table_free(&frames->numbers);
	free(frames->ids);
	free(frames->dsos);
	free(frames->comms);
	frames->known = NULL;
	frames->ids = NULL;
	frames->ids_room = frames->ids_count = 0;
	frames->dsos = frames->comms = NULL;
	frames->known_capacity = frames->known_count = 0;
	frames->dsos_capacity = frames->comms_capacity = 0;
}

/* Every id of the dictionary passes through here: 0 tells of exhausted memory, but in a frame it
 * would say that nothing is known. */
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
		frames->dsos[image->index] = intern_dso(frames, image->kind, image->path, image);
	return frames->dsos[image->index];
}

/* A symbol of another module than the map says: kallsyms knows better. */
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

/* What is inlined shares the address, and where the function begins, with the one it is in. */
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

/* Of code of the kernel that its map does not cover, such as that of its start, too. */
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
	frame->file = intern(frames, resolved->file);
	if (location->image && location->image->kind == PK_DSO_JIT)
		frame->flags |= PK_FRAME_JIT;
}

static struct pk_found_frame make(struct pk_frames *frames, const struct pk_location *location)
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
	found.unresolved = !frame.function;
	found.retry = resolved.retry;
	found.interrupts = resolved.interrupts;
	if (found.unresolved)
		frame.flags |= PK_FRAME_UNRESOLVED;
	if (ok && !frames->failed && add(frames, &frame)) {
		found.ids = frames->ids + first;
		found.count = (uint16_t)(frames->ids_count - first);
	} else {
		frames->ids_count = first;
	}
	return found;
}

static const struct pk_known_frame *find(const struct pk_frames *frames,
					 const struct pk_location *location, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&frames->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct pk_known_frame *known = &frames->known[number - 1];

		if (known->address == location->address && known->image == location->image &&
		    known->flags == location->flags && known->called == location->called)
			return known;
	}
	return NULL;
}

static uint64_t hash_of(struct pk_frames *frames, const struct pk_location *location)
{
	const uint64_t image = (uintptr_t)location->image,
		       flags = location->flags | (uint64_t)location->called << 32,
		       secret = pk_table_secret(&frames->numbers);

	return pk_mix64(location->address ^ secret,
			pk_mix64(image ^ secret, flags ^ UINT64_C(0xe7037ed1a0b428db)));
}

/* False: out of memory. */
static bool remember(struct pk_frames *frames, const struct pk_location *location, uint64_t hash,
		     const struct pk_found_frame *found)
{
	if (!pk_reserve(&frames->known, &frames->known_capacity, frames->known_count, 1,
			sizeof(*frames->known)) ||
	    !pk_table_add(&frames->numbers, hash, frames->known_count + 1))
		return false;
	frames->known[frames->known_count++] =
		(struct pk_known_frame){.image = location->image,
					.address = location->address,
					.flags = location->flags,
					.first = (uint32_t)(found->ids - frames->ids),
					.count = found->count,
					.called = location->called,
					.unresolved = found->unresolved,
					.interrupts = found->interrupts};
	return true;
}

static struct pk_found_frame pk_frames_find(struct pk_frames *frames,
					    const struct pk_location *location)
{
	const uint64_t hash = hash_of(frames, location);
	const struct pk_known_frame *known = find(frames, location, hash);
	struct pk_found_frame found;

	if (known)
		return (struct pk_found_frame){frames->ids + known->first, known->count,
					       known->unresolved, false, known->interrupts};
	found = make(frames, location);
	if (!found.count)
		return found;
	if (found.retry)
		frames->ids_count -= found.count;
	else if (!remember(frames, location, hash, &found))
		found.count = 0;
	return found;
}

/* The frame that stands for a comm. 0: out of memory. */
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
	if (!found.count || !pk_reserve(&stacks->ids, &stacks->ids_room, lookup->ids_count,
					found.count, sizeof(*stacks->ids))) {
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

/* Decodes the chain and builds its stack, root first. */
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
	pk_partial_chains_count(&stacks->count.partial, event);
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
