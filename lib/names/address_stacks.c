// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "address_stacks.h"
#include "chain_hash.h"
#include "exact_stacks.h"
#include "frame_address.h"
#include "pkprivate.h"
#include "vector.h"

#define KNOWN_MAX ((size_t)1 << 18)

struct pk_address_stacks {
	struct pk_stack_copy copy;
	struct pk_exact_stacks exact;
	/* Cache: id of a stack in `to`, by a hash of the stack id in `from`, the maps of the
	 * process and the callchain. */
	struct pk_table known;
	/* The same for frames: by a hash of the frame, its address, and the maps. */
	struct pk_table frames;
	struct pk_chain_seeds seeds;
	/* The frames of the stream's stack, leaf first: */
	struct way {
		uint32_t frame;
		bool called; /* ip is a return address */
		uint64_t ip; /* PK_NO_ADDRESS: unknown */
	} * way;
	size_t way_capacity;
};

struct pk_address_stacks *pk_address_stacks_new(const struct pk_dictionary *from,
						struct pk_dictionary *to, bool calls)
{
	struct pk_address_stacks *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->copy = (struct pk_stack_copy){.from = from, .to = to};
	made->exact = (struct pk_exact_stacks){.copy = &made->copy, .calls = calls};
	pk_chain_seeds_draw(&made->seeds);
	return made;
}

void pk_address_stacks_forget(struct pk_address_stacks *made)
{
	pk_stack_copy_forget(&made->copy);
	pk_exact_forget(&made->exact);
	pk_table_clear(&made->known);
	pk_table_clear(&made->frames);
}

void pk_address_stacks_free(struct pk_address_stacks *made)
{
	if (!made)
		return;
	pk_stack_copy_free(&made->copy);
	pk_exact_free(&made->exact);
	pk_table_free(&made->known);
	pk_table_free(&made->frames);
	free(made->way);
	free(made);
}

/* Limit for successive frames without an address of their own, far more than compilers nest inlined
 * functions. It limits the time for one sample. */
enum { INLINED_MAX = 1024 };

/* Stores each frame of the stack and its address in way, up to the end of the callchain. *length is
 * the number of frames; *stack becomes the rest of the stack. False: out of memory. */
static bool find_way(struct pk_address_stacks *made, uint32_t *stack,
		     const struct pk_addresses *addresses, size_t *length)
{
	struct pk_address_walk walk = pk_address_walk(made->copy.from, *stack, addresses);
	unsigned int without = 0; /* successive frames without their own address */
	uint32_t callee = 0;	  /* the function before */
	bool called, failed = false;

	for (*length = 0; pk_address_next(&walk) && without <= INLINED_MAX &&
			  (walk.ip != PK_NO_ADDRESS || walk.at.kind != PK_FRAME_IS_CODE);
	     (*length)++) {
		if (!pk_extend(&made->way, &made->way_capacity, *length))
			return false;
		called = walk.follows && !pk_exact_interrupts(&made->exact, callee, &failed);
		made->way[*length] = (struct way){walk.at.id, called, walk.ip};
		without++;
		if (pk_is_function(&walk.at)) {
			callee = walk.at.id;
			without = 0;
		}
	}
	*stack = walk.at.stack;
	return !failed;
}

/* The id of a frame with its address; of the frame as it is, if the address is unknown. 0: out of
 * memory. */
static uint32_t make_frame(struct pk_address_stacks *made, const struct pk_session *session,
			   const struct pk_thread *thread, const struct way *way)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(made->copy.from, way->frame);
	uint64_t address;
	bool failed = false;

	if (way->ip == PK_NO_ADDRESS ||
	    !pk_frame_address(frame, made->copy.from, session, thread, way->ip, &address))
		return pk_stack_copy_frame(&made->copy, way->frame, &failed);
	if (made->exact.calls)
		address = pk_call_address(address, frame->symbol_start, way->called);
	return pk_stack_copy_frame_at(&made->copy, way->frame, address);
}

/* The same, from the cache if it is there. */
static uint32_t frame_of(struct pk_address_stacks *made, const struct pk_session *session,
			 const struct pk_thread *thread, uint64_t maps, const struct way *way)
{
	const uint64_t key[] = {(uint64_t)way->frame << 1 | way->called, way->ip, maps};
	const uint64_t hash = pk_hash(key, sizeof(key), pk_table_secret(&made->frames));
	uint32_t id = (uint32_t)pk_table_get_u64(&made->frames, hash);

	if (id)
		return id;
	id = make_frame(made, session, thread, way);
	if (made->frames.count >= KNOWN_MAX)
		pk_table_clear(&made->frames);
	return id && pk_table_add(&made->frames, hash, id) ? id : 0;
}

/* Creates the stack of the frames in way, below a copy of the stack `rest`. 0: out of memory. */
static uint32_t make(struct pk_address_stacks *made, const struct pk_session *session,
		     const struct pk_thread *thread, uint64_t maps, uint32_t rest, size_t length)
{
	bool failed = false;
	uint32_t stack = pk_stack_copy(&made->copy, rest, &failed), id;

	while (length-- && !failed) {
		id = frame_of(made, session, thread, maps, &made->way[length]);
		stack = id ? pk_dictionary_stack(made->copy.to, stack, id) : 0;
		if (!stack)
			return 0;
	}
	return failed ? 0 : stack;
}

/* The same for stacks with frames of functions: their addresses are in the callchain. */
static uint32_t stack_of_chain(struct pk_address_stacks *made, struct pk_session *session,
			       const struct pk_record *record, uint32_t stack, bool *failed)
{
	const struct pk_layout *layout = &record->event->layout;
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
	const struct pk_thread *thread;
	struct pk_chain_key key = {.task = stack};
	struct pk_addresses addresses;
	struct pk_chain_hash hash;
	uint64_t id;
	size_t length;

	if (pk_sample_addresses(record->event, record, &addresses))
		return 0;
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	thread = pk_session_thread(session, task.pid, task.tid);
	*failed |= !thread;
	if (!thread)
		return 0;
	key.maps = pk_chain_maps(session, thread);
	key.ips = &addresses.chain;
	hash = pk_chain_hash(&made->seeds, &key);
	hash = pk_chain_hash_with(&made->seeds, &hash, addresses.own);
	id = pk_table_get_u64(&made->known, hash.low);
	if (id)
		return (uint32_t)id;
	if (find_way(made, &stack, &addresses, &length))
		id = make(made, session, thread, key.maps, stack, length);
	if (made->known.count >= KNOWN_MAX)
		pk_table_clear(&made->known);
	*failed |= !id || !pk_table_set_u64(&made->known, hash.low, id);
	return (uint32_t)id;
}

uint32_t pk_address_stacks_of(struct pk_address_stacks *made, struct pk_session *session,
			      const struct pk_record *record, uint32_t stack, bool *failed)
{
	const uint32_t id = pk_exact_stack(&made->exact, stack, failed);

	return id || *failed || !stack ? id : stack_of_chain(made, session, record, stack, failed);
}
