// SPDX-License-Identifier: BSD-2-Clause
/* Records are written in the order in which they are read. The derived events are announced after
 * the events of the input. Their formats are written before the first record that has a time. At
 * that point, the names and formats of all events are known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "derived_event.h"
#include "open_spans.h"
#include "pairing.h"
#include "pkutil.h"
#include "presets.h"
#include "run.h"
#include "span_filter.h"
#include "span_stacks.h"
#include "switch_samples.h"
#include "tracing_payload.h"
#include "where.h"

/* ---- Output ---- */

/* Writes the records of the input and the samples of spans. Each written record has the id of its
 * event. */

struct span_output {
	struct pk_run *run; /* set by the caller */
	bool joins;	    /* set by the caller; the stacks of a span's start and end are joined */
	uint32_t trailers;  /* set by the caller: PK_TRAILER_* of the session */
	struct pk_span_stacks stacks; /* used if `joins` is set: copies of the input's stacks */
	struct buffer chain, copy;    /* temporary buffers */
};

/* Call it at the start of a session. dictionary is the dictionary of the input. It can be NULL if
 * `joins` is not set. */
static enum pk_status span_output_start_session(struct span_output *output,
						const struct pk_dictionary *dictionary)
{
	if (!output->joins)
		return PK_OK;
	if (!output->stacks.copy.to)
		PK_TRY(pk_span_stacks_init(&output->stacks, dictionary, output->run->writer));
	pk_span_stacks_clear(&output->stacks);
	return PK_OK;
}

static void span_output_free(struct span_output *output)
{
	free(output->chain.data);
	free(output->copy.data);
	pk_span_stacks_free(&output->stacks);
}

/* Returns true if the written samples refer to copies of the input's stacks. */
static bool copies(const struct span_output *output)
{
	return output->joins && pk_stage_input(output->run->stage)->trailers & PK_TRAILER_STACK;
}

/* ---- Records of the input ---- */

/* Changes the trailer of a sample, so that it refers to the copy of its stack. */
static enum pk_status with_copied_stack(struct span_output *output, struct pk_record *record)
{
	const uint32_t stack = pk_stack_trailer(record->data, record->size);
	bool failed = false;

	if (!stack)
		return PK_OK;
	output->copy.size = 0;
	buffer_add(&output->copy, (const char *)record->data, record->size);
	if (output->copy.failed)
		return PK_NOMEM;
	record->data = (const uint8_t *)output->copy.data;
	pk_trailer_put((uint8_t *)output->copy.data + record->size - PK_STACK_TRAILER_SIZE,
		       PK_STACK_TRAILER_TAG, pk_span_stacks_copy(&output->stacks, stack, &failed));
	return failed ? PK_NOMEM : PK_OK;
}

/* Writes a record of the input that has an event. */
static enum pk_status span_output_kernel(struct span_output *output, const struct pk_record *record)
{
	struct pk_run *run = output->run;
	struct pk_record copy = *record;
	enum pk_status status = PK_OK;

	if (record->type == PERF_RECORD_SAMPLE && copies(output))
		status = with_copied_stack(output, &copy);
	if (status)
		return status;
	if (!pk_identified_record(run->writer, &copy, pk_reader_events(run->reader)))
		pk_run_lose(run,
			    record->type == PERF_RECORD_SAMPLE ? PK_LOSS_SAMPLES_LOST
							       : PK_LOSS_RECORDS_LOST,
			    1, 0);
	return pk_writer_status(run->writer);
}

/* Returns true for a definition of the input's dictionary. It is not written, because the
 * definitions of the copies replace it. */
static bool is_dictionary(const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);

	return (kind >= PK_STRING && kind <= PK_STACK) || kind == PK_RESET;
}

static enum pk_status span_output_other(struct span_output *output, const struct pk_record *record)
{
	struct pk_run *run = output->run;
	const struct pk_events *events = pk_reader_events(run->reader);
	const size_t count = pk_events_count(events);

