// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <stdio.h>

#include "interpreted_groups.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "unwind.h"
#include "unwind_stage.h"

/* ---- Writing ---- */

#define BOTH (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* Returns true if the registers and the stack dump stay in the samples. If they were recorded only
 * for the return address, they are dropped, because the callchain then has this address. */
static bool keeps(const struct pk_event *event, bool keep)
{
	return pk_chain_source_of(event) == PK_CHAIN_LACKS_CALLER
		       ? !pk_is_only_for_caller(&event->attr)
		       : keep;
}

/* ---- Attrs ---- */

static void clear(uint8_t *attr, size_t size, size_t at, size_t bytes)
{
	if (at + bytes <= size)
		memset(attr + at, 0, bytes);
}

/* Removes the branches or, if keep is true, marks them no longer as a call stack. So readers will
 * not make callchains from them again. */
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

/* Writes the feature EVENT_DESC with the changed attrs. This feature repeats the attrs of all
 * events. */
static enum pk_status unwind_write_event_desc(struct pk_writer *writer,
					      const struct pk_record *record,
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

/* The parts of the new record, in the order of the record. The source of a callchain is the fields
 * from which it is made. */
struct pieces {
	struct pk_bytes head;	/* fields before the callchain */
	struct pk_bytes kernel; /* entries before the user part; all if unchanged */
	uint64_t marker[2]; /* PERF_CONTEXT_KERNEL and the ip, if the sample was taken in the kernel
			     * and has no callchain */
	size_t marker_count;
	struct pk_bytes middle; /* fields between the callchain and its source */
	struct pk_bytes source; /* registers and stack, or branches; empty if not kept */
	struct pk_bytes tail;	/* fields after the source */
	/* Bytes after the fields and the chain trailer. For example, a stack trailer. */
	struct pk_bytes behind;
};

static struct pk_bytes from_to(const uint8_t *from, const uint8_t *to)
{
	return (struct pk_bytes){from, (uint64_t)(to - from)};
}

/* Returns the number of entries before the user part of a callchain. */
static uint64_t before_user(const struct pk_u64s *chain)
{
	uint64_t i = 0;

	while (i < chain->count && pk_u64s_at(chain, i) != PERF_CONTEXT_USER &&
	       pk_u64s_at(chain, i) != PERF_CONTEXT_USER_DEFERRED)
		i++;
	return i;
}

/* If the sample was taken in the kernel and has no callchain, adds the kernel address. */
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

/* Copies the source of the callchain. This is the branches, or the registers and the stack. The
 * last `cut` bytes of the stack are not copied. */
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

/* If a frame of an interpreter has replaced the innermost native frame, writes its address as the
 * address of the sample. */
static void put_leaf(uint8_t *record, const struct unwind_output *o)
{
	const uint16_t mode = o->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (o->count && mode == PERF_RECORD_MISC_USER && o->event->layout.ip &&
	    interpreted_is_word(o->ips[0]))
		pk_store_u64(record + o->event->layout.ip, o->ips[0]);
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
		/* (over / 8, rounded up) addresses, and one more for the chain trailer, which may
		 * be new */
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
	put_leaf(out, &o);
	return PK_OK;
}

/* ---- The stage ---- */

#define FLAGS 7 /* number of bits PK_CHAIN_* */

enum { CACHE_LINE = 64, AHEAD_FROM = 256, AHEAD_TO = 1024 };

struct unwind_stage {
	struct pk_run *run;
	struct pk_session *session;
	struct resolver *resolver;
	struct unwinder *unwinder;
	struct unwound unwound;
	size_t attrs; /* number of HEADER_ATTR records in this session so far */
	bool keep, machine_reported, symbolized_reported;
	uint64_t samples, frames, truncated; /* sums over all sessions */
	uint64_t chains, callers; /* number of callchains that can lack a caller, and how many of
				   * them got a caller */
	bool whole;		  /* an event has complete callchains */
	uint64_t samples_reported, truncated_reported; /* the sums that LOSS records of previous
							* sessions have reported */
	uint64_t stopped[FLAGS];		       /* by bit of PK_CHAIN_*: number of samples */
};

static enum pk_status start_session(struct unwind_stage *u)
{
	pk_session_free(u->session);
	u->session = pk_session_new();
	if (!u->session)
		return PK_NOMEM;
	pk_resolver_start_session(u->resolver, u->session);
	unwinder_start_session(u->unwinder, u->session);
	u->attrs = 0;
	return PK_OK;
}

static enum pk_status pass(struct unwind_stage *u, const struct pk_record *record)
{
	enum pk_status status = pk_writer_copy(u->run->writer, u->run->reader, record);

	return status ?: pk_run_round(u->run);
}

/* ---- Samples ---- */

static void count(struct unwind_stage *u, size_t frames, uint32_t flags)
{
	u->samples++;
	u->frames += frames;
	u->truncated += !!(flags & PK_CHAIN_MISSING);
	for (unsigned int bit = 0; flags && bit < FLAGS; bit++)
		u->stopped[bit] += flags >> bit & 1;
}

static void count_caller(struct unwind_stage *u)
{
	u->chains++;
	u->callers += u->unwound.changed;
}

static void report_machine(struct unwind_stage *u)
{
	if (u->unwound.supported || u->machine_reported)
		return;
	u->machine_reported = true;
	pk_warn("%s: stacks of this architecture (%s) cannot be unwound: no user frames",
		u->run->input.name, pk_session_machine(u->session)->machine);
}

static enum pk_status write_sample(struct unwind_stage *u, const struct pk_record *record,
				   const struct pk_sample *sample)
{
	struct unwind_output output = {
		.event = record->event,
		.record = record,
		.sample = sample,
		.ips = u->unwound.changed ? u->unwound.ips : NULL,
		.count = u->unwound.count,
		.flags = u->unwound.flags,
		.keep = u->keep,
	};
	enum pk_status status;
	size_t cut;

	status = unwind_write_sample(u->run->writer, &output, &cut);
	if (status == PK_UNSUPPORTED) {
		pk_run_complain(u->run, record, "no room for its callchain; sample dropped");
		pk_run_lose(u->run, PK_LOSS_SAMPLES_LOST, 1, 0);
		return PK_OK;
	}
	if (pk_chain_source_of(record->event) == PK_CHAIN_LACKS_CALLER)
		count_caller(u);
	else
		count(u, output.count - cut, output.flags | (cut ? PK_CHAIN_STACK_SHORT : 0));
	return status;
}

static void unwind(struct unwind_stage *u, const struct pk_record *record,
		   const struct pk_thread *thread, const struct pk_sample *sample)
{
	const struct perf_attr *attr = &record->event->attr;
	const bool in_kernel =
		(record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;

	switch (pk_chain_source_of(record->event)) {
	case PK_CHAIN_OF_BRANCHES: unwind_branches(sample, in_kernel, &u->unwound); break;
	case PK_CHAIN_LACKS_CALLER:
		unwinder_add_caller(u->unwinder, thread, attr, sample, &u->unwound);
		break;
	default: unwinder_unwind(u->unwinder, thread, attr, sample, in_kernel, &u->unwound); break;
	}
}

/* Prefetches the parts of a later sample that pk_order_next() does not prefetch. These are the part
 * of its stack dump that most samples need, and the number of valid bytes at its end. */
static void look_ahead(const struct unwind_stage *u)
{
	const struct pk_event *event;
	const uint8_t *data = pk_order_ahead(u->run->order, 2, &event);
	size_t size = data ? pk_record_at(data).size : 0;

	for (size_t at = AHEAD_FROM; at < AHEAD_TO && at < size; at += CACHE_LINE)
		__builtin_prefetch(data + at);
	if (size > AHEAD_TO)
		__builtin_prefetch(data + size - sizeof(uint64_t));
}

static enum pk_status unwind_sample(struct unwind_stage *u, const struct pk_record *record)
{
	const struct pk_layout *layout = &record->event->layout;
	const uint32_t trailers = pk_stage_input(u->run->stage)->trailers;
	const struct pk_thread *thread;
	struct pk_sample sample;

	look_ahead(u);
	/* A sample that is shorter than its fields is dropped, because perf stops with an error at
	 * such a sample (SPEC 12). */
	if (pk_sample_decode(record->event, record, &sample) != PK_OK) {
		pk_run_complain(u->run, record, "sample shorter than its fields, dropped");
		pk_run_lose(u->run, PK_LOSS_RECORDS_BAD, 1, 0);
		return PK_OK;
	}
	if (!(trailers & PK_TRAILER_CHAIN))
		sample.chain_flags = 0;
	if (sample.has_stack && trailers & PK_TRAILER_STACK && !u->symbolized_reported) {
		u->symbolized_reported = true;
		pk_warn("%s: is symbolized already, without the callers found here: run pk-unwind "
			"before pk-symbolize",
			u->run->input.name);
	}
	thread = pk_session_thread(u->session, layout->tid ? sample.pid : UINT32_MAX,
				   layout->tid ? sample.tid : UINT32_MAX);
	if (!thread)
		return PK_NOMEM;
	unwind(u, record, thread, &sample);
	report_machine(u);
	return write_sample(u, record, &sample);
}

/* ---- Other records ---- */

static enum pk_status unwind_attr(struct unwind_stage *u, const struct pk_record *record)
{
	const struct pk_event *event = pk_events_at(pk_reader_events(u->run->reader), u->attrs++);

	if (event && pk_chain_source_of(event) != PK_CHAIN_WHOLE)
		return unwind_write_attr(u->run->writer, record, event, u->keep);
	u->whole |= event && event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	return pass(u, record);
}

static enum pk_status unwind_other(struct unwind_stage *u, const struct pk_record *record)
{
	enum pk_status status;

	if (record->type == PERF_RECORD_HEADER_ATTR)
		return unwind_attr(u, record);
	if (pk_feature_id(record) == PERF_FEATURE_EVENT_DESC)
		return unwind_write_event_desc(u->run->writer, record,
					       pk_reader_events(u->run->reader), u->keep);
	status = pk_session_record(u->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(u->run, record, "malformed; passed on, but not used");
	else if (status)
		return status;
	return pass(u, record);
}

static enum pk_status unwind_record(struct pk_run *run, const struct pk_record *record)
{
	struct unwind_stage *u = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(u);
	PK_TRY(pk_resolver_record(u->resolver, u->session, record));
	if (record->type != PERF_RECORD_SAMPLE)
		return unwind_other(u, record);
	if (!record->event || pk_chain_source_of(record->event) == PK_CHAIN_WHOLE)
		return pk_run_good_sample(run, record) ? pass(u, record) : PK_OK;
	status = unwind_sample(u, record);
	return status ?: pk_run_round(run);
}

static void end_session(struct pk_run *run)
{
	struct unwind_stage *u = run->arg;

	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, u->truncated - u->truncated_reported,
		    u->samples - u->samples_reported);
	u->samples_reported = u->samples;
	u->truncated_reported = u->truncated;
}

/* Prints one line that tells why stacks are truncated. */
static void summarize(struct pk_run *run)
{
	const struct unwind_stage *u = run->arg;
	static const char *const words[FLAGS] = {
		NULL,
		"were deeper than their dump",
		"reached code without unwind information",
		"reached invalid unwind information",
		"needed memory that is not in their dump",
		"were followed by frame pointers in part",
		"lack frames of an interpreter",
	};
	char text[512] = "", number[32], total[32];
	size_t used = 0;

	for (int bit = 0; bit < FLAGS; bit++)
		if (u->stopped[bit] && words[bit] && used < sizeof(text))
			used += (size_t)snprintf(text + used, sizeof(text) - used, ", %s %s",
						 pk_number(number, u->stopped[bit]), words[bit]);
	pk_number(number, u->samples);
	if (u->truncated)
		pk_warn("of %s stacks%s", number, text + 1);
	else if (u->samples)
		pk_info("%s stacks, %.1f frames each%s", number,
			(double)u->frames / (double)u->samples, text);
	else if (u->run->losses.samples && !u->chains && !u->whole)
		pk_warn("no sample has user registers and stack, or calls (LBR): nothing was "
			"unwound");
	if (u->chains)
		pk_info("callers of functions without a frame added to %s of %s callchains",
			pk_number(number, u->callers), pk_number(total, u->chains));
}

int unwind_stream(struct pk_run *run, struct pk_symbols *symbols, const struct unwind_options *opts)
{
	struct pk_stage_options options = {
		.program = pk_cli_program(),
		.argc = opts->argc,
		.argv = opts->argv,
		.order = PK_ORDER_PROCESSING,
		.trailers = PK_TRAILER_CHAIN,
	};
	struct unwind_stage u = {.run = run, .keep = opts->keep};
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->maps = true;
	run->record = unwind_record;
	run->session_end = end_session;
	run->report = summarize;
	run->arg = &u;
	u.resolver = pk_resolver_new(symbols, opts->symbols, &run->messages);
	u.unwinder = u.resolver
			     ? unwinder_new(u.resolver, opts->other, pk_symbols_failures(symbols))
			     : NULL;
	if (u.unwinder)
		result = pk_run_stage(run, &options, opts->output, "pk-symbolize");
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	unwinder_free(u.unwinder);
	pk_resolver_free(u.resolver);
	pk_session_free(u.session);
	return result;
}
