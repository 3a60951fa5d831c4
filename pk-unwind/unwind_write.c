// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "unwind_write.h"

#define BOTH (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* True if the registers stay in the samples. If they are only the link register, it is dropped: the
 * callchain contains its information. If there are more registers, the user selected them when
 * recording. */
static bool keeps(const struct pk_event *event, bool keep)
{
	return pk_chain_source_of(event) == PK_CHAIN_LACKS_CALLER
		       ? event->attr.sample_regs_user != PK_LINK_REGISTER
		       : keep;
}

/* ---- Attrs ---- */

static void clear(uint8_t *attr, size_t size, size_t at, size_t bytes)
{
	if (at + bytes <= size)
		memset(attr + at, 0, bytes);
}

/* Branches that are kept are no longer marked as a call stack, so that readers do not make
 * callchains from them. */
static void change_branches(uint8_t *attr, size_t size, bool keep)
{
	const size_t type_at = offsetof(struct perf_attr, sample_type);
	const size_t branches_at = offsetof(struct perf_attr, branch_sample_type);
	const uint64_t type = pk_load_u64(attr + type_at);

	if (branches_at + 8 > size)
		return;
	if (keep) {
		pk_store_u64(attr + branches_at,
			     pk_load_u64(attr + branches_at) & ~PERF_SAMPLE_BRANCH_CALL_STACK);
		return;
	}
	pk_store_u64(attr + type_at, type & ~PERF_SAMPLE_BRANCH_STACK);
	clear(attr, size, branches_at, 8);
}

static void change_registers(uint8_t *attr, size_t size, bool keep)
{
	const size_t type_at = offsetof(struct perf_attr, sample_type);
	const size_t flags_at = offsetof(struct perf_attr, flags);
	uint64_t type = pk_load_u64(attr + type_at) | PERF_SAMPLE_CALLCHAIN;
	uint64_t flags = pk_load_u64(attr + flags_at);

	pk_store_u64(attr + flags_at,
		     flags & ~pk_attr_written_flags(PERF_ATTR_EXCLUDE_CALLCHAIN_USER));
	pk_store_u64(attr + type_at, keep ? type : type & ~BOTH);
	if (keep)
		return;
	clear(attr, size, offsetof(struct perf_attr, sample_regs_user), 8);
	clear(attr, size, offsetof(struct perf_attr, sample_stack_user), 4);
}

static void change_attr(uint8_t *attr, size_t size, const struct pk_event *event, bool keep)
{
	if (pk_chain_source_of(event) == PK_CHAIN_OF_BRANCHES)
		change_branches(attr, size, keep);
	else
		change_registers(attr, size, keeps(event, keep));
}

enum pk_status unwind_write_attr(struct pk_writer *writer, const struct pk_record *record,
				 const struct pk_event *event, bool keep)
{
	const size_t at = offsetof(struct perf_record_header_attr, attr);
	uint8_t *out = pk_writer_extend(writer, record, 0);

	if (!out)
		return pk_writer_status(writer);
	change_attr(out + at, record->size - at, event, keep);
	return PK_OK;
}

enum pk_status unwind_write_event_desc(struct pk_writer *writer, const struct pk_record *record,
				       const struct pk_events *events, bool keep)
{
	const size_t head = sizeof(struct perf_record_header_feature);
	const struct perf_feature_event_desc *desc = (const void *)(record->data + head);
	const struct perf_event_desc_ids *rest;
	uint8_t data[UINT16_MAX + 1];
	size_t at = head + sizeof(*desc), size = record->size, attr_size;
	const struct pk_event *event;

	memcpy(data, record->data, size);
	attr_size = size >= at ? desc->attr_size : 0;
	for (size_t i = 0;
	     size - at >= attr_size + sizeof(*rest) && attr_size >= PERF_ATTR_SIZE_VER0; i++) {
		event = pk_events_at(events, i);
		if (event && pk_chain_source_of(event) != PK_CHAIN_WHOLE &&
		    pk_load_u64(data + at + offsetof(struct perf_attr, sample_type)) ==
			    pk_event_recorded_type(event))
			change_attr(data + at, attr_size, event, keep);
		rest = (const void *)(data + at + attr_size);
		at += attr_size + sizeof(*rest);
		if (rest->name_size > size - at || rest->ids > (size - at - rest->name_size) / 8)
			break;
		at += rest->name_size + 8 * (size_t)rest->ids;
	}
	return pk_writer_record(writer, data, size);
}

/* ---- Samples ---- */

/* The parts of the new record, in their order. */
struct pieces {
	struct pk_bytes head;	/* up to the callchain */
	struct pk_bytes kernel; /* entries of the chain before its user part; or the whole chain, if
				 * it is unchanged */
	uint64_t marker[2]; /* PERF_CONTEXT_KERNEL and the ip, for a sample in the kernel without a
			     * chain */
	size_t marker_count;
	struct pk_bytes middle; /* the fields between the chain and its source */
	struct pk_bytes source; /* registers and stack, or branches, if they are kept */
	struct pk_bytes tail;	/* the fields after the source */
	/* Bytes after the fields and the chain trailer, such as a stack trailer. */
	struct pk_bytes behind;
};

static struct pk_bytes from_to(const uint8_t *from, const uint8_t *to)
{
	return (struct pk_bytes){from, (uint64_t)(to - from)};
}

/* The number of entries before the user part of a chain. */
static uint64_t before_user(const struct pk_u64s *chain)
{
	uint64_t i = 0;

	while (i < chain->count && pk_u64s_at(chain, i) != PERF_CONTEXT_USER &&
	       pk_u64s_at(chain, i) != PERF_CONTEXT_USER_DEFERRED)
		i++;
	return i;
}

