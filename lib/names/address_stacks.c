// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "address_stacks.h"
#include "chain_hash.h"
#include "frame_address.h"
#include "pkprivate.h"
#include "resolve.h"
#include "stack_copy.h"
#include "vector.h"

#define KNOWN_MAX ((size_t)1 << 18)

#define MODES (PK_FRAME_KERNEL | PK_FRAME_USER | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR)

struct pk_address_stacks {
	bool calls; /* PK_FRAMES_OF_CALLS */
	/* Copies of stacks whose frames have their own addresses already, so that callchains add
	 * nothing: one for each stack of the stream. */
	struct pk_stack_copy exact;
	/* Copies of frames for functions, and of the callers that a callchain lacks. */
	struct pk_stack_copy copy;
	/* Cache: id of a stack in `to`, by a hash of the stack id in `from`, the maps of the
	 * process and the callchain. */
	struct pk_table known;
	/* The same for frames: by a hash of the frame, its address, and the maps. */
	struct pk_table frames;
	struct pk_chain_seeds seeds;
	uint8_t *interrupts; /* by index of the frame: 1: no, 2: yes; 0: not yet known */
	size_t interrupts_count;
	uint32_t *way; /* copies of frames, leaf first */
	size_t way_capacity;
	bool failed; /* out of memory */
};

/* ---- Return addresses ---- */

/* Whether a frame of the stream is the code that a processor enters when it interrupts a function:
 * the address after it is no return address. */
static bool interrupts(struct pk_address_stacks *made, uint32_t id)
{
	const struct pk_dictionary *from = made->copy.from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, id);
	const uint32_t index = id - pk_dictionary_frames(from).base - 1;
	const char *function;

	if (!frame || !pk_extend(&made->interrupts, &made->interrupts_count, index)) {
		made->failed |= frame != NULL;
		return false;
	}
	if (!made->interrupts[index]) {
		function = pk_dictionary_get_string(from, frame->function, NULL);
		made->interrupts[index] =
			1 + (function && pk_resolver_interrupts(function, frame->flags));
	}
	return made->interrupts[index] == 2;
}

/* pk_stack_copy.calls: between the modes of a processor there are no calls. An inlined frame has
 * the address of the frame that it is inlined into. */
static bool calls(void *arg, const struct pk_stack *stack, bool called)
{
	struct pk_address_stacks *made = arg;
	const struct pk_dictionary *from = made->copy.from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, stack->frame), *caller;
	const struct pk_stack *parent = pk_dictionary_get_stack(from, stack->parent);

	if (!parent || pk_frame_kind(stack, frame) != PK_FRAME_IS_CODE ||
	    frame->flags & PK_FRAME_INLINED)
		return called;
	caller = pk_dictionary_get_frame(from, parent->frame);
	return caller && !((caller->flags ^ frame->flags) & MODES) &&
	       !interrupts(made, stack->frame);
}

/* ---- All ---- */

struct pk_address_stacks *pk_address_stacks_new(const struct pk_dictionary *from,
						struct pk_dictionary *to, bool of_calls)
{
	struct pk_address_stacks *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->calls = of_calls;
	made->copy = made->exact = (struct pk_stack_copy){.from = from, .to = to};
	made->exact.calls = of_calls ? calls : NULL;
	made->exact.arg = made;
	made->exact.except = PK_FRAME_FUNCTION;
	pk_chain_seeds_draw(&made->seeds);
	return made;
}

void pk_address_stacks_forget(struct pk_address_stacks *made)
{
	pk_stack_copy_forget(&made->copy);
	pk_stack_copy_forget(&made->exact);
	pk_table_clear(&made->known);
	pk_table_clear(&made->frames);
	free(made->interrupts);
	made->interrupts = NULL;
	made->interrupts_count = 0;
}

void pk_address_stacks_free(struct pk_address_stacks *made)
{
	if (!made)
		return;
	pk_address_stacks_forget(made);
	pk_stack_copy_free(&made->copy);
	pk_stack_copy_free(&made->exact);
	pk_table_free(&made->known);
	pk_table_free(&made->frames);
	free(made->way);
	free(made);
}

/* ---- Stacks of functions ---- */

/* Limit for successive frames without an address of their own, far more than compilers nest inlined
 * functions. It limits the time for one sample. */
enum { INLINED_MAX = 1024 };

/* Where the addresses of a sample are. */
struct space {
	const struct pk_session *session;
	const struct pk_thread *thread;
	uint64_t maps; /* pk_chain_maps() */
};

