// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "condition.h"
#include "emit.h"
#include "filter.h"
#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"
#include "symbol_options.h"
#include "tracepoint.h"
#include "unknown_field.h"
#include "vector.h"
#include "where.h"

/* ---- Spans of recordings ---- */

/* The time spans of recordings, from the first sample to the last. To find them, the inputs are
 * read once before they are filtered. */

/* The time spans of all sessions of all inputs. */
struct recording_spans {
	struct recording_span {
		uint64_t first, last; /* earliest and latest time of samples, in ns; `last` is 0 if
				       * no sample has a time */
	} * items; /* the time spans of the sessions, in the order of the inputs */
	size_t count, capacity;
	size_t *starts; /* For each operand, the index of its first item. starts[number of operands]
			 * is the number of all items. */
	int operands;
};

static enum pk_status add_session(struct recording_spans *spans)
{
	PK_TRY(pk_vector_reserve(spans, 1));
	spans->items[spans->count++] = (struct recording_span){UINT64_MAX, 0};
	return PK_OK;
}

static void span_add(struct recording_span *span, const struct pk_event *event, const uint8_t *data,
		     uint16_t size)
{
	const uint16_t at = event ? event->layout.time : 0;
	uint64_t time;

	if (!at || size < at + 8u)
		return;
	time = pk_load_u64(data + at);
	span->first = time < span->first ? time : span->first;
	span->last = time > span->last ? time : span->last;
}

static void span_add_bunch(struct recording_span *span, struct pk_reader *reader)
{
	const uint8_t *at;
	struct pk_record record;
	struct pk_bunch bunch;

	pk_reader_next_bunch(reader, &bunch);
	for (at = bunch.data; at < bunch.data + bunch.size; at += record.size) {
		record = pk_record_at(at);
		if (record.type == PERF_RECORD_SAMPLE)
			span_add(span, pk_reader_event_of(reader, &record), record.data,
				 record.size);
	}
}

/* Reads a whole input. Errors of the input are not reported here: they are reported when the input
 * is read again. */
static enum pk_status read_all(struct recording_spans *spans, int fd)
{
	const struct pk_reader_options options = {.fd = fd};
	struct pk_reader *reader = NULL;
	struct pk_record record;
	enum pk_status status = pk_reader_new(&options, &reader) == PK_OK ? PK_OK : PK_NOMEM;

	while (status == PK_OK && pk_reader_next(reader, &record) == PK_OK) {
		if (record.type == PK_RECORD_BEGIN) {
			status = add_session(spans);
		} else if (record.type == PERF_RECORD_SAMPLE) {
			struct recording_span *span = &spans->items[spans->count - 1];

			span_add(span, pk_reader_event_of(reader, &record), record.data,
				 record.size);
			span_add_bunch(span, reader);
		}
	}
	pk_reader_free(reader);
	return status;
}

/* Returns true for a file or directory. A named pipe is not even opened here, because its writer
 * would fail when the pipe is closed. */
