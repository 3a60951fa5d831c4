// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "presets.h"
#include "span_options.h"
#include "span_summary.h"
#include "tail_spans.h"
#include "tracing_payload.h"

#define LEVELS_MAX 4 /* limit for presets that make spans from spans of other presets */

/* One preset of pk-span. */
struct level {
	struct pk_tail_spans *spans;
	struct pk_span_options options;
	/* The definitions whose spans are made. They belong to `options`. */
	struct pk_span_definition *made[PK_SPAN_DEFINITIONS_MAX];
	size_t made_count;
	struct pk_span_maker maker;
	bool active; /* in this session, the preset makes spans */
	const struct pk_event *events[PK_SPAN_DEFINITIONS_MAX]; /* the events of its spans */
	struct buffer record;					/* the sample of a span */
};

struct pk_tail_spans {
	struct pk_run *run;
	struct pk_tail_spans_output output;
	struct pk_presets presets; /* owns the words of the options */
	struct level levels[LEVELS_MAX];
	size_t count;
	/* Members about the current session: */
	bool prepared;
	struct pk_session_info info;
};

/* ---- Samples of spans ---- */

/* Passes a record to a level, or to the tail after the last level. */
static enum pk_status pass(struct pk_tail_spans *spans, size_t index,
			   const struct pk_record *record)
{
	struct level *level = &spans->levels[index];
	bool any = false;

	if (index == spans->count)
		return spans->output.next(spans->output.arg, record);
	if (!level->active || (record->type == PERF_RECORD_SAMPLE && !record->event))
		return pass(spans, index + 1, record);
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		PK_TRY(pk_span_maker_sample(&level->maker, record, &any));
	else
		PK_TRY(pk_span_maker_record(&level->maker, record));
	return any && !level->options.pass ? PK_OK : pass(spans, index + 1, record);
}

static enum pk_status emit(void *arg, struct pk_span_kind *kind, const struct pk_span *span)
{
	struct level *level = arg;
	struct pk_tail_spans *spans = level->spans;
	const struct pk_derived_sample sample =
		pk_span_kind_sample(kind, span, spans->info.trailers);
	struct pk_record record;
	bool cut;
	uint8_t *raw = pk_derived_sample_make(kind->derived, &sample, &level->record, &cut);

	if (!raw)
		return PK_NOMEM;
	pk_span_format_put(&kind->format, span->tid, span->values, raw, sample.raw_size);
	kind->cut += cut;
	record = pk_record_at((const uint8_t *)level->record.data);
	record.event = level->events[kind - level->maker.kinds];
	record.time = span->end;
	return pass(spans, (size_t)(level - spans->levels) + 1, &record);
}

/* ---- Options ---- */

static const struct pk_option rows[] = {
	{.kind = PK_ROWS, .rows = pk_span_definition_rows, .at = 0},
	{.kind = PK_ROWS, .rows = pk_span_rows, .at = 0},
	PK_OPTIONS_END,
};

static const struct pk_command command = {.options = rows};

static void complain(void *arg, const char *text)
{
	struct level *level = arg;

	pk_run_complain(level->spans->run, &(struct pk_record){0}, text);
}

/* The part of a name that pk_field_name_make() never cuts. */
#define NAME_KEPT (PK_FIELD_NAME_SIZE - 9)

/* The callback pk_span_fields.uses. pk_field_name_make() can replace characters of a name, cut it,
 * or append a number. So a field is used if its name starts with the characters that do not change.
 */
static bool uses(void *arg, const char *name)
{
	const struct pk_tail_spans *spans = arg;
	size_t size = 0;

	while (size < NAME_KEPT && pk_is_of_name(name[size]) && !pk_is_digit(name[0]))
		size++;
	return spans->output.uses(spans->output.arg, name, size);
}

/* Parses the options of a level. Sets *good if the tail can make its spans. */
static enum pk_status parse(struct level *level, int argc, char **argv, bool *good)
{
	struct pk_span_options *options = &level->options;
	unsigned int needs = 0;
	int result;

	pk_span_options_init(options);
	result = pk_parse_options(&command, options, &argc, &argv);
	if (result == PK_CONTINUE)
		result = pk_span_options_check(options);
	for (size_t i = 0; i < options->count; i++)
		needs |= pk_pairing_needs(&options->definitions[i]->pairing);
	*good = result == PK_CONTINUE &&
		!(needs & (PK_NEED_STACKS | PK_NEED_ANY_STACKS | PK_NEED_CODE));
	return result == PK_EXIT_FAILED ? PK_FAILED : PK_OK;
}

