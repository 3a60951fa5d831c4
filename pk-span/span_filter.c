// SPDX-License-Identifier: BSD-2-Clause
/* Records are written in the order in which they are read. The derived events are announced after
 * the events of the input. Their formats are written before the first record that has a time. At
 * that point, the names and formats of all events are known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "input_records.h"
#include "pkutil.h"
#include "presets.h"
#include "span_filter.h"
#include "span_stacks.h"
#include "span_summary.h"
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
	struct pk_record copy = *record;
	enum pk_status status = PK_OK;

	if (record->type == PERF_RECORD_SAMPLE && copies(output))
		status = with_copied_stack(output, &copy);
	return status ?: input_record_copy(output->run, &copy);
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
	if (!is_dictionary(record) || !copies(output))
		return input_record_copy(output->run, record);
	if (pk_definition_of(record) == PK_RESET)
		pk_span_stacks_forget(&output->stacks);
	return pk_writer_status(output->run->writer);
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

/* Writes the sample of a span. */
static enum pk_status span_output_span(struct span_output *output, struct pk_span_kind *kind,
				       const struct pk_span *span)
{
	struct pk_derived_sample sample = pk_span_kind_sample(kind, span, output->trailers);
	bool failed = false, cut;
	uint8_t *raw;

	if (copies(output) && span->inner)
		join_end(output, span, &sample, &failed);
	else if (copies(output))
		sample.stack = pk_span_stacks_copy(&output->stacks, span->place->stack, &failed);
	if (failed)
		return PK_NOMEM;
	raw = pk_derived_sample_write(kind->derived, &sample, output->run->writer, &cut);
	if (raw)
		pk_span_format_put(&kind->format, span->tid, span->values, raw, sample.raw_size);
	kind->cut += cut;
	return pk_writer_status(output->run->writer);
}

/* ---- The stage ---- */

struct spanner {
	struct pk_run *run;
	const struct pk_span_options *options;
	struct pk_context context;
	struct pk_span_maker maker;
	/* Members about the current session: */
	bool started;	       /* `context` was prepared for the session */
	bool has_events;       /* the derived events were announced */
	bool prepared;	       /* the formats of the derived events were written */
	struct buffer formats; /* the payload of TRACING_DATA */
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
	pk_span_maker_choose(&s->maker, events);
	for (size_t i = 0; i < s->maker.count; i++)
		pk_derived_event_write(&s->maker.derived[i], s->run->writer);
	/* The deferred user callchain of a span can be lost. So samples have the trailer
	 * PK_TRAILER_CHAIN, which tells this. */
	if (s->maker.derived[0].attr.flags & PERF_ATTR_DEFER_CALLCHAIN)
		pk_stage_change(s->run->stage, PK_ORDER_PROCESSING, PK_TRAILER_CHAIN);
	s->has_events = s->any_events = true;
}

static void write_name(struct spanner *s, const struct pk_span_kind *kind)
{
	char name[PK_SPAN_NAME_SIZE + sizeof(PK_OPEN_SYSTEM)] = {0};

	snprintf(name, sizeof(name), "%s:%s", pk_span_system(kind->pairing),
		 kind->definition->name);
	pk_writer_update(s->run->writer, PERF_EVENT_UPDATE_NAME, kind->derived->id, name,
			 PK_ALIGN8(strlen(name) + 1));
}

static void complain(void *arg, const char *text)
{
	struct spanner *s = arg;

	pk_error("%s: %s", s->run->input.name, text);
	s->failed = true;
}

/* Writes the names and the formats of the derived events. */
static enum pk_status prepare(struct spanner *s)
{
	const struct pk_bytes input = {(const uint8_t *)s->formats.data, s->formats.size};
	enum pk_status status;
	bool big_endian;

	s->prepared = true;
	s->output.trailers = pk_stage_input(s->run->stage)->trailers;
	pk_context_describe(&s->context, pk_stage_input(s->run->stage));
	if (!s->has_events)
		return PK_OK;
	if (s->context.needs & PK_NEED_STACKS && !pk_source_symbolized(&s->context.stacks))
		complain(s, "symbols and stacks need names: run pk-symbolize before pk-span");
	if (!pk_tracing_data_order(&input, &big_endian))
		big_endian = s->run->input.swapped != PK_HOST_IS_BIG;
	status = pk_span_maker_prepare(&s->maker, &s->formats, big_endian);
	s->any_starts |= pk_span_maker_has_starts(&s->maker);
	for (size_t i = 0; i < s->maker.count && !status; i++)
		write_name(s, &s->maker.kinds[i]);
	return status ?: input_formats_write(s->run, &s->formats);
}