static bool can_be_read_twice(const char *name)
{
	struct stat st;

	if (!strcmp(name, "-") ? fstat(STDIN_FILENO, &st) : stat(name, &st))
		return false;
	return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

static enum pk_status read_operand(struct recording_spans *spans, const char *name)
{
	const bool standard = !strcmp(name, "-");
	const int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	const off_t start = standard ? lseek(fd, 0, SEEK_CUR) : 0;
	const bool good = fd < 0 || start < 0 || read_all(spans, fd) == PK_OK;

	if (standard && start >= 0)
		lseek(fd, start, SEEK_SET);
	if (!standard && fd >= 0)
		close(fd);
	return good ? PK_OK : PK_NOMEM;
}

/* Finds the spans of all operands that can be read twice. */
static enum pk_status recording_spans_find(struct recording_spans *spans, char *const *files,
					   int count)
{
	enum pk_status status;

	spans->operands = count ? count : 1;
	spans->starts = calloc((size_t)spans->operands + 1, sizeof(*spans->starts));
	status = spans->starts ? PK_OK : PK_NOMEM;
	for (int i = 0; i < spans->operands && status == PK_OK; i++) {
		const char *name = count ? files[i] : "-";

		status = can_be_read_twice(name) ? read_operand(spans, name) : PK_OK;
		spans->starts[i + 1] = spans->count;
	}
	return status;
}

/* Returns the span of a session, or NULL if it is unknown. operand is the index of the operand, and
 * session is the index of the session in this operand. */
static const struct recording_span *recording_spans_of(const struct recording_spans *spans,
						       int operand, size_t session)
{
	const size_t *start = spans->starts ? &spans->starts[operand] : NULL;

	return start && session < start[1] - start[0] ? &spans->items[start[0] + session] : NULL;
}

static void recording_spans_free(struct recording_spans *spans)
{
	free(spans->items);
	free(spans->starts);
	*spans = (struct recording_spans){0};
}

/* ---- The stage ---- */

struct filterer {
	struct pk_run *run;
	struct filter_options *options;
	struct pk_context context;
	struct pk_expression *where;
	struct pk_condition *condition; /* NULL if there are no conditions on fields */
	struct pk_column by;		/* the field of --split-by */
	struct pk_symbols *symbols;	/* NULL if no field needs files */
	struct emitter emitter;
	bool looks; /* true if samples are selected or changed; if it is false, all records are
		     * written unchanged */
	uint64_t matching, kept;
	bool failed;		      /* the time span of a session is unknown */
	bool percent;		      /* --time has ranges in percent */
	struct recording_spans spans; /* the spans of all sessions, if percent is true */
	int file;		      /* number of the current input */
	size_t sessions;	      /* number of sessions of the current input so far */
	/* These members are valid for one session: */
	struct time_span times; /* start is PK_NO_TIME before the first sample */
	bool timeless;	/* time ranges in percent need the time span, but it is unknown so far */
	bool started;	/* true if the first record after the header was read; definitions of pk
			 * belong to the header */
	bool checked;	/* the names of fields were checked; this is done only once for all sessions
			 */
	bool in_order;	/* this program sorts the records */
	bool counters;	/* samples of at least one event have values of counters, see
			 * emitter.counters */
	bool stackless; /* a condition needs stacks, but the stream is not symbolized */
};

/* ---- Selecting samples ---- */

static bool is_in_time(struct filterer *f, const struct pk_record *record)
{
	const struct conditions *conditions = &f->options->conditions;
	uint64_t time;

	if (!record->event->layout.time)
		return false;
	time = pk_load_u64(record->data + record->event->layout.time);
	if (f->times.start == PK_NO_TIME)
		f->times.start = time;
	return pk_conditions_in_time(conditions, &f->times, time);
}

static bool is_kept(struct filterer *f, const struct pk_record *record)
{
	const struct conditions *conditions = &f->options->conditions;

	if (conditions->ranges_count && !is_in_time(f, record))
		return false;
	if (f->condition && !pk_condition_holds(f->condition, record))
		return false;
	return !conditions->every || f->matching++ % conditions->every == 0;
}

/* ---- Writing ---- */

/* Returns true if --head samples were kept. */
static bool has_enough(struct filterer *f)
{
	uint64_t head = f->options->conditions.head;

	f->run->enough |= head && f->kept == head;
	return f->run->enough;
}

/* A sequence of adjacent records that are kept. They are written together. */
struct kept_run {
	const uint8_t *data;
	uint64_t records, samples;
};

static void end_run(struct filterer *f, struct kept_run *kept, const uint8_t *end)
{
	if (kept->records)
		pk_writer_lend(f->run->writer, kept->data, (size_t)(end - kept->data),
			       kept->records, kept->samples);
	*kept = (struct kept_run){.data = end};
}

/* Filters one record of a bunch. Returns PK_END if --head samples were kept. */
static inline enum pk_status filter_one(struct filterer *f, const struct pk_record *record,
					const struct pk_program *program, struct kept_run *kept)
{
	const uint8_t *end = record->data + record->size;

	if (record->type != PERF_RECORD_SAMPLE) {
		kept->records++; /* a definition of the dictionary is always kept */
		return pk_source_dictionary(&f->context.stacks)
			       ? pk_context_record(&f->context, f->run->reader, record)
			       : PK_OK;
	}
	f->run->losses.samples++;
	if (pk_unlikely(pk_context_sample(&f->context, record) != PK_OK))
		return PK_NOMEM;
	if (!(program ? pk_program_holds(program, record) : is_kept(f, record))) {
		end_run(f, kept, record->data);
		kept->data = end;
		return PK_OK;
	}
	f->kept++;
	kept->records++;
	kept->samples++;
	return has_enough(f) ? PK_END : PK_OK;
}

/* Returns the program that evaluates the expression for an event. Returns NULL if there are other
 * conditions, too. */
static const struct pk_program *program_for(struct filterer *f, const struct pk_event *event)
{
	const struct conditions *conditions = &f->options->conditions;

	if (!f->condition || !event || conditions->ranges_count || conditions->every)
		return NULL;
	return pk_condition_program(f->condition, event);
}

/* The fast path. It filters records that are adjacent in the reader's buffer and that need no other
 * treatment. */
static enum pk_status filter_bunch(struct filterer *f, uint64_t offset)
{
	struct pk_run *run = f->run;
	const struct pk_events *events = pk_reader_events(run->reader);
	const struct pk_event *only = pk_events_count(events) == 1 ? pk_events_at(events, 0) : NULL;
	const struct pk_event *last = only;
	const struct pk_program *program;
	enum pk_status status = PK_OK;
	struct pk_record record;
	const uint8_t *at;
	struct kept_run kept = {0};
	struct pk_bunch bunch;

	pk_reader_next_bunch(run->reader, &bunch);
	program = program_for(f, only);
	at = kept.data = bunch.data;
	for (; !status && at < bunch.data + bunch.size; at += record.size) {
		record = pk_record_at(at);
		record.offset = offset + (uint64_t)(at - bunch.data);
		record.event = only ? only : pk_reader_event_of(run->reader, &record);
		if (pk_unlikely(record.event != last) && record.event) {
			last = record.event;
			program = program_for(f, last);
		}
		status = filter_one(f, &record, program, &kept);
	}
	end_run(f, &kept, at);
	return status ?: pk_writer_status(run->writer);
}

static enum pk_status keep_sample(struct filterer *f, const struct pk_record *sample)
{
	struct pk_view view;

	pk_view_begin(&view, &f->context, sample);
	view.again = f->condition;
	f->kept++;
	return emit_sample(&f->emitter, &view);
}

static enum pk_status filter_sample(struct filterer *f, const struct pk_record *record)
{
	struct pk_record sample = *record;
	enum pk_status status = PK_OK;

	if (!sample.event)
		sample.event = pk_reader_event_of(f->run->reader, record);
	PK_TRY(pk_context_sample(&f->context, &sample));
	if (pk_run_good_sample(f->run, &sample))
		status = is_kept(f, &sample) ? keep_sample(f, &sample)
					     : emit_drop(&f->emitter, &sample);
	if (!status && has_enough(f))
		return PK_END;
	if (status || f->in_order || f->counters || !emit_is_plain(&f->emitter))
		return status;
	return filter_bunch(f, record->offset + record->size);
}

/* Reads the formats of tracepoints and writes them. This program needs them, and later programs of
 * the pipeline do, too. If the formats are incomplete, they are not written, because a reader could
 * not find the records after them. */
static enum pk_status filter_tracing_data(struct filterer *f, const struct pk_record *record)
{
	struct pk_run *run = f->run;
	struct pk_bytes payload;
	uint8_t *data;
	size_t size;
	enum pk_status status;

	if (record->payload_size > PK_PAYLOAD_MAX) {
		pk_warn("%s: the formats of tracepoints are more than 64 MiB: not used",
			run->input.name);
		return emit_record(&f->emitter, record);
	}
	status = pk_read_payload(run->reader, &data, &size);
	payload = (struct pk_bytes){data, size};
	if (!status && size == record->payload_size)
		status = emit_payload(&f->emitter, record, &payload);
	if (!status)
		status = pk_context_read_formats(&f->context, run->reader, record, data, size);
	free(data);
	return status;
}

/* Stores the times of the first and the last sample, which the feature SAMPLE_TIME has (SPEC 6.2).
 */
static void note_times(struct filterer *f, const struct pk_record *record)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;
	const struct perf_feature_sample_time *times = (const void *)feature->data;

	if (pk_feature_id(record) != PERF_FEATURE_SAMPLE_TIME ||
	    record->size < sizeof(*feature) + sizeof(*times) || !times->last)
		return;
	f->times.first = times->first;
	f->times.last = times->last;
}