	if (record->type == PERF_RECORD_HEADER_ATTR && count) {
		pk_identified_attr(run->writer, record, pk_events_at(events, count - 1));
	} else if (record->type == PERF_RECORD_EVENT_UPDATE && !pk_definition_of(record)) {
		pk_identified_update(run->writer, record, events);
	} else if (is_dictionary(record) && copies(output)) {
		if (pk_definition_of(record) == PK_RESET)
			pk_span_stacks_forget(&output->stacks);
	} else {
		return pk_writer_copy(run->writer, run->reader, record);
	}
	return pk_writer_status(run->writer);
}

/* Ends a round if it is long enough. Call it after a record was written. */
static enum pk_status span_output_round(struct span_output *output)
{
	const uint64_t round = output->run->input.round;
	const enum pk_status status = pk_run_round(output->run);

	if (pk_unlikely(output->run->input.round != round) && copies(output))
		pk_span_stacks_limit(&output->stacks);
	return status;
}

/* ---- Spans ---- */

/* Returns a chain that has the callchain of the span's end, followed by the callchain of its start.
 */
static struct pk_u64s join_chains(struct span_output *output, const struct pk_span *span)
{
	const struct pk_u64s *start = &span->place->callchain, *end = &span->inner->callchain;
	struct buffer *chain = &output->chain;

	chain->size = 0;
	if (end->count)
		buffer_add(chain, (const char *)end->data, 8 * (size_t)end->count);
	if (start->count)
		buffer_add(chain, (const char *)start->data, 8 * (size_t)start->count);
	return (struct pk_u64s){.data = (const uint8_t *)chain->data, .count = chain->size / 8};
}

/* Adds the stack of the span's end to the sample. The sample already has the stack of the start. */
static void join_end(struct span_output *output, const struct pk_span *span,
		     struct pk_derived_sample *sample, bool *failed)
{
	sample->ip = span->inner->ip;
	sample->misc = span->inner->misc;
	sample->chain_flags |= span->inner->chain_flags;
	sample->callchain = join_chains(output, span);
	sample->stack = pk_span_stacks_join(&output->stacks, span->place->stack, span->inner->stack,
					    failed);
	*failed |= output->chain.failed;
}

/* Writes the sample of a span. Sets *cut if its callchain was cut. */
static enum pk_status span_output_span(struct span_output *output,
				       const struct pk_derived_event *derived,
				       const struct pk_span_format *format,
				       const struct pk_span *span, bool *cut)
{
	const struct pk_span_place *place = span->place;
	struct pk_derived_sample sample = {
		.misc = place->misc,
		.pid = span->pid,
		.tid = span->tid,
		.cpu = place->cpu,
		.ip = place->ip,
		.time = span->end,
		.period = span->duration,
		.callchain = place->callchain,
		.raw_size = pk_span_format_size(format, span->values),
		.trailers = output->trailers,
		.stack = place->stack,
		.chain_flags = place->chain_flags,
	};
	bool failed = false;
	uint8_t *raw;

	if (format->address != SIZE_MAX)
		sample.addr = span->values[format->address].number;
	if (copies(output) && span->inner)
		join_end(output, span, &sample, &failed);
	else if (copies(output))
		sample.stack = pk_span_stacks_copy(&output->stacks, place->stack, &failed);
	if (failed)
		return PK_NOMEM;
	raw = pk_derived_sample_write(derived, &sample, output->run->writer, cut);
	if (raw)
		pk_span_format_put(format, span->tid, span->values, raw, sample.raw_size);
	return pk_writer_status(output->run->writer);
}

/* ---- The stage ---- */

/* If there are at least this many starts, and more than half of them have no end, the ends were
 * probably not recorded. */
#define STARTS_LEAST 20

