// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "access_types.h"
#include "context_internal.h"
#include "frame_address.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "sample_view.h"
#include "stream_symbols.h"

#define PLAIN_FIELDS                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

bool pk_sample_plain(const struct pk_record *record, struct pk_u64s *callchain,
		     struct pk_bytes *raw)
{
	const uint64_t type = record->event->attr.sample_type;
	const uint8_t *at = record->data + record->event->layout.fixed_size;
	const uint8_t *const end = record->data + record->size;

	if (type & ~PLAIN_FIELDS)
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (end - at < (ptrdiff_t)sizeof(uint64_t))
			return false;
		callchain->count = pk_load_u64(at);
		at += sizeof(uint64_t);
		callchain->data = at;
		if (callchain->count > (uint64_t)(end - at) / sizeof(uint64_t))
			return false;
		at += sizeof(uint64_t) * callchain->count;
	}
	if (type & PERF_SAMPLE_RAW) {
		if (end - at < (ptrdiff_t)sizeof(uint32_t))
			return false;
		raw->size = pk_load_u32(at);
		at += sizeof(uint32_t);
		raw->data = at;
		if (raw->size > (uint64_t)(end - at))
			return false;
		at += raw->size;
	}
	return at == end ||
	       (end - at == PK_STACK_TRAILER_SIZE && pk_stack_trailer(record->data, record->size));
}

const struct pk_bytes *pk_view_raw(struct pk_view *view)
{
	const struct pk_sample *sample;
	struct pk_u64s callchain;

	if (view->has_raw)
		return &view->raw;
	view->raw = (struct pk_bytes){0};
	if (view->decoded || view->record->size < view->event->layout.fixed_size ||
	    !pk_sample_plain(view->record, &callchain, &view->raw)) {
		sample = pk_view_sample(view);
		if (!sample)
			return NULL;
		view->raw = sample->raw;
	}
	view->has_raw = true;
	return &view->raw;
}

const struct pk_sample *pk_view_sample(struct pk_view *view)
{
	if (view->decoded)
		return &view->sample;
	if (view->damaged || pk_sample_decode(view->event, view->record, &view->sample) != PK_OK) {
		view->damaged = true;
		return NULL;
	}
	view->decoded = true;
	return &view->sample;
}

uint32_t pk_view_stack(struct pk_view *view)
{
	struct pk_context *context = view->context;
	struct pk_missing_stacks missing;

	if (view->has_stack)
		return view->stack;
	view->has_stack = true;
	missing = pk_source_missing(&context->stacks);
	if (pk_unlikely(pk_source_of(&context->stacks, context->state->session, view->record,
				     &view->stack) != PK_OK)) {
		view->stack = PK_NO_STACK;
		context->failed = true;
	}
	if (pk_unlikely(view->again))
		pk_source_missing_once(&context->stacks, &missing, 0);
	return view->stack;
}

const struct pk_thread *pk_view_thread(struct pk_view *view)
{
	const uint16_t at = view->event->layout.tid;
	const struct perf_task *task = pk_record_task(view->record, at);

	if (!view->thread)
		view->thread =
			at ? pk_session_thread(view->context->state->session, task->pid, task->tid)
			   : pk_session_thread(view->context->state->session, UINT32_MAX,
					       UINT32_MAX);
	view->context->failed |= !view->thread;
	return view->thread;
}

/* Returns the frames of the stack. There are no frames if the stream is not symbolized. */
static struct pk_stack_walk frames_of(struct pk_view *view)
{
	const struct pk_stack_source *stacks = &view->context->stacks;

	return pk_source_frames(stacks, pk_source_symbolized(stacks) && pk_source_dictionary(stacks)
						? pk_view_stack(view)
						: PK_NO_STACK);
}

const struct pk_frame *pk_view_frame(struct pk_view *view)
{
	struct pk_stack_walk frames = frames_of(view);

	return pk_stack_next(&frames) ? frames.frame : NULL;
}

struct pk_location pk_view_locate(struct pk_view *view, uint64_t address)
{
	const struct pk_thread *thread = pk_view_thread(view);

	if (!thread)
		return (struct pk_location){0};
	return pk_session_locate(view->context->state->session, thread, address,
				 pk_address_mode(view->record->misc, address));
}