static void start_times(struct filterer *f)
{
	const struct recording_span *span;

	if (f->file != f->run->input.number)
		f->sessions = 0;
	f->file = f->run->input.number;
	span = recording_spans_of(&f->spans, f->file, f->sessions++);
	f->times.start = PK_NO_TIME;
	f->times.first = span ? span->first : 0;
	f->times.last = span ? span->last : 0;
	f->timeless = f->percent && !span;
}

/* Checks that the time span is known. Called before the first kernel record, when all records of
 * the header have been read. */
static enum pk_status check_times(struct filterer *f)
{
	f->timeless = false;
	if (f->times.last)
		return PK_OK;
	pk_error("--time in percent: %s is not a file, and its header lacks the times of the first "
		 "and last sample; write it to a file first, or use --time +FROM,+TO",
		 f->run->input.name);
	if (!f->file && f->sessions == 1)
		return PK_FAILED;
	f->failed = true;
	return PK_OK;
}

static enum pk_status start_session(struct filterer *f, const struct pk_record *record)
{
	PK_TRY(pk_context_record(&f->context, f->run->reader, record));
	start_times(f);
	f->started = f->in_order = false;
	emit_start_session(&f->emitter);
	if (f->run->ordered)
		pk_order_through(f->run->order, false);
	if (f->run->stage)
		pk_stage_change(f->run->stage, PK_ORDER_NONE, 0);
	if (f->run->writer && f->options->strip)
		pk_writer_header(f->run->writer);
	if (f->emitter.anonymizer)
		PK_TRY(anonymizer_start_session(f->emitter.anonymizer));
	return f->emitter.split ? split_start_session(f->emitter.split) : PK_OK;
}

