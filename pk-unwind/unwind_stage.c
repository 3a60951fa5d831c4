// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "unwind.h"
#include "unwind_stage.h"
#include "unwind_write.h"

#define FLAGS 6 /* bits of PK_CHAIN_* */

enum { CACHE_LINE = 64, AHEAD_FROM = 256, AHEAD_TO = 1024 };

struct unwind_stage {
	struct pk_run *run;
	struct pk_session *session;
	struct resolver *resolver;
	struct unwinder *unwinder;
	struct unwound unwound;
	size_t attrs; /* number of attrs of this session so far */
	bool keep, machine_reported, symbolized_reported;
	uint64_t samples, frames, truncated; /* of all sessions */
	uint64_t chains, callers; /* chains: callchains that can lack a caller; callers: those that
				   * got one */
	bool whole;		  /* an event has callchains that need nothing */
	uint64_t samples_reported, truncated_reported; /* as LOSS in previous sessions */
	uint64_t stopped[FLAGS]; /* number of samples for each bit of PK_CHAIN_* */
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

	return status ? status : pk_run_round(u->run);
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
		u->run->name, pk_session_machine(u->session)->machine);
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

/* Prefetches the part of a later sample that the order does not prefetch: the part of its stack
 * that most stacks need, and the number of valid bytes at its end. */
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
	/* SPEC 12: perf stops at a sample that is shorter than its fields. */
	if (pk_sample_decode(record->event, record, &sample)) {
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
			u->run->name);
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
	if (record->type != PERF_RECORD_SAMPLE)
		return unwind_other(u, record);
	if (!record->event || pk_chain_source_of(record->event) == PK_CHAIN_WHOLE)
		return pk_run_good_sample(run, record) ? pass(u, record) : PK_OK;
	status = unwind_sample(u, record);
	return status ? status : pk_run_round(run);
}

static void end_session(struct pk_run *run)
{
	struct unwind_stage *u = run->arg;

	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, u->truncated - u->truncated_reported,
		    u->samples - u->samples_reported);
	u->samples_reported = u->samples;
	u->truncated_reported = u->truncated;
}

/* Reports in one line why stacks are truncated. */
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
	u.unwinder = u.resolver ? unwinder_new(u.resolver, pk_symbols_failures(symbols)) : NULL;
	if (u.unwinder)
		result = pk_run_stage(run, &options, opts->output, "pk-symbolize");
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	unwinder_free(u.unwinder);
	pk_resolver_free(u.resolver);
	pk_session_free(u.session);
	return result;
}
