// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "frame_address.h"
#include "pkutil.h"
#include "script.h"
#include "vector.h"

/* The limits for the output. They are needed because a stack is defined only once. So a sample of
 * 50 bytes can refer to a stack with thousands of frames and long names. All samples together can
 * print the amount that allowance.h allows. After that, a sample can print PK_ALLOWANCE_PER_BYTE
 * for each byte of its own record. No sample can print more than TEXT_MAX bytes. */
#define TEXT_MAX (UINT64_C(256) << 20)

void script_frames_start(struct script *script, const struct pk_record *record)
{
	const uint64_t own = PK_ALLOWANCE_PER_BYTE * (uint64_t)record->size;

	pk_allowance_pay(&script->allowance, script->tail.profile.bytes);
	script->frames_room = script->allowance.left > own ? script->allowance.left : own;
	if (script->frames_room > TEXT_MAX)
		script->frames_room = TEXT_MAX;
	script->frames_cut = script->frames_retry = false;
}

static enum pk_status push_frame(struct script *script, size_t n, uint64_t ip,
				 struct shown_text text)
{
	const struct frame_text *made = frame_texts_get(script->texts, text.number);

	if (pk_reserve(&script->frames, &script->frames_capacity, n, 1, sizeof(*script->frames)) !=
	    PK_OK) {
		script->failed = true;
		return PK_NOMEM;
	}
	script->frames[n] = (struct shown_frame){ip, text, false};
	script->shown_frames++;
	script->unresolved += made->unresolved;
	script->frames_retry |= made->retry;
	return PK_OK;
}

/* Subtracts the size of a text from the limits, and 48 bytes for the address and other numbers.
 * Returns false if the limits are too small for the text. */
static bool spend(struct script *script, uint64_t size)
{
	size += 48;
	if (script->frames_cut || size > script->frames_room)
		return false;
	script->frames_room -= size;
	script->allowance.left -= size < script->allowance.left ? size : script->allowance.left;
	return true;
}

/* Adds a frame as number n. If it fails, returns false, and the caller must not add other frames.
 */
static bool add_frame(struct script *script, size_t n, uint64_t ip, struct shown_text text)
{
	if (pk_likely(spend(script, frame_texts_get(script->texts, text.number)->size)))
		return push_frame(script, n, ip, text) == PK_OK;
	script->cut += !script->frames_cut;
	script->frames_cut = true;
	return false;
}

/* Adds the inlined frames of an address after n other frames, and then the frame of the address
 * itself. Returns the new number of frames. */
static size_t add_place(struct script *script, size_t n, uint64_t ip, struct shown_text text)
{
	const uint32_t inlined = frame_texts_get(script->texts, text.number)->inlined_count;

	for (uint32_t i = 1; i <= inlined; i++)
		if (add_frame(script, n, ip, (struct shown_text){text.number + i, text.address}))
			n++;
	return add_frame(script, n, ip, text) ? n + 1 : n;
}

/* SPEC 5.3. Stores the frames of the callchain that the kernel recorded. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain)
{
	uint64_t left = script->options->max_stack;
	uint16_t mode = shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct pk_session *session = pk_context_session(script->context);
	unsigned int parts = shown->view->parts;
	struct shown_text text;
	size_t n = 0;

	if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		mode = PERF_RECORD_MISC_USER;
	for (uint64_t i = 0; i < chain->count && left && !script->frames_cut; i++) {
		uint64_t ip = pk_u64s_at(chain, i);
		bool cookie = ip == PERF_CONTEXT_USER_DEFERRED;

		if (cookie) {
			if (++i == chain->count)
				break;
			ip = pk_u64s_at(chain, i);
			text = frame_texts_of_name(script->texts, "(cookie)", parts);
		} else if (ip >= PERF_CONTEXT_MAX) {
			mode = pk_context_mode(ip, mode);
			continue;
		} else {
			text = frame_texts_of_ip(script->texts, session, shown->thread, ip, mode,
						 parts);
		}
		n = add_place(script, n, ip, text);
		left--;
		if (cookie && n)
			script->frames[n - 1].cookie = true;
	}
	return n;
}

/* Sets shown->comm to the name of the thread, which is at the root of the stack. */
static void find_comm(struct script *script, struct shown *shown)
{
	struct pk_context *context = script->context;
	const struct pk_dictionary *dictionary = pk_source_dictionary(&context->stacks);
	const uint32_t id = shown->sample.stack;
	const struct pk_frame *frame = NULL;

	if (pk_dictionary_get_stack(dictionary, id) &&
	    pk_source_task(&context->stacks, pk_source_index(&context->stacks, id), &frame) !=
		    PK_OK)
		context->failed = true;
	if (frame)
		shown->comm =
			pk_dictionary_get_string(dictionary, frame->function, &shown->comm_size);
}

/* Finds the frames of the sample's stack, and gives them the addresses of the chain. If the chain
 * has addresses that the stack does not have, adds frames for them, too, as perf prints them. */