struct spanner {
	struct pk_run *run;
	const struct span_options *options;
	struct pk_context context;
	/* Members about the current session: */
	bool started;	 /* `context` was prepared for the session */
	bool has_events; /* the derived events were announced */
	bool prepared;	 /* the formats of the derived events were written */
	struct pk_derived_event derived[SPAN_DEFINITIONS_MAX];
	/* One item for each definition. */
	struct kind {
		struct spanner *spanner;
		const struct span_definition *definition;
		struct pk_pairing *pairing;
		struct pk_derived_event *derived;
		struct pk_span_format format;
		uint64_t cut; /* number of spans whose callchain was cut */
	} * kinds;
	struct pk_ended_tasks ended;
	struct pk_switch_samples switches;
	uint64_t now;	  /* the largest time of a record so far */
	uint8_t *formats; /* the payload of TRACING_DATA, or NULL */
	size_t formats_size;
	struct span_output output;
	/* Members about all sessions: */
	bool any_events, any_starts;
	bool failed;
};

/* ---- The derived events ---- */

/* Announces the derived events. It is called before SESSION is written, when the events of the
 * input were read. */
static void announce(void *arg)
{
	struct spanner *s = arg;
	const struct pk_events *events = pk_reader_events(s->run->reader);

	if (!pk_events_count(events))
		return;
	pk_derived_events_choose(s->derived, s->options->count, events);
	for (size_t i = 0; i < s->options->count; i++) {
		if (s->options->definitions[i]->address)
			s->derived[i].attr.sample_type |= PERF_SAMPLE_ADDR;
		pk_derived_event_write(&s->derived[i], s->run->writer);
	}
	/* The deferred user callchain of a span can be lost. So samples have the trailer
	 * PK_TRAILER_CHAIN, which tells this. */
	if (s->derived[0].attr.flags & PERF_ATTR_DEFER_CALLCHAIN)
		pk_stage_change(s->run->stage, PK_ORDER_PROCESSING, PK_TRAILER_CHAIN);
	s->has_events = s->any_events = true;
}

static void write_name(struct spanner *s, const struct kind *kind)
{
	char name[sizeof(PK_SPAN_SYSTEM) + 1 + PK_FIELD_NAME_SIZE + 8] = {0};
	const int size = snprintf(name, sizeof(name), PK_SPAN_SYSTEM ":%s", kind->format.name);

	pk_writer_update(s->run->writer, PERF_EVENT_UPDATE_NAME, kind->derived->id, name,
			 PK_ALIGN8((size_t)size + 1));
}

static void write_formats(struct spanner *s, const struct buffer *payload)
{
	const size_t size = PK_ALIGN8(sizeof(struct perf_record_tracing_data));
	struct perf_record_tracing_data *record =
		pk_writer_zeroed(s->run->writer, PERF_RECORD_HEADER_TRACING_DATA, 0, size);

	if (!record)
		return;
	record->size = (uint32_t)payload->size;
	pk_writer_bytes(s->run->writer, payload->data, payload->size, 0, 0);
}

static void complain(void *arg, const char *text)
{
	struct spanner *s = arg;

	pk_error("%s: %s", s->run->input.name, text);
	s->failed = true;
}

static void set_address(struct spanner *s, struct kind *kind)
{
	const char *name = kind->definition->address;
	char text[128];

	if (!name || pk_span_format_set_address(&kind->format, name) || s->options->optional)
		return;
	snprintf(text, sizeof(text), "--addr=%s: spans have no number of this name", name);
	complain(s, text);
}

/* Prepares the format of a definition, and adds it to the payload. */
static enum pk_status prepare_kind(struct spanner *s, struct kind *kind, struct buffer *payload,
				   bool big_endian)
{
	const struct pk_bytes before = {(const uint8_t *)payload->data, payload->size};
	struct pk_tracing_format format = {.system = PK_SPAN_SYSTEM, .id = kind->derived->format};
	struct buffer text = {0}, merged = {0};
	enum pk_status status = PK_NOMEM;

	pk_span_format_start(&kind->format, kind->definition->name, kind->derived->format,
			     big_endian);
	pk_pairing_prepare(kind->pairing, &kind->format, complain, s);
	set_address(s, kind);
	pk_span_format_text(&kind->format, &text);
	format.text = text.data;
	format.size = text.size;
	if (!text.failed && !s->context.failed)
		status = pk_tracing_data_add(&merged, &before, &format, big_endian);
	free(text.data);
	if (status == PK_NOMEM) {
		free(merged.data);
		return status;
	}
	free(payload->data);
	*payload = merged; /* a damaged payload was already reported when the formats were read */
	s->any_starts |= pk_pairing_has_starts(kind->pairing);
	return PK_OK;
}