/* ---- Records ---- */

static enum pk_status start_session(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status;

	free(s->formats.data);
	s->formats = (struct buffer){0};
	s->has_events = s->prepared = false;
	pk_stage_change(s->run->stage, PK_ORDER_PROCESSING, 0);
	pk_stage_on_open(s->run->stage, announce, s);
	pk_span_maker_start_session(&s->maker);
	status = pk_context_record(&s->context, s->run->reader, record);
	if (!status)
		status = span_output_start_session(&s->output,
						   pk_source_dictionary(&s->context.stacks));
	s->started = status == PK_OK;
	return status;
}

/* ---- All records ---- */

static enum pk_status span_sample(struct spanner *s, const struct pk_record *record)
{
	enum pk_status status;
	bool any;

	if (pk_unlikely(pk_context_sample(&s->context, record) != PK_OK))
		return PK_NOMEM;
	status = pk_span_maker_sample(&s->maker, record, &any);
	if (status || (any && !s->options->pass) || !pk_run_good_sample(s->run, record))
		return status;
	return span_output_kernel(&s->output, record);
}

/* Handles a record that is not PK_RECORD_BEGIN. */
static enum pk_status span_one(struct spanner *s, const struct pk_record *record)
{
	if (pk_unlikely(!s->prepared) && pk_span_maker_is_due(record))
		PK_TRY(prepare(s));
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return span_sample(s, record);
	PK_TRY(pk_span_maker_record(&s->maker, record));
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return input_formats_keep(s->run, &s->context, s->prepared, record, &s->formats);
	PK_TRY(pk_context_record(&s->context, s->run->reader, record));
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

static enum pk_status write_span(void *arg, struct pk_span_kind *kind, const struct pk_span *span)
{
	struct spanner *s = arg;

	return span_output_span(&s->output, kind, span);
}

/* ---- The end ---- */

static void fail(struct spanner *s)
{
	pk_error("%s", pk_status_text(PK_NOMEM));
	s->failed = true;
}

static void end_session(struct pk_run *run)
{
	struct spanner *s = run->arg;

	if (!s->started)
		return;
	s->started = false;
	if (!s->prepared && prepare(s) == PK_NOMEM)
		fail(s);
	if (pk_span_maker_end(&s->maker) == PK_NOMEM)
		fail(s);
	pk_span_summary(run, &s->maker);
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
			const struct pk_span_rules *rules =
				&s->maker.kinds[i].pairing->plans.rules[role];

			for (size_t j = 0; j < rules->count; j++)
				good &= report_rule(s, &rules->items[j], (enum pk_span_role)role);
		}
	}
	return good;
}

static enum pk_status init(struct spanner *s, struct pk_span_options *options)
{
	s->maker = (struct pk_span_maker){.context = &s->context,
					  .definitions = options->definitions,
					  .count = options->count,
					  .pool = &options->pool,
					  .halves = &options->halves,
					  .optional = options->optional,
					  .emit = write_span,
					  .complain = complain,
					  .arg = s};
	for (size_t i = 0; i < options->count; i++)
		s->output.joins |= options->definitions[i]->pairing.both;
	PK_TRY(pk_span_maker_connect(&s->maker));
	PK_TRY(pk_context_init(&s->context));
	return pk_span_maker_init(&s->maker);
}

int span_filter(struct pk_run *run, struct pk_span_options *options,
		const struct pk_stage_options *stage, const char *output)
{
	struct spanner s = {.run = run, .options = options, .output.run = run};
	int result = PK_EXIT_FAILED;

	pk_run_connect(run, &s.context);
	run->ordered = true;
	run->record = span_record;
	run->session_end = end_session;
	run->arg = &s;
	if (init(&s, options) == PK_OK) {
		result = pk_run_stage(run, stage, output, "pk-report");
		if (result != PK_EXIT_USAGE && !report(&s))
			result = PK_EXIT_FAILED;
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	free(s.formats.data);
	pk_span_maker_free(&s.maker);
	span_output_free(&s.output);
	pk_context_free(&s.context);
	return result;
}