/* The id of a frame with its address; of the frame as it is, if the address is unknown. called: it
 * is a return address. 0: out of memory. */
static uint32_t make_frame(struct pk_address_stacks *made, const struct space *space,
			   const struct pk_address_walk *at, bool called)
{
	const struct pk_frame *frame = at->at.frame;
	uint64_t address;
	bool failed = false;

	if (at->ip == PK_NO_ADDRESS || !pk_frame_address(frame, at->at.dictionary, space->session,
							 space->thread, at->ip, &address))
		return pk_stack_copy_frame(&made->copy, at->at.id, &failed);
	return pk_stack_copy_frame_at(&made->copy, at->at.id,
				      pk_call_address(address, frame->symbol_start, called));
}

/* The same, from the cache if it is there. */
static uint32_t frame_of(struct pk_address_stacks *made, const struct space *space,
			 const struct pk_address_walk *at, bool called)
{
	const uint64_t key[] = {(uint64_t)at->at.id << 1 | called, at->ip, space->maps};
	const uint64_t hash = pk_hash(key, sizeof(key), pk_table_secret(&made->frames));
	uint32_t id = (uint32_t)pk_table_get_u64(&made->frames, hash);

	if (id)
		return id;
	id = make_frame(made, space, at, called);
	if (made->frames.count >= KNOWN_MAX)
		pk_table_clear(&made->frames);
	return id && pk_table_add(&made->frames, hash, id) ? id : 0;
}

/* Copies the frames of a stack up to the end of the callchain with their addresses, and the callers
 * that it lacks as they are. 0: out of memory. */
static uint32_t make(struct pk_address_stacks *made, const struct space *space, uint32_t stack,
		     const struct pk_addresses *addresses)
{
	struct pk_address_walk walk = pk_address_walk(made->copy.from, stack, addresses);
	unsigned int without = 0; /* successive frames without their own address */
	uint32_t callee = 0;	  /* the function before */
	size_t length = 0;
	bool failed = false;

	for (; pk_address_next(&walk) && without <= INLINED_MAX &&
	       (walk.ip != PK_NO_ADDRESS || walk.at.kind != PK_FRAME_IS_CODE);
	     length++) {
		const bool called = made->calls && walk.follows && !interrupts(made, callee);

		if (!pk_extend(&made->way, &made->way_capacity, length))
			return 0;
		made->way[length] = frame_of(made, space, &walk, called);
		if (!made->way[length])
			return 0;
		without++;
		if (pk_is_function(&walk.at)) {
			callee = walk.at.id;
			without = 0;
		}
	}
	stack = pk_stack_copy(&made->copy, walk.at.stack, &failed);
	if (failed || made->failed || !pk_dictionary_path(made->copy.to, stack, made->way, length))
		return 0;
	return length ? made->way[0] : stack;
}

/* A stack with frames of functions: their addresses are in the callchain. */
static uint32_t stack_of_chain(struct pk_address_stacks *made, struct pk_session *session,
			       const struct pk_record *record, uint32_t stack, bool *failed)
{
	const struct pk_layout *layout = &record->event->layout;
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
	struct space space = {.session = session};
	struct pk_chain_key key = {.task = stack};
	struct pk_addresses addresses;
	struct pk_chain_hash hash;
	uint64_t id;

	if (pk_sample_addresses(record->event, record, &addresses))
		return 0;
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	space.thread = pk_session_thread(session, task.pid, task.tid);
	*failed |= !space.thread;
	if (!space.thread)
		return 0;
	key.maps = space.maps = pk_chain_maps(session, space.thread);
	key.ips = &addresses.chain;
	hash = pk_chain_hash(&made->seeds, &key);
	hash = pk_chain_hash_with(&made->seeds, &hash, addresses.own);
	id = pk_table_get_u64(&made->known, hash.low);
	if (id)
		return (uint32_t)id;
	id = make(made, &space, stack, &addresses);
	if (made->known.count >= KNOWN_MAX)
		pk_table_clear(&made->known);
	*failed |= !id || !pk_table_set_u64(&made->known, hash.low, id);
	return (uint32_t)id;
}

uint32_t pk_address_stacks_of(struct pk_address_stacks *made, struct pk_session *session,
			      const struct pk_record *record, uint32_t stack, bool *failed)
{
	const uint32_t id = pk_stack_copy(&made->exact, stack, failed);

	*failed |= made->failed;
	return id || *failed || !stack ? id : stack_of_chain(made, session, record, stack, failed);
}