/* Adds the kernel address of a sample that was taken in the kernel and has no chain. */
static void mark_kernel(const struct unwind_output *o, struct pieces *pieces)
{
	const uint16_t mode = o->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (pieces->kernel.size || mode != PERF_RECORD_MISC_KERNEL || !o->event->layout.ip ||
	    o->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		return;
	pieces->marker[0] = PERF_CONTEXT_KERNEL;
	pieces->marker[1] = o->sample->ip;
	pieces->marker_count = 2;
}

static void split_sample(const struct unwind_output *o, struct pieces *pieces)
{
	const struct pk_sample *s = o->sample;
	const uint8_t *data = o->record->data, *end = data + s->size, *chain_end = s->callchain_at;
	const uint8_t *from, *to;

	*pieces = (struct pieces){
		.head = from_to(data + sizeof(struct perf_header), s->callchain_at)};
	if (o->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		chain_end = s->callchain.data + 8 * s->callchain.count;
		pieces->kernel = (struct pk_bytes){
			s->callchain.data,
			8 * (o->ips ? before_user(&s->callchain) : s->callchain.count)};
	}
	mark_kernel(o, pieces);
	from = s->user_at;
	to = s->user_end;
	if (pk_chain_source_of(o->event) == PK_CHAIN_OF_BRANCHES) {
		from = s->raw.data ? s->raw.data + s->raw.size : chain_end;
		to = s->user_at;
	}
	pieces->middle = from_to(chain_end, from);
	if (o->keep)
		pieces->source = from_to(from, to);
	pieces->tail = from_to(to, end);
	if (o->record->size - s->size >= PK_CHAIN_TRAILER_SIZE &&
	    pk_trailer_at(end)->tag == PK_CHAIN_TRAILER_TAG)
		end += PK_CHAIN_TRAILER_SIZE;
	pieces->behind = from_to(end, data + o->record->size);
}

static size_t size_of(const struct unwind_output *o, const struct pieces *p)
{
	return sizeof(struct perf_header) + p->head.size + 8 + p->kernel.size +
	       8 * p->marker_count + (o->count ? 8 + 8 * o->count : 0) + p->middle.size +
	       p->source.size + p->tail.size + (o->flags ? PK_CHAIN_TRAILER_SIZE : 0) +
	       p->behind.size;
}

static uint8_t *put(uint8_t *out, const void *data, size_t size)
{
	if (size)
		memcpy(out, data, size);
	return out + size;
}

/* Copies the branches or the registers and the stack, without the last `cut` bytes of the stack. */
static uint8_t *put_source(uint8_t *out, const struct unwind_output *o, const struct pieces *p,
			   size_t cut)
{
	const struct pk_bytes *stack = &o->sample->user_stack;
	const uint8_t *size_at;
	uint64_t size, valid;

	if (!cut)
		return put(out, p->source.data, p->source.size);
	size_at = stack->data - 8;
	size = pk_load_u64(size_at) - cut;
	valid = stack->size < size ? stack->size : size;
	out = put(out, p->source.data, (size_t)(size_at - p->source.data));
	out = pk_put_u64(out, size);
	out = put(out, stack->data, size);
	return pk_put_u64(out, valid);
}

static void fill(uint8_t *out, const struct unwind_output *o, const struct pieces *p,
		 size_t stack_cut)
{
	out = put(out + sizeof(struct perf_header), p->head.data, p->head.size);
	out = pk_put_u64(out, p->kernel.size / 8 + p->marker_count + (o->count ? 1 + o->count : 0));
	out = put(out, p->kernel.data, p->kernel.size);
	out = put(out, p->marker, 8 * p->marker_count);
	if (o->count) {
		out = pk_put_u64(out, PERF_CONTEXT_USER);
		out = put(out, o->ips, 8 * o->count);
	}
	out = put(out, p->middle.data, p->middle.size);
	out = put_source(out, o, p, stack_cut);
	out = put(out, p->tail.data, p->tail.size);
	if (o->flags)
		out = pk_trailer_put(out, PK_CHAIN_TRAILER_TAG, o->flags);
	put(out, p->behind.data, p->behind.size);
}

enum pk_status unwind_write_sample(struct pk_writer *writer, const struct unwind_output *output,
				   size_t *cut)
{
	struct unwind_output o = *output;
	struct pieces pieces;
	size_t size, over, stack_cut = 0;
	uint8_t *out;

	o.keep = keeps(o.event, o.keep);
	split_sample(&o, &pieces);
	size = size_of(&o, &pieces);
	over = size > PERF_RECORD_SIZE_MAX ? size - PERF_RECORD_SIZE_MAX : 0;
	*cut = 0;
	if (over && o.keep && pk_chain_source_of(o.event) == PK_CHAIN_OF_DUMP &&
	    o.sample->user_stack.data) {
		stack_cut = (pk_load_u64(o.sample->user_stack.data - 8) - 1) & ~UINT64_C(7);
		stack_cut = PK_ALIGN8(over) < stack_cut ? PK_ALIGN8(over) : stack_cut;
	} else if (over) {
		/* over / 8, rounded up, plus 1 for the chain trailer with the flag */
		*cut = (over + 15) / 8;
		if (*cut > o.count)
			return PK_UNSUPPORTED;
		o.count -= *cut;
		o.flags |= PK_CHAIN_STACK_SHORT;
	}
	size = size_of(&o, &pieces) - stack_cut;
	if (size > PERF_RECORD_SIZE_MAX)
		return PK_UNSUPPORTED;
	out = pk_writer_append(writer, PERF_RECORD_SAMPLE, o.record->misc, size);
	if (!out)
		return pk_writer_status(writer);
	fill(out, &o, &pieces, stack_cut);
	return PK_OK;
}