static enum pk_status filter_other(struct filterer *f, const struct pk_record *record)
{
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA && f->context.needs & PK_NEED_FORMATS)
		return filter_tracing_data(f, record);
	PK_TRY(pk_context_record(&f->context, f->run->reader, record));
	note_times(f, record);
	return emit_record(&f->emitter, record);
}

static bool have_counters(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++)
		if (pk_periods_has_values(pk_events_at(events, i)))
			return true;
	return false;
}

/* Called for each record until the first record after the header. At this record, decides whether
 * the records must be sorted. If the input is sorted already, its records are written at once. */
static void start(struct filterer *f, const struct pk_record *record)
{
	struct pk_session_info info;

	if (f->run->stage)
		info = *pk_stage_input(f->run->stage);
	else if (pk_definition_of(record) != PK_SESSION ||
		 pk_session_info_decode(record, &info) != PK_OK)
		info = (struct pk_session_info){.trailers = f->emitter.slim.trailers};
	f->emitter.slim.trailers = info.trailers;
	pk_context_describe(&f->context, &info);
	if (record->type == PERF_RECORD_HEADER_ATTR || pk_definition_of(record) ||
	    !pk_events_count(pk_reader_events(f->run->reader)))
		return;
	f->started = true;
	f->counters = have_counters(pk_reader_events(f->run->reader));
	f->emitter.lends = !f->run->ordered || pk_order_sorted(f->run->order);
	f->in_order = f->run->ordered && !pk_order_sorted(f->run->order);
	f->stackless |=
		f->context.needs & PK_NEED_STACKS && !pk_source_symbolized(&f->context.stacks);
	if (f->in_order && f->run->stage)
		pk_stage_change(f->run->stage, PK_ORDER_PROCESSING, 0);
	else if (f->run->ordered && !f->in_order)
		pk_order_through(f->run->order, true);
}

/* Checks the names of fields. Called before any output that depends on these names. */
static enum pk_status check_fields(struct filterer *f)
{
	f->checked = true;
	if (f->where)
		PK_TRY(pk_check_where(&f->context, f->where, f->options->conditions.where));
	return f->emitter.by ? pk_check_field(&f->context, &f->by.reference, NULL, "--split-by")
			     : PK_OK;
}

