// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "script.h"

static bool add_frame(struct script *script, size_t n, uint64_t ip, struct frame_text text)
{
	size_t capacity = script->frames_capacity ? 2 * script->frames_capacity : 1024;
	struct shown_frame *frames = script->frames;

	if (pk_unlikely(n >= script->frames_capacity)) {
		frames = realloc(frames, capacity * sizeof(*frames));
		if (!frames)
			return false;
		script->frames = frames;
		script->frames_capacity = capacity;
	}
	frames[n] = (struct shown_frame){ip, text, false};
	script->unresolved += text.unresolved;
	return true;
}

/* With those inlined into it in front; how many, below limit. */
static size_t add_place(struct script *script, size_t n, uint64_t limit, uint64_t ip,
			const struct frame_text *text)
{
	for (uint32_t i = 0; i < text->inlined_count && n < limit; i++)
		if (add_frame(script, n, ip, frame_texts_inlined(script->texts, text, i)))
			n++;
	return n < limit && add_frame(script, n, ip, *text) ? n + 1 : n;
}

/* SPEC 5.3: the frames of the chain as the kernel wrote it. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain)
{
	uint64_t limit = script->options->max_stack;
	uint16_t mode = shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	unsigned int parts = shown->view->parts;
	struct frame_text text;
	size_t n = 0;

	if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		mode = PERF_RECORD_MISC_USER;
	for (uint64_t i = 0; i < chain->count && n < limit; i++) {
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
			text = frame_texts_of_ip(script->texts, script->session, shown->thread, ip,
						 mode, parts);
		}
		n = add_place(script, n, limit, ip, &text);
		if (cookie && n)
			script->frames[n - 1].cookie = true;
	}
	return n;
}

/* The next address of the chain that is none of its markers; UINT64_MAX: there is none. */
static uint64_t next_ip(const struct pk_u64s *chain, uint64_t *i)
{
	while (*i < chain->count) {
		uint64_t ip = pk_u64s_at(chain, (*i)++);

		if (ip < PERF_CONTEXT_MAX)
			return ip;
		if (ip == PERF_CONTEXT_USER_DEFERRED)
			break;
	}
	*i = chain->count;
	return UINT64_MAX;
}

/* The stack's frames, with the addresses of the chain, which inlined ones share with what they are
 * inlined into. */
static size_t frames_of_stack(struct script *script, struct shown *shown,
			      const struct pk_u64s *chain)
{
	struct pk_dictionary *dictionary = script->dictionary;
	const struct pk_stack *stack;
	uint64_t i = 0, ip = next_ip(chain, &i);
	uint32_t id = shown->sample.stack;
	size_t n = 0;

	for (; (stack = pk_dictionary_get_stack(dictionary, id)); id = stack->parent) {
		const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, stack->frame);
		struct frame_text text;

		if (!frame)
			break;
		if (frame->flags & PK_FRAME_COMM && !stack->parent) {
			shown->comm = pk_dictionary_get_string(dictionary, frame->function,
							       &shown->comm_size);
			break;
		}
		if (frame->flags & PK_FRAME_TRUNCATED || n >= script->options->max_stack)
			continue;
		text = frame_texts_of_frame(script->texts, dictionary, stack->frame, frame,
					    shown->view->parts);
		if (!add_frame(script, n++, ip == UINT64_MAX ? frame->address : ip, text))
			return n - 1;
		if (!(frame->flags & PK_FRAME_INLINED))
			ip = next_ip(chain, &i);
	}
	return n;
}

/* The cookie stands behind all that the stack has. */
static size_t add_cookie(struct script *script, const struct shown *shown,
			 const struct pk_u64s *chain, size_t n)
{
	struct frame_text text;

	if (chain->count < 2 || pk_u64s_at(chain, chain->count - 2) != PERF_CONTEXT_USER_DEFERRED)
		return n;
	text = frame_texts_of_name(script->texts, "(cookie)", shown->view->parts);
	if (!add_frame(script, n, pk_u64s_at(chain, chain->count - 1), text))
		return n;
	script->frames[n].cookie = true;
	return n + 1;
}

static bool is_cookie_only(const struct pk_u64s *chain)
{
	uint64_t i = 0;

	return next_ip(chain, &i) == UINT64_MAX;
}

void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain)
{
	struct pk_u64s alone = {(const uint8_t *)&shown->sample.ip, 1};
	bool single = !chain->count;
	struct frame_text text;
	size_t n;

	if (script->symbolized && shown->sample.stack) {
		/* Where the user's half is elsewhere and there is no other, the stack has but the
		 * sample's own ip. */
		n = chain->count && is_cookie_only(chain)
			    ? 0
			    : frames_of_stack(script, shown, chain->count ? chain : &alone);
		n = add_cookie(script, shown, chain, n);
	} else if (single) {
		text = frame_texts_of_ip(
			script->texts, script->session, shown->thread, shown->sample.ip,
			shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK, shown->view->parts);
		n = add_place(script, 0, script->options->max_stack, shown->sample.ip, &text);
	} else {
		n = script_chain(script, shown, chain);
	}
	script->shown_frames += n;
	shown->frames = script->frames;
	shown->frames_count = n;
}

struct frame_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts)
{
	uint16_t mode = shown->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_KERNEL && !(ip >> 63))
		mode = PERF_RECORD_MISC_USER;
	else if (mode == PERF_RECORD_MISC_USER && ip >> 63)
		mode = PERF_RECORD_MISC_KERNEL;
	return frame_texts_of_ip(script->texts, script->session, shown->thread, ip, mode, parts);
}