/* Writes the names and the formats of the derived events. */
static enum pk_status prepare(struct spanner *s)
{
	struct buffer payload = {
		.data = (char *)s->formats, .size = s->formats_size, .capacity = s->formats_size};
	const struct pk_bytes input = {s->formats, s->formats_size};
	enum pk_status status = PK_OK;
	bool big_endian;

	s->prepared = true;
	s->output.trailers = pk_stage_input(s->run->stage)->trailers;
	pk_context_describe(&s->context, pk_stage_input(s->run->stage));
	if (!s->has_events)
		return PK_OK;
	PK_TRY(pk_switch_samples_prepare(&s->switches, &s->context));
	if (s->context.needs & PK_NEED_STACKS && !pk_source_symbolized(&s->context.stacks))
		complain(s, "symbols and stacks need names: run pk-symbolize before pk-span");
	if (!pk_tracing_data_order(&input, &big_endian))
		big_endian = s->run->input.swapped != PK_HOST_IS_BIG;
	s->formats = NULL; /* `payload` owns the memory now */
	s->formats_size = 0;
	for (size_t i = 0; i < s->options->count && !status; i++)
		status = prepare_kind(s, &s->kinds[i], &payload, big_endian);
	for (size_t i = 0; i < s->options->count && !status; i++)
		write_name(s, &s->kinds[i]);
	if (!status)
		write_formats(s, &payload);
	free(payload.data);
	return status;
}

/* ---- Records ---- */

/* Keeps the formats of the input. They are written later, together with the formats of the derived
 * events. */
static enum pk_status keep_formats(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status;
	uint8_t *data;
	size_t size;

	if (s->prepared || s->formats) {
		pk_run_complain(s->run, record,
				"formats of tracepoints come too late: not used, dropped");
		return PK_OK;
	}
	status = pk_read_payload(s->run->reader, &data, &size);
	if (status == PK_UNSUPPORTED) {
		free(data);
		pk_run_complain(s->run, record,
				"formats of tracepoints with more than 64 MiB: not used, dropped");
		return PK_OK;
	}
	if (!status && size == record->payload_size)
		status = pk_context_read_formats(&s->context, s->run->reader, record, data, size);
	s->formats = data;
	s->formats_size = size;
	return status == PK_CORRUPT ? PK_OK : status;
}

static enum pk_status start_session(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status;

	free(s->formats);
	s->formats = NULL;
	s->formats_size = 0;
	s->has_events = s->prepared = false;
	pk_stage_change(s->run->stage, PK_ORDER_PROCESSING, 0);
	pk_stage_on_open(s->run->stage, announce, s);
	s->now = 0;
	pk_ended_tasks_clear(&s->ended);
	pk_switch_samples_start_session(&s->switches);
	for (size_t i = 0; i < s->options->count; i++)
		pk_pairing_start_session(s->kinds[i].pairing);
	pk_user_halves_clear(s->options->halves);
	status = pk_context_record(&s->context, s->run->reader, record);
	if (!status)
		status = span_output_start_session(&s->output,
						   pk_source_dictionary(&s->context.stacks));
	s->started = status == PK_OK;
	return status;
}

/* ---- Tasks that end ---- */

static enum pk_status end_task(struct spanner *s, uint32_t tid, uint64_t time)
{
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < s->options->count && !status; i++)
		status = pk_pairing_end_task(s->kinds[i].pairing, tid, time);
	return status;
}

/* Ends the spans of tasks that ended some time ago. Their time of grace is over at `now`. */
static enum pk_status end_tasks(struct spanner *s, uint64_t now)
{
	enum pk_status status = PK_OK;
	struct pk_ended_task task;

	while (pk_unlikely(s->ended.first < s->ended.count) && !status &&
	       pk_ended_tasks_next(&s->ended, now, &task))
		status = end_task(s, task.tid, task.time);
	return status;
}