static enum pk_status filter_record(struct pk_run *run, const struct pk_record *record)
{
	struct filterer *f = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(f, record);
	if (pk_unlikely(!f->started))
		start(f, record);
	if (pk_unlikely(f->timeless) && record->type < PERF_RECORD_HEADER_ATTR &&
	    check_times(f) != PK_OK)
		return pk_run_refuse(run);
	if (pk_unlikely(!f->checked) && pk_fields_are_due(run, record) && check_fields(f) != PK_OK)
		return pk_run_refuse(run);
	if (!f->looks)
		return pk_run_pass(run, record);
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		status = filter_sample(f, record);
	else
		status = filter_other(f, record);
	if (status == PK_IO && f->emitter.split) { /* the error was already reported */
		run->enough = true;
		return PK_END;
	}
	return status || !f->in_order || !run->writer ? status : pk_run_round(run);
}

static void end_session(struct pk_run *run)
{
	struct filterer *f = run->arg;

	const struct pk_events *events = pk_reader_events(run->reader);

	if (f->condition && pk_context_reader(&f->context))
		pk_condition_end_session(f->condition);
	for (size_t i = 0; f->emitter.by && i < pk_events_count(events); i++)
		(void)pk_column_bind(&f->by, &f->context, pk_events_at(events, i));
	if (f->emitter.split)
		(void)split_end(f->emitter.split,
				pk_source_symbolized(&f->context.stacks) && !f->options->strip,
				f->in_order); /* split_finish() returns the error */
}

/* ---- The program ---- */

/* Reports unknown fields. Returns false if there were any. */
static bool report_fields(const struct filterer *f)
{
	bool good = !f->condition || pk_report_where(f->condition, f->options->conditions.where);
	char text[PK_MISSING_SIZE];

	if (f->emitter.by && f->by.reference.name && !f->by.found) {
		pk_reference_missing(&f->by.reference, text);
		pk_expression_complain("--split-by", f->options->split_by, 0, text);
		good = false;
	}
	return good;
}

/* Reports data that samples lack. Returns false if data that is needed was missing. */
static bool report_samples(const struct filterer *f)
{
	const struct pk_context *context = &f->context;
	char number[32];

	if (pk_source_missing(&context->stacks).without)
		pk_warn("%s samples have no stack",
			pk_number(number, pk_source_missing(&context->stacks).without));
	if (f->emitter.drops_addresses)
		pk_warn("the removed callchains had the addresses of the stacks, which have only "
			"functions left; pk-symbolize --addresses keeps them");
	if (pk_source_missing(&context->stacks).undefined)
		pk_error("%s samples have an undefined stack",
			 pk_number(number, pk_source_missing(&context->stacks).undefined));
	if (context->failed)
		pk_error("%s", pk_status_text(PK_NOMEM));
	if (f->stackless)
		pk_error("symbols and stacks need names: run pk-symbolize before pk-filter");
	return !pk_source_missing(&context->stacks).undefined && !context->failed && !f->stackless;
}

static int report(const struct filterer *f)
{
	int result = PK_EXIT_OK;
	char kept[32], read[32];

	if (f->looks)
		pk_info("%s of %s samples kept", pk_number(kept, f->kept),
			pk_number(read, f->run->losses.samples));
	if (!report_fields(f) || !report_samples(f) || f->failed)
		result = PK_EXIT_FAILED;
	if (f->emitter.anonymizer)
		anonymizer_report(f->emitter.anonymizer);
	if (f->options->restore && !f->options->names->used) {
		pk_error("--restore: no name in the input is in the key: the input was anonymized "
			 "with another key");
		result = PK_EXIT_FAILED;
	}
	return result;
}

/* Takes ownership of the conditions. */
static enum pk_status set_up(struct filterer *f)
{
	struct filter_options *options = f->options;
	struct pk_context *context = &f->context;