/* Reads the options of all levels. */
static enum pk_status parse_all(struct pk_tail_spans *spans, bool *good)
{
	char **argv;
	int argc;

	do {
		struct level *level = &spans->levels[spans->count];

		PK_TRY(pk_preset_needs(&spans->presets, "pk-span", spans->count, &argc, &argv));
		if (!argv)
			break;
		spans->count++;
		level->spans = spans;
		PK_TRY(parse(level, argc, argv, good));
	} while (*good && spans->count < LEVELS_MAX);
	return PK_OK;
}

/* Returns whether the tail counts the spans of the definition. */
static bool is_counted(const struct pk_tail_spans_output *output, const char *definition)
{
	char name[PK_SPAN_NAME_SIZE];
	const struct pk_event event = {.name = name, .attr.type = PERF_TYPE_TRACEPOINT};

	pk_span_name(definition, name);
	for (int i = 0; i < output->events_count; i++)
		if (pk_event_is_called(&event, output->events[i]))
			return true;
	return !output->events_count;
}

/* Chooses the definitions whose spans are made. Spans of the last level are made only if the tail
 * counts them. */
static void choose(struct pk_tail_spans *spans, struct level *level)
{
	const bool last = level == &spans->levels[spans->count - 1];

	for (size_t i = 0; i < level->options.count; i++) {
		struct pk_span_definition *definition = level->options.definitions[i];

		if (!last || is_counted(&spans->output, definition->name))
			level->made[level->made_count++] = definition;
	}
}

static enum pk_status connect(struct pk_tail_spans *spans, struct level *level)
{
	struct pk_span_options *options = &level->options;

	choose(spans, level);
	level->maker = (struct pk_span_maker){.context = spans->output.context,
					      .definitions = level->made,
					      .count = level->made_count,
					      .pool = &options->pool,
					      .halves = &options->halves,
					      .optional = options->optional,
					      .emit = emit,
					      .complain = complain,
					      .arg = level};
	return pk_span_maker_connect(&level->maker);
}

enum pk_status pk_tail_spans_new(struct pk_tail_spans **made, struct pk_run *run,
				 const struct pk_tail_spans_output *output)
{
	struct pk_tail_spans *spans = calloc(1, sizeof(*spans));
	bool good = false;

	*made = spans;
	if (!spans)
		return PK_NOMEM;
	spans->run = run;
	spans->output = *output;
	PK_TRY(parse_all(spans, &good));
	if (!good) {
		pk_tail_spans_free(spans);
		*made = NULL;
		return PK_OK;
	}
	for (size_t i = 0; i < spans->count; i++)
		PK_TRY(connect(spans, &spans->levels[i]));
	return PK_OK;
}

/* Spans need no callchain if nothing reads stacks. Spans of the last level need no texts that are
 * not used. */
static void leave_out(struct pk_tail_spans *spans)
{
	const unsigned int needs = spans->output.context->needs;
	const bool chainless =
		!(needs & (PK_NEED_STACKS | PK_NEED_ANY_STACKS | PK_NEED_ADDRESSES | PK_NEED_CODE));

	for (size_t i = 0; i < spans->count; i++) {
		struct level *level = &spans->levels[i];

		for (size_t j = 0; j < level->made_count; j++) {
			struct pk_pairing *pairing = &level->made[j]->pairing;

			pairing->chainless = chainless;
			if (i == spans->count - 1) {
				pairing->fields.uses = uses;
				pairing->fields.uses_arg = spans;
			}
		}
	}
}

enum pk_status pk_tail_spans_init(struct pk_tail_spans *spans)
{
	if (spans->output.uses)
		leave_out(spans);
	for (size_t i = 0; i < spans->count; i++)
		PK_TRY(pk_span_maker_init(&spans->levels[i].maker));
	return PK_OK;
}

void pk_tail_spans_free(struct pk_tail_spans *spans)
{
	if (!spans)
		return;
	for (size_t i = 0; i < spans->count; i++) {
		pk_span_maker_free(&spans->levels[i].maker);
		pk_span_options_free(&spans->levels[i].options);
		free(spans->levels[i].record.data);
	}
	pk_presets_free(&spans->presets);
	free(spans);
}

/* ---- Sessions ---- */

/* Returns whether the session has spans of the level. */
static bool has_spans(const struct level *level, const struct pk_events *events)
{
	char name[PK_SPAN_NAME_SIZE];

	for (size_t i = 0; i < level->maker.count; i++) {
		pk_span_name(level->made[i]->name, name);
		for (size_t j = 0; j < pk_events_count(events); j++)
			if (!strcmp(pk_events_at(events, j)->name, name))
				return true;
	}
	return false;
}