uint16_t pk_view_mode(const struct pk_view *view)
{
	const uint16_t misc = view->record->misc;

	return view->event->off_cpu
		       ? pk_address_mode(misc, pk_off_cpu_ip(view->event, view->record))
		       : misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

struct pk_location pk_view_location(struct pk_view *view)
{
	const struct pk_thread *thread = pk_view_thread(view);

	if (!thread || !(view->event->attr.sample_type & PERF_SAMPLE_IP))
		return (struct pk_location){0};
	return pk_session_locate(view->context->state->session, thread,
				 pk_sample_ip(view->event, view->record), pk_view_mode(view));
}

/* The highest number of nested inlined functions, which is much more than compilers produce. It
 * limits the time of the search below, which runs for each stack. */
enum { INLINED_MAX = 1024 };

/* Returns the innermost frame that is not inlined. Returns NULL if the stack is undefined, or if
 * its innermost frame is not code. Also returns NULL if the stack lacks the function into which the
 * innermost frame is inlined. */
static const struct pk_frame *leaf_function(struct pk_stack_walk frames)
{
	uint64_t address = 0;

	for (unsigned int hops = 0; hops <= INLINED_MAX && pk_stack_next(&frames); hops++) {
		if (!hops)
			address = frames.frame->address;
		if (frames.kind != PK_FRAME_IS_CODE || frames.frame->address != address)
			return NULL;
		if (pk_is_function(&frames))
			return frames.frame;
	}
	return NULL;
}

/* Returns true if the first address of the stack is the address of the sample. */
static bool begins_at_ip(const struct pk_view *view)
{
	struct pk_addresses addresses;
	uint64_t i = 0, first;

	if (pk_sample_addresses(view->event, view->record, &addresses) != PK_OK)
		return false;
	first = pk_chain_next_ip(&addresses.chain, &i);
	return addresses.own != PK_NO_ADDRESS || first == PK_NO_ADDRESS ||
	       first == pk_sample_ip(view->event, view->record);
}

/* Returns true if the address of the frame can be the address of the sample. This is a fast path
 * that does not use the maps. Because maps consist of pages, the low 12 bits of both addresses must
 * be equal. Generated code is not checked, because jitdumps contain code that was moved. */
static bool is_at(const struct pk_view *view, const struct pk_frame *frame)
{
	const uint64_t ip = pk_sample_ip(view->event, view->record);
	const uint16_t mode = pk_view_mode(view);
	const bool kernel =
		mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL;

	if (!(view->event->attr.sample_type & PERF_SAMPLE_IP) || frame->flags & PK_FRAME_JIT)
		return true;
	return kernel == !!(frame->flags & PK_FRAME_KERNEL) && !((ip ^ frame->address) & 0xfff);
}

const struct pk_frame *pk_view_function(struct pk_view *view, uint64_t *address)
{
	const struct pk_context *context = view->context;
	const struct pk_frame *frame = leaf_function(frames_of(view));
	struct pk_location location;

	if (!frame || !begins_at_ip(view))
		return NULL;
	*address = frame->address;
	if (!(frame->flags & PK_FRAME_FUNCTION))
		return is_at(view, frame) ? frame : NULL;
	location = pk_view_location(view);
	*address = location.address;
	return location.address >= frame->symbol_start &&
			       pk_frame_has(frame, pk_source_dictionary(&context->stacks),
					    &location)
		       ? frame
		       : NULL;
}

/* ---- Places ---- */

static uint32_t pid_of(const struct pk_view *view)
{
	const uint16_t at = view->event->layout.tid;

	return at ? pk_record_task(view->record, at)->pid : 0;
}

static enum pk_status find_place(struct pk_view *view, uint32_t *place)
{
	const struct pk_context *context = view->context;
	const struct pk_frame *frame;
	struct pk_location location;
	uint64_t address;

	if (pk_source_symbolized(&context->stacks) && pk_view_stack(view) == PK_NO_STACK)
		return PK_OK;
	frame = pk_view_function(view, &address);
	if (frame)
		return pk_places_of_stack(context->state->places,
					  pk_source_dictionary(&context->stacks), view->stack,
					  frame, address, pid_of(view), place);
	location = pk_view_location(view);
	return pk_places_of_location(context->state->places, &location, pid_of(view), place);
}

uint32_t pk_view_place(struct pk_view *view)
{
	if (view->has_place)
		return view->place;
	view->has_place = true;
	view->place = 0;
	if (view->context->state->places && find_place(view, &view->place) != PK_OK)
		view->context->failed = true;
	return view->place;
}

bool pk_view_stream_line(struct pk_view *view, struct pk_stream_line *line)
{
	const struct pk_session *session = view->context->state->session;
	struct pk_location location = pk_view_location(view);
	struct pk_stream_place found, start;

	if (!location.image || !pk_session_stream_symbol(session, &location, &found) ||
	    !found.source || !found.source->frames[0].file)
		return false;
	*line = (struct pk_stream_line){found.source->frames[0].file, found.source->frames[0].line,
					0};
	location.ip -= location.address - found.symbol_start;
	location.address = found.symbol_start;
	if (pk_session_stream_symbol(session, &location, &start) && start.source)
		line->first = start.source->frames[0].line;
	return true;
}

uint32_t pk_view_place_of(struct pk_view *view, uint64_t address)
{
	const struct pk_location location = pk_view_locate(view, address);
	uint32_t place;

	if (pk_places_of_location(view->context->state->places, &location, pid_of(view), &place) !=
	    PK_OK)
		view->context->failed = true;
	return place;
}

const struct pk_accessed *pk_view_accessed(struct pk_view *view)
{
	struct pk_context *context = view->context;
	const uint32_t place = pk_view_place(view);
	const struct pk_accessed *accessed;

	if (!place)
		return NULL;
	accessed = pk_access_types_at(context->state->access_types, place);
	context->failed |= !accessed;
	return accessed && accessed->type ? accessed : NULL;
}