	PK_TRY(pk_conditions_combine(&options->conditions, &f->where));
	context->needs = pk_expression_needs(f->where);
	pk_run_connect(f->run, context);
	context->lose = NULL; /* data that a condition does not find is still in the output, so it
			       * is not a loss */
	if (options->split_by) {
		PK_TRY(pk_reference_parse(&f->by.reference, options->split_by,
					  strlen(options->split_by)));
		f->emitter.by = &f->by;
		context->needs |= pk_reference_needs(&f->by.reference);
	}
	f->emitter.context = context;
	PK_TRY(emit_set_up(&f->emitter));
	PK_TRY(pk_symbols_for_code(context, &options->symbols, &f->run->messages, &f->symbols));
	PK_TRY(pk_context_init(context));
	if (f->where)
		f->condition = pk_condition_new(context, f->where);
	return !f->where == !f->condition ? PK_OK : PK_NOMEM;
}

static bool set_up_anonymizer(struct filterer *f)
{
	const struct filter_options *options = f->options;
	const struct anonymize_options anonymize = {.key = options->key,
						    .key_size = options->key_size,
						    .keep = options->keep,
						    .drop = options->drop,
						    .strip = options->strip,
						    .names = options->names,
						    .restore = options->restore};
	const bool wanted = options->anonymize || options->restore;

	if (wanted)
		f->emitter.anonymizer =
			anonymizer_new(f->run, &anonymize, emit_anonymous, &f->emitter);
	return !wanted || f->emitter.anonymizer;
}

static int run_split(struct filterer *f)
{
	const struct filter_options *options = f->options;
	const struct split_options split = {.pattern = options->output,
					    .argc = options->argc,
					    .argv = options->argv,
					    .strip = options->strip,
					    .anonymous = options->anonymize};
	int result, finished;

	pk_protect_inputs(f->run->files, f->run->files_count);
	f->emitter.split = split_new(f->run, &split);
	if (!f->emitter.split)
		return PK_EXIT_FAILED;
	result = pk_run(f->run);
	finished = split_finish(f->emitter.split);
	if (finished)
		result = finished;
	split_free(f->emitter.split);
	return result;
}

static enum pk_status find_spans(struct filterer *f)
{
	const struct conditions *conditions = &f->options->conditions;

	for (size_t i = 0; i < conditions->ranges_count; i++)
		f->percent |= conditions->ranges[i].kind == TIME_PERCENT;
	return f->percent ? recording_spans_find(&f->spans, f->run->files, f->run->files_count)
			  : PK_OK;
}

static int run_all(struct filterer *f)
{
	const struct filter_options *options = f->options;
	const struct conditions *conditions = &options->conditions;
	const struct pk_stage_options stage = {.program = pk_cli_program(),
					       .argc = options->argc,
					       .argv = options->argv,
					       .anonymous = options->anonymize};
	struct pk_run *run = f->run;

	f->looks = f->where || f->emitter.by || conditions->ranges_count || conditions->every ||
		   conditions->head || options->drop || options->strip || f->emitter.anonymizer;
	f->emitter.run = run;
	f->emitter.slim.drop = options->drop;
	f->emitter.slim.strip = options->strip;
	run->ordered = f->context.needs &
		       (PK_NEED_TASKS | PK_NEED_NAMES | PK_NEED_PARALLELISM | PK_NEED_CODE);
	run->passes = !f->looks;
	run->within = f->emitter.by;
	run->record = filter_record;
	run->session_end = end_session;
	run->arg = f;
	return f->emitter.by ? run_split(f)
			     : pk_run_stage(run, options->strip ? NULL : &stage, options->output,
					    "pk-fold");
}

int filter(struct pk_run *run, struct filter_options *options)
{
	struct filterer f = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	if (set_up(&f) == PK_OK && set_up_anonymizer(&f) && find_spans(&f) == PK_OK) {
		result = run_all(&f);
		if (!run->refused && report(&f) && result == PK_EXIT_OK)
			result = PK_EXIT_FAILED;
		if (options->keep_key && result == PK_EXIT_USAGE)
			alias_key_discard(options->keep_key);
		else if (options->keep_key && alias_key_save(options->names, options->keep_key))
			result = PK_EXIT_FAILED;
		else if (options->restore && options->names->failed)
			result = PK_EXIT_FAILED;
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	pk_condition_free(f.condition);
	pk_column_free(&f.by);
	pk_context_free(&f.context);
	emit_free(&f.emitter);
	pk_expression_free(f.where);
	recording_spans_free(&f.spans);
	return pk_symbols_finish(f.symbols, result);
}