/* Adds the events of the level to those of the session. */
static enum pk_status add_events(struct level *level)
{
	struct pk_reader *reader = level->spans->run->reader;
	char name[PK_SPAN_NAME_SIZE];

	for (size_t i = 0; i < level->maker.count; i++) {
		const struct pk_derived_event *derived = &level->maker.derived[i];

		pk_span_name(level->made[i]->name, name);
		PK_TRY(pk_reader_derive_event(reader, &derived->attr, derived->id, name));
		level->events[i] = pk_events_at(pk_reader_events(reader),
						pk_events_count(pk_reader_events(reader)) - 1);
	}
	return PK_OK;
}

static enum pk_status add_formats(struct level *level, struct buffer *payload)
{
	const struct pk_bytes formats =
		pk_tracepoints_payload(pk_context_tracepoints(level->maker.context));
	bool big_endian;

	buffer_add(payload, formats.data, formats.size);
	if (payload->failed)
		return PK_NOMEM;
	if (!pk_tracing_data_order(&formats, &big_endian))
		big_endian = level->spans->run->input.swapped != PK_HOST_IS_BIG;
	return pk_span_maker_prepare(&level->maker, payload, big_endian);
}

static enum pk_status prepare(struct level *level, const struct pk_record *record)
{
	struct pk_tail_spans *spans = level->spans;
	struct pk_context *context = spans->output.context;
	struct pk_reader *reader = spans->run->reader;
	struct buffer payload = {0};
	enum pk_status status;

	if (!pk_events_count(pk_reader_events(reader)) ||
	    has_spans(level, pk_reader_events(reader)) || !pk_span_maker_has_starts(&level->maker))
		return context->failed ? PK_NOMEM : PK_OK;
	pk_span_maker_choose(&level->maker, pk_reader_events(reader));
	status = add_formats(level, &payload);
	if (!status)
		status = add_events(level);
	if (!status)
		status = pk_context_read_formats(context, reader, record,
						 (const uint8_t *)payload.data, payload.size);
	free(payload.data);
	/* The deferred user callchain of a span can be lost. So samples have the trailer
	 * PK_TRAILER_CHAIN, which tells this. */
	if (level->maker.derived[0].attr.flags & PERF_ATTR_DEFER_CALLCHAIN) {
		spans->info.trailers |= PK_TRAILER_CHAIN;
		pk_context_describe(context, &spans->info);
	}
	level->active = true;
	return status == PK_CORRUPT ? PK_OK : status;
}

/* This function is not inlined, so that pk_tail_spans_prepare() saves no registers for the usual
 * case. */
static __attribute__((noinline)) enum pk_status prepare_all(struct pk_tail_spans *spans,
							    const struct pk_record *record)
{
	spans->prepared = true;
	for (size_t i = 0; i < spans->count; i++)
		PK_TRY(prepare(&spans->levels[i], record));
	return PK_OK;
}

enum pk_status pk_tail_spans_prepare(struct pk_tail_spans *spans, const struct pk_record *record)
{
	return pk_likely(spans->prepared) || !pk_span_maker_is_due(record)
		       ? PK_OK
		       : prepare_all(spans, record);
}

bool pk_tail_spans_prepared(const struct pk_tail_spans *spans)
{
	return spans->prepared;
}

static void start_session(struct pk_tail_spans *spans)
{
	spans->prepared = false;
	spans->info = (struct pk_session_info){0};
	for (size_t i = 0; i < spans->count; i++) {
		spans->levels[i].active = false;
		pk_span_maker_start_session(&spans->levels[i].maker);
	}
}

static void note(struct pk_tail_spans *spans, const struct pk_record *record)
{
	struct pk_session_info info;

	if (record->type == PK_RECORD_BEGIN)
		start_session(spans);
	else if (pk_definition_of(record) == PK_SESSION &&
		 pk_session_info_decode(record, &info) == PK_OK)
		spans->info = info;
}

enum pk_status pk_tail_spans_record(struct pk_tail_spans *spans, const struct pk_record *record)
{
	if (pk_unlikely(record->type != PERF_RECORD_SAMPLE))
		note(spans, record);
	return pass(spans, 0, record);
}

enum pk_status pk_tail_spans_end(struct pk_tail_spans *spans)
{
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < spans->count; i++) {
		struct level *level = &spans->levels[i];
		enum pk_status ended;

		if (!level->active)
			continue;
		ended = pk_span_maker_end(&level->maker);
		status = status ?: ended;
		pk_span_summary(spans->run, &level->maker);
		level->active = false;
	}
	return status;
}