static enum pk_status note_time(struct spanner *s, const struct pk_record *record)
{
	if (pk_likely(record->time == PK_NO_TIME || record->time <= s->now))
		return PK_OK;
	s->now = record->time;
	return end_tasks(s, s->now);
}

/* Handles an EXIT record. */
static enum pk_status exit_task(struct spanner *s, const struct perf_record_task *task)
{
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < s->options->count && !status; i++)
		status = pk_pairing_exit(s->kinds[i].pairing, task->tid, task->time);
	if (status)
		return status;
	return pk_ended_tasks_add(&s->ended, task->tid, task->time);
}

static enum pk_status note_task(struct spanner *s, const struct pk_record *record)
{
	const struct perf_record_task *fork = (const void *)record->data;
	enum pk_status status;

	if (record->size < sizeof(*fork))
		return PK_OK;
	if (record->type == PERF_RECORD_EXIT)
		return exit_task(s, fork);
	status = end_task(s, fork->tid, fork->time);
	pk_ended_tasks_remove(&s->ended, fork->tid);
	return status;
}

/* ---- All records ---- */

/* Passes a sample to all definitions. Sets *any if one of them used the sample. */
static enum pk_status pair_sample(struct spanner *s, const struct pk_record *record, bool *any)
{
	enum pk_status status = PK_OK;
	bool paired;

	for (size_t i = 0; i < s->options->count && !status; i++) {
		status = pk_pairing_sample(s->kinds[i].pairing, record, &paired);
		*any |= paired;
	}
	return status;
}

/* Handles a record of a context switch. If the sample of the switch was not recorded, makes a
 * sample from the record. */
static enum pk_status note_switch(struct spanner *s, const struct pk_record *record)
{
	struct pk_record sample;
	bool made, any = false;

	PK_TRY(pk_switch_samples_record(&s->switches, &s->context, record, &sample, &made));
	return made ? pair_sample(s, &sample, &any) : PK_OK;
}

static enum pk_status span_sample(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status;
	bool any = false;

	if (pk_unlikely(pk_context_sample(&s->context, record) != PK_OK))
		return PK_NOMEM;
	status = pair_sample(s, record, &any);
	if (status || (any && !s->options->pass) || !pk_run_good_sample(s->run, record))
		return status;
	return span_output_kernel(&s->output, record);
}

static bool is_timed(const struct pk_record *record)
{
	return record->type == PERF_RECORD_SAMPLE ||
	       (record->type < PERF_RECORD_USER_START && record->time != PK_NO_TIME);
}

/* Handles a record that is not PK_RECORD_BEGIN. */
static enum pk_status span_one(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status = PK_OK;

	if (pk_unlikely(!s->prepared) && is_timed(record)) {
		PK_TRY(prepare(s));
	}
	status = note_time(s, record);
	if (!status && pk_unlikely(s->switches.used))
		status = note_switch(s, record);
	if (status)
		return status;
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return span_sample(s, record);
	if (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT)
		status = note_task(s, record);
	if (status)
		return status;
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return keep_formats(s, record);
	PK_TRY(pk_user_halves_record(s->options->halves, record));
	status = pk_context_record(&s->context, s->run->reader, record);
	for (size_t i = 0; i < s->options->count && !status; i++)
		if (pk_pairing_record(s->kinds[i].pairing, record) != PK_OK)
			status = PK_NOMEM;
	if (status)
		return status;
	return record->type < PERF_RECORD_USER_START ? span_output_kernel(&s->output, record)
						     : span_output_other(&s->output, record);
}

static enum pk_status span_record(struct pk_run *run, const struct pk_record *record)
{
	struct spanner *s = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(s, record);
	status = span_one(s, record);
	return status ?: span_output_round(&s->output);
}

/* ---- Spans ---- */

static enum pk_status write_span(void *arg, const struct pk_span *span)
{
	struct kind *kind = arg;
	bool cut = false;
	const enum pk_status status =
		span_output_span(&kind->spanner->output, kind->derived, &kind->format, span, &cut);

	kind->cut += cut;
	return status;
}