static size_t frames_of_stack(struct script *script, struct shown *shown,
			      const struct pk_u64s *chain)
{
	struct pk_dictionary *dictionary = pk_source_dictionary(&script->context->stacks);
	struct pk_session *session = pk_context_session(script->context);
	const bool leaf_only = !shown->view->chain &&
			       (script->options->format->leaf_only || script->options->no_chains);
	const struct pk_u64s alone = {(const uint8_t *)&shown->sample.ip, 1};
	struct pk_u64s inner;
	struct pk_address_walk walk =
		pk_callchain_walk(dictionary, shown->sample.stack, shown->record,
				  chain->count ? chain : &alone, &inner);
	size_t n = inner.count ? script_chain(script, shown, &inner) : 0;
	uint64_t left = script->options->max_stack;

	left -= n < left ? n : left;
	while (left && pk_address_next(&walk)) {
		struct shown_text text;

		if (walk.at.kind == PK_FRAME_IS_CUT)
			continue;
		text = frame_texts_of_frame(script->texts, session, shown->thread, &walk,
					    shown->view->parts);
		if (!add_frame(script, n, walk.ip == PK_NO_ADDRESS ? text.address : walk.ip, text))
			break;
		n++;
		left -= !(walk.at.frame->flags & PK_FRAME_INLINED);
		if (leaf_only && pk_is_function(&walk.at))
			break;
	}
	return n;
}

/* Adds the cookie after all frames of the stack. */
static size_t add_cookie(struct script *script, const struct shown *shown,
			 const struct pk_u64s *chain, size_t n)
{
	struct shown_text text;

	if (chain->count < 2 || pk_u64s_at(chain, chain->count - 2) != PERF_CONTEXT_USER_DEFERRED)
		return n;
	text = frame_texts_of_name(script->texts, "(cookie)", shown->view->parts);
	if (push_frame(script, n, pk_u64s_at(chain, chain->count - 1), text) != PK_OK)
		return n;
	script->frames[n].cookie = true;
	return n + 1;
}

static void make_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain)
{
	bool single = !chain->count;
	struct shown_text text;
	size_t n;

	if (pk_source_symbolized(&script->context->stacks) && shown->sample.stack) {
		/* If the user callchain is separate from the sample and there is no kernel
		 * callchain, the stack contains only the ip of the sample. Then the stack is not
		 * printed. */
		n = chain->count && !pk_chain_has_address(chain)
			    ? 0
			    : frames_of_stack(script, shown, chain);
		n = add_cookie(script, shown, chain, n);
	} else if (single) {
		text = frame_texts_of_ip(script->texts, pk_context_session(script->context),
					 shown->thread, shown->sample.ip,
					 shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
					 shown->view->parts);
		n = script->options->max_stack ? add_place(script, 0, shown->sample.ip, text) : 0;
	} else {
		n = script_chain(script, shown, chain);
	}
	shown->frames = script->frames;
	shown->frames_count = n;
}

/* Returns a number that contains everything on which the text of a sample's frames depends, except
 * maps and addresses. */
static uint64_t text_task(const struct shown *shown)
{
	return (uint64_t)shown->sample.stack << 32 | (uint64_t)shown->view->parts << 8 |
	       (uint64_t)shown->view->chain << 4 |
	       (shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK);
}

/* Finds the text of all frames in the cache. Returns false if the cache does not have the text, or
 * if the text exceeds the limits. */
static bool find_whole(struct script *script, struct shown *shown, const struct pk_u64s *chain)
{
	const struct pk_u64s alone = {(const uint8_t *)&shown->sample.ip, 1};
	const struct pk_chain_hash hash =
		chain_texts_hash(script->chains, pk_context_session(script->context), shown->thread,
				 text_task(shown), chain->count ? chain : &alone);

	shown->whole = chain_texts_find(script->chains, &hash);
	if (!shown->whole || !shown->whole->text)
		return false;
	if (!spend(script, shown->whole->size)) {
		shown->whole = NULL;
		return false;
	}
	script->shown_frames += shown->whole->frames;
	script->unresolved += shown->whole->unresolved;
	return true;
}

void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain)
{
	const uint64_t frames = script->shown_frames, unresolved = script->unresolved;
	static const struct pk_u64s empty;

	if (pk_chain_is_bare(chain))
		chain = &empty;
	if (pk_source_symbolized(&script->context->stacks) && shown->sample.stack)
		find_comm(script, shown);
	if (find_whole(script, shown, chain))
		return;
	make_frames(script, shown, chain);
	if (script->frames_cut || script->frames_retry)
		shown->whole = NULL;
	if (!shown->whole)
		return;
	shown->whole->frames = (uint32_t)(script->shown_frames - frames);
	shown->whole->unresolved = (uint32_t)(script->unresolved - unresolved);
}

void script_print_frames(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;
	const size_t start = out->size;

	if (shown->whole && shown->whole->text) {
		buffer_add(out, shown->whole->text, shown->whole->size);
		return;
	}
	script->options->format->frames(script, shown);
	if (shown->whole && !out->failed)
		chain_texts_keep(script->chains, shown->whole, out->data + start,
				 out->size - start);
}

struct shown_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts)
{
	return frame_texts_of_ip(script->texts, pk_context_session(script->context), shown->thread,
				 ip, pk_address_mode(shown->record->misc, ip), parts);
}