/* ---- The end ---- */

/* Prints the numbers of a session. They are only shown with -v. */
static void report_counts(const struct spanner *s, const struct kind *kind)
{
	const struct pk_span_counts *counts = &kind->pairing->counts;
	const bool written = kind->pairing->unfinished;
	const struct {
		uint64_t count;
		const char *one, *many;
	} lines[] = {
		{counts->starts, "start", "starts"},
		{counts->spans, "span", "spans"},
		{counts->exited, "of them ended with their task", NULL},
		{counts->shorter, "of them shorter than --min", NULL},
		{counts->unended, "span that never ended", "spans that never ended"},
		{written ? counts->unended : 0, "of them written as unfinished", NULL},
		{counts->open, "span open at the end", "spans open at the end"},
		{written ? counts->open : 0, "of them written as unfinished", NULL},
		{counts->unused, "start during an open span", "starts during an open span"},
		{counts->cancelled, "span cancelled", "spans cancelled"},
		{counts->task_ended, "span whose task ended", "spans whose task ended"},
		{written ? counts->task_ended : 0, "of them written as unfinished", NULL},
		{counts->dropped, "open span dropped", "open spans dropped"},
		{counts->unstarted, "end without a start", "ends without a start"},
		{counts->gaps, "span with lost records in it", "spans with lost records in them"},
		{counts->keyless, "start or end that lacks a field of the key",
		 "starts and ends that lack a field of the key"},
	};
	char number[32];

	if (s->options->count > 1)
		pk_info(PK_SPAN_SYSTEM ":%s", kind->definition->name);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count || i < 2)
			pk_info("%15s %s", pk_number(number, lines[i].count),
				lines[i].count == 1 || !lines[i].many ? lines[i].one
								      : lines[i].many);
}

/* Ends the session of a definition. Adds its counts to *sum. */
static void end_kind(struct spanner *s, struct kind *kind, struct pk_span_counts *sum)
{
	const struct pk_span_counts *counts = &kind->pairing->counts;

	if (pk_pairing_end(kind->pairing) == PK_NOMEM) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		s->failed = true;
	}
	pk_run_lose(s->run, PK_LOSS_STACKS_TRUNCATED, kind->cut, counts->spans);
	kind->cut = 0;
	sum->starts += counts->starts;
	sum->spans += counts->spans;
	if (!kind->pairing->unfinished) {
		sum->unended += counts->unended;
		sum->open += counts->open;
	}
	sum->dropped += counts->dropped;
	sum->unstarted += counts->unstarted;
	sum->gaps += counts->gaps;
	sum->keyless += counts->keyless;
	report_counts(s, kind);
}

static void end_session(struct pk_run *run)
{
	struct spanner *s = run->arg;
	struct pk_span_counts sum = {0};
	char number[32];

	if (!s->started)
		return;
	s->started = false;
	if (!s->prepared && prepare(s) == PK_NOMEM) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		s->failed = true;
	}
	if (end_tasks(s, UINT64_MAX) == PK_NOMEM) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		s->failed = true;
	}
	for (size_t i = 0; i < s->options->count; i++)
		end_kind(s, &s->kinds[i], &sum);
	pk_run_lose(run, PK_LOSS_SPANS_DROPPED, sum.dropped, sum.starts);
	pk_run_lose(run, PK_LOSS_SPANS_UNENDED, sum.unended, sum.starts);
	pk_run_lose(run, PK_LOSS_SPANS_OPEN, sum.open, sum.starts);
	if (sum.starts >= STARTS_LEAST && sum.unended + sum.open > sum.starts / 2)
		pk_preset_report_needs();
	if (!s->options->optional) /* With an optional input, an end without a start is normal. An
				      example is a switch to a task that was preempted and not
				      blocked. */
		pk_run_lose(run, PK_LOSS_SPANS_UNSTARTED, sum.unstarted, 0);
	pk_run_lose(run, PK_LOSS_SPANS_GAPS, sum.gaps, sum.spans);
	if (sum.keyless)
		pk_warn("%s: a field of the key is missing in %s sample%s", run->input.name,
			pk_number(number, sum.keyless), sum.keyless == 1 ? "" : "s");
	if (pk_context_end(&s->context) != PK_OK)
		s->failed = true;
}

struct problems {
	const char *what, *text;
	bool any;
};

static void report_problem(void *arg, size_t at, const char *error)
{
	struct problems *problems = arg;

	problems->any = true;
	pk_expression_complain(problems->what, problems->text, at, error);
}

/* Reports an event name that no event of the input has, and reports unknown fields of its
 * condition. Returns false if it reported an error. */
static bool report_rule(const struct spanner *s, const struct pk_span_rule *rule,
			enum pk_span_role role)
{
	static const char *const names[PK_SPAN_RULES][2] = {{"--start", "--start-where"},
							    {"--end", "--end-where"},
							    {"--cancel", "--cancel-where"}};
	struct problems problems = {.what = names[role][1], .text = rule->where_text};

	if (!rule->found && s->options->optional) {
		pk_info("%s=%s: no event of the input has this name", names[role][0], rule->event);
		return true;
	}
	if (!rule->found)
		pk_error("%s=%s: no event of the input has this name", names[role][0], rule->event);
	else if (!rule->timed)
		pk_error("%s=%s: samples of this event have no time", names[role][0], rule->event);
	else if (rule->condition)
		pk_condition_problems(rule->condition, report_problem, &problems);
	return rule->timed && !problems.any;
}

static bool report(const struct spanner *s)
{
	bool good = !s->failed;

	if (!s->any_events)
		return good;
	if (s->options->optional && !s->any_starts) {
		pk_error("no start event in the input");
		pk_preset_report_needs();
		good = false;
	}
	for (size_t i = 0; i < s->options->count; i++) {
		for (int role = 0; role < PK_SPAN_RULES; role++) {
			const struct pk_span_rules *rules = &s->kinds[i].pairing->plans.rules[role];

			for (size_t j = 0; j < rules->count; j++)
				good &= report_rule(s, &rules->items[j], (enum pk_span_role)role);
		}
	}
	return good;
}

static enum pk_status init(struct spanner *s)
{
	s->kinds = calloc(s->options->count, sizeof(*s->kinds));
	if (!s->kinds)
		return PK_NOMEM;
	for (size_t i = 0; i < s->options->count; i++) {
		struct span_definition *definition = s->options->definitions[i];

		s->kinds[i] = (struct kind){.spanner = s,
					    .definition = definition,
					    .pairing = &definition->pairing,
					    .derived = &s->derived[i]};
		definition->pairing.open.pool = s->options->pool;
		definition->pairing.halves = s->options->halves;
		definition->pairing.emit = write_span;
		definition->pairing.arg = &s->kinds[i];
		s->context.needs |= pk_pairing_needs(&definition->pairing);
		s->output.joins |= definition->pairing.both;
	}
	PK_TRY(pk_context_init(&s->context));
	for (size_t i = 0; i < s->options->count; i++)
		PK_TRY(pk_pairing_init(s->kinds[i].pairing, &s->context));
	return PK_OK;
}

int span_filter(struct pk_run *run, const struct span_options *options)
{
	const struct pk_stage_options stage = {
		.program = pk_cli_program(),
		.argc = options->argc,
		.argv = options->argv,
		.order = PK_ORDER_PROCESSING,
	};
	struct spanner s = {.run = run, .options = options, .output.run = run};
	int result = PK_EXIT_FAILED;

	pk_run_connect(run, &s.context);
	run->ordered = true;
	run->record = span_record;
	run->session_end = end_session;
	run->arg = &s;
	if (init(&s) == PK_OK) {
		result = pk_run_stage(run, &stage, options->output, "pk-report");
		if (result != PK_EXIT_USAGE && !report(&s))
			result = PK_EXIT_FAILED;
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	free(s.formats);
	free(s.kinds);
	pk_ended_tasks_free(&s.ended);
	pk_switch_samples_free(&s.switches);
	span_output_free(&s.output);
	pk_context_free(&s.context);
	return result;
}
