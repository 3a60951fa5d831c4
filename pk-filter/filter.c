// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "filter.h"
#include "pkutil.h"
#include "spans.h"
#include "tracepoint.h"

struct filterer {
	struct pk_run *run;
	struct filter_options *options;
	struct where *where;
	struct sifter *sifter; /* NULL: no conditions on fields */
	struct where *by;      /* the field of --split-by, or NULL */
	struct emitter emitter;
	bool looks; /* samples are looked at one by one */
	uint64_t matching, kept;
	struct spans spans; /* of sessions to come, if times in percent are asked for */
	size_t sessions;    /* so far, of those */
	/* The session's: */
	uint64_t start;	      /* time of the first sample; PK_NO_TIME: none yet */
	uint64_t first, last; /* of the recording, if it tells; last 0: it does not */
	bool percent_told;
	bool started;  /* behind the events, a record has come that is none of ours */
	bool in_order; /* records are put in order */
};

/* ---- Which samples ---- */

static bool is_in(struct filterer *f, const struct time_range *range, uint64_t time)
{
	uint64_t span;

	switch (range->kind) {
	case TIME_RELATIVE: time = time > f->start ? time - f->start : 0; break;
	case TIME_PERCENT:
		span = f->last - f->first;
		if (!f->last || time < f->first)
			return false;
		time = span ? (uint64_t)((__uint128_t)(time - f->first) * 100000000 / span) : 0;
		/* the last part takes in the last sample */
		return time >= range->from && (time < range->to || range->to == 100000000);
	default: break;
	}
	return time >= range->from && time <= range->to;
}

static bool is_in_time(struct filterer *f, const struct pk_record *record)
{
	const struct conditions *conditions = &f->options->conditions;
	uint64_t time;

	if (!record->event->layout.time)
		return false;
	time = pk_load_u64(record->data + record->event->layout.time);
	if (f->start == PK_NO_TIME)
		f->start = time;
	for (size_t i = 0; i < conditions->ranges_count; i++) {
		const struct time_range *range = &conditions->ranges[i];

		if (range->kind == TIME_PERCENT && !f->last)
			f->percent_told = true;
		else if (is_in(f, range, time))
			return true;
	}
	return false;
}

static bool is_kept(struct filterer *f, const struct pk_record *record)
{
	const struct conditions *conditions = &f->options->conditions;

	if (conditions->ranges_count && !is_in_time(f, record))
		return false;
	if (f->sifter && !sifter_keeps(f->sifter, record, f->emitter.symbolized))
		return false;
	return !conditions->every || f->matching++ % conditions->every == 0;
}

/* ---- Writing ---- */

/* Whether that was the last one that is wanted. */
static bool has_enough(struct filterer *f)
{
	uint64_t head = f->options->conditions.head;

	f->run->enough |= head && f->kept == head;
	return f->run->enough;
}

/* Neighbours that are kept, which are written as one. */
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

/* One record of a bunch. PK_END: it is the last one that is wanted. */
static inline enum pk_status sift_one(struct filterer *f, const struct pk_record *record,
				      const struct sift_glance *glance, struct kept_run *kept)
{
	int glanced;

	const uint8_t *end = record->data + record->size;

	if (record->type != PERF_RECORD_SAMPLE) {
		kept->records++;
		return f->sifter ? sifter_record(f->sifter, f->run, record) : PK_OK;
	}
	f->run->losses.samples++;
	glanced = sift_glance_at(glance, record);
	if (!glanced || (glanced < 0 && !is_kept(f, record))) {
		end_run(f, kept, record->data);
		kept->data = end;
		return PK_OK;
	}
	f->kept++;
	kept->records++;
	kept->samples++;
	return has_enough(f) ? PK_END : PK_OK;
}

/* If one condition is all there is. */
static void find_glance(struct filterer *f, const struct pk_event *only, struct sift_glance *glance)
{
	const struct conditions *conditions = &f->options->conditions;

	if (f->sifter && only && only->usable && !conditions->ranges_count && !conditions->every)
		sifter_glance(f->sifter, only, f->emitter.symbolized, glance);
	else
		*glance = (struct sift_glance){.kind = GLANCE_NONE};
}

/* What follows and needs no more than a look, without the way through the reader for each. */
static enum pk_status take_bunch(struct filterer *f, uint64_t offset)
{
	struct pk_run *run = f->run;
	const struct pk_events *events = pk_reader_events(run->reader);
	const struct pk_event *only = pk_events_count(events) == 1 ? pk_events_at(events, 0) : NULL;
	enum pk_status status = PK_OK;
	struct pk_record record;
	const uint8_t *at;
	struct kept_run kept = {0};
	struct sift_glance glance;
	struct pk_bunch bunch;

	pk_reader_take_bunch(run->reader, &bunch);
	find_glance(f, only, &glance);
	at = kept.data = bunch.data;
	for (; !status && at < bunch.data + bunch.size; at += record.size) {
		record = pk_record_at(at);
		record.offset = offset + (uint64_t)(at - bunch.data);
		record.event = only ? only : pk_reader_event_of(run->reader, &record);
		status = sift_one(f, &record, &glance, &kept);
	}
	end_run(f, &kept, at);
	return status ? status : pk_writer_status(run->writer);
}

static enum pk_status take_sample(struct filterer *f, const struct pk_record *record)
{
	struct pk_record sample = *record;
	enum pk_status status = PK_OK;

	if (!sample.event)
		sample.event = pk_reader_event_of(f->run->reader, record);
	if (pk_run_good_sample(f->run, &sample) && is_kept(f, &sample)) {
		f->kept++;
		status = emit_sample(&f->emitter, &sample);
	}
	if (!status && has_enough(f))
		return PK_END;
	if (status || f->in_order || !emit_is_plain(&f->emitter))
		return status;
	return take_bunch(f, record->offset + record->size);
}

/* The formats are needed here, and by those behind, unless they are cut: what follows could not be
 * told from them. */
static enum pk_status take_tracing_data(struct filterer *f, const struct pk_record *record)
{
	struct pk_run *run = f->run;
	struct pk_bytes payload;
	uint8_t *data;
	size_t size;
	enum pk_status status;

	if (record->payload_size > PK_RUN_PAYLOAD_MAX) {
		pk_warn("%s: the formats of tracepoints are more than 64 MiB: not used", run->name);
		return emit_record(&f->emitter, record);
	}
	status = pk_run_payload(run, &data, &size);
	payload = (struct pk_bytes){data, size};
	if (!status && size == record->payload_size)
		status = emit_payload(&f->emitter, record, &payload);
	if (!status && f->sifter)
		status = pk_run_use_tracepoints(run, sifter_tracepoints(f->sifter), record, data,
						size);
	if (!status && f->emitter.by)
		status = pk_run_use_tracepoints(run, sifter_tracepoints(f->emitter.by), record,
						data, size);
	free(data);
	return status;
}

/* SPEC 6.2: the times of the first and the last sample. */
static void note_times(struct filterer *f, const struct pk_record *record)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;
	const struct perf_feature_sample_time *times = (const void *)feature->data;

	if (pk_feature_id(record) != PERF_FEATURE_SAMPLE_TIME ||
	    record->size < sizeof(*feature) + sizeof(*times) || !times->last)
		return;
	f->first = times->first;
	f->last = times->last;
}

static enum pk_status begin_session(struct filterer *f)
{
	f->start = PK_NO_TIME;
	f->first = f->last = 0;
	if (f->sessions < f->spans.count) {
		f->first = f->spans.items[f->sessions].first;
		f->last = f->spans.items[f->sessions].last;
	}
	f->sessions++;
	f->started = f->in_order = false;
	f->emitter.symbolized = f->emitter.lends = false;
	f->emitter.slim.trailers = 0;
	if (f->run->ordered)
		pk_order_through(f->run->order, false);
	if (f->run->stage)
		pk_stage_change(f->run->stage, PK_ORDER_NONE, 0);
	if (f->run->writer && f->options->strip)
		pk_writer_header(f->run->writer);
	if ((f->sifter && !sifter_begin(f->sifter)) ||
	    (f->emitter.by && !sifter_begin(f->emitter.by)))
		return PK_NOMEM;
	if (f->emitter.anonymizer && !anonymizer_begin(f->emitter.anonymizer))
		return PK_NOMEM;
	return f->emitter.split ? split_begin(f->emitter.split) : PK_OK;
}

static enum pk_status take_other(struct filterer *f, const struct pk_record *record)
{
	enum pk_status status = f->sifter ? sifter_record(f->sifter, f->run, record) : PK_OK;

	if (!status && f->emitter.by)
		status = sifter_record(f->emitter.by, f->run, record);
	if (status)
		return status;
	note_times(f, record);
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA &&
	    (sifter_needs_formats(f->sifter) || sifter_needs_formats(f->emitter.by)))
		return take_tracing_data(f, record);
	return emit_record(&f->emitter, record);
}

/* What is in order already is passed on as it comes, nothing waits then; else that begins here. */
static void start(struct filterer *f, const struct pk_record *record)
{
	struct pk_session_info info;

	if (f->run->stage)
		info = *pk_stage_input(f->run->stage);
	else if (pk_definition_of(record) != PK_SESSION || pk_session_info_decode(record, &info))
		info.trailers = f->emitter.slim.trailers;
	f->emitter.slim.trailers = info.trailers;
	f->emitter.symbolized = info.trailers & PK_TRAILER_STACK;
	if (record->type == PERF_RECORD_HEADER_ATTR || pk_definition_of(record) ||
	    !pk_events_count(pk_reader_events(f->run->reader)))
		return;
	f->started = true;
	f->emitter.lends = !f->run->ordered || pk_order_sorted(f->run->order);
	f->in_order = f->run->ordered && !pk_order_sorted(f->run->order);
	if (f->in_order && f->run->stage)
		pk_stage_change(f->run->stage, PK_ORDER_PROCESSING, 0);
	else if (f->run->ordered && !f->in_order)
		pk_order_through(f->run->order, true);
}

static enum pk_status take(struct pk_run *run, const struct pk_record *record)
{
	struct filterer *f = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return begin_session(f);
	if (pk_unlikely(!f->started))
		start(f, record);
	if (!f->looks)
		return pk_run_pass(run, record);
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		status = take_sample(f, record);
	else
		status = take_other(f, record);
	if (status == PK_IO && f->emitter.split) { /* which has told why */
		run->enough = true;
		return PK_END;
	}
	return status || !f->in_order || !run->writer ? status : pk_run_round(run);
}

static void end_session(struct pk_run *run)
{
	struct filterer *f = run->arg;

	if (f->sifter)
		sifter_end(f->sifter, pk_reader_events(run->reader));
	if (f->emitter.by)
		sifter_end(f->emitter.by, pk_reader_events(run->reader));
	if (f->emitter.split)
		(void)split_end(f->emitter.split, f->emitter.symbolized && !f->options->strip,
				f->in_order); /* told at the end */
}

/* ---- The whole ---- */

static int tell(const struct filterer *f)
{
	int result = PK_EXIT_OK;
	char kept[32], read[32];

	if (f->looks)
		pk_info("%s of %s samples kept", pk_number(kept, f->kept),
			pk_number(read, f->run->losses.samples));
	if (f->sifter && !sifter_tell(f->sifter))
		result = PK_EXIT_FAILED;
	if (f->emitter.by && !sifter_tell(f->emitter.by))
		result = PK_EXIT_FAILED;
	if (f->emitter.anonymizer)
		anonymizer_tell(f->emitter.anonymizer);
	if (f->percent_told) {
		pk_error("--time in percent: the input is no file and does not tell how long it "
			 "is; +SECONDS are counted from its first sample");
		result = PK_EXIT_FAILED;
	}
	return result;
}

/* Takes the conditions. False: out of memory. */
static bool set_up(struct filterer *f)
{
	struct filter_options *options = f->options;

	if (!conditions_take(&options->conditions, &f->where))
		return false;
	if (f->where)
		f->sifter = sifter_new(f->where, "--where", options->where);
	if (options->split_by) {
		f->by = where_named(options->split_by, strlen(options->split_by));
		f->emitter.by = f->by ? sifter_new(f->by, "--split-by", options->split_by) : NULL;
	}
	return !f->where == !f->sifter && !options->split_by == !f->emitter.by;
}

static bool set_up_anonymizer(struct filterer *f)
{
	const struct filter_options *options = f->options;
	const struct anonymize_options anonymize = {.key = options->key,
						    .key_size = options->key_size,
						    .keep = options->keep,
						    .drop = options->drop,
						    .strip = options->strip};

	if (options->anonymize)
		f->emitter.anonymizer =
			anonymizer_new(f->run, &anonymize, emit_anonymous, &f->emitter);
	return !options->anonymize || f->emitter.anonymizer;
}

static int run_split(struct filterer *f)
{
	const struct filter_options *options = f->options;
	const struct split_options split = {.pattern = options->output,
					    .argc = options->argc,
					    .argv = options->argv,
					    .strip = options->strip,
					    .anonymous = options->anonymize};
	int result;

	pk_protect_inputs(f->run->files, f->run->files_count);
	f->emitter.split = split_new(f->run, &split);
	if (!f->emitter.split)
		return PK_EXIT_FAILED;
	result = pk_run(f->run);
	if (!split_finish(f->emitter.split))
		result = PK_EXIT_FAILED;
	split_free(f->emitter.split);
	return result;
}

/* False: out of memory. */
static bool find_spans(struct filterer *f)
{
	const struct conditions *conditions = &f->options->conditions;

	for (size_t i = 0; i < conditions->ranges_count; i++)
		if (conditions->ranges[i].kind == TIME_PERCENT)
			return spans_find(&f->spans, f->run->files, f->run->files_count);
	return true;
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

	f->looks = f->where || f->by || conditions->ranges_count || conditions->every ||
		   conditions->head || options->drop || options->strip || options->anonymize;
	f->emitter.run = run;
	f->emitter.by_field = f->by ? f->by->field : WHERE_FIELDS;
	f->emitter.slim.drop = options->drop;
	f->emitter.slim.strip = options->strip;
	run->ordered =
		(f->where && sifter_needs_order(f->where)) || (f->by && sifter_needs_order(f->by));
	run->passes = !f->looks;
	run->within = f->by;
	run->record = take;
	run->session_end = end_session;
	run->arg = f;
	return f->by ? run_split(f)
		     : pk_run_stage(run, options->strip ? NULL : &stage, options->output,
				    "pk-fold");
}

int filter(struct pk_run *run, struct filter_options *options)
{
	struct filterer f = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	if (set_up(&f) && set_up_anonymizer(&f) && find_spans(&f)) {
		result = run_all(&f);
		if (tell(&f) && result == PK_EXIT_OK)
			result = PK_EXIT_FAILED;
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	sifter_free(f.sifter);
	sifter_free(f.emitter.by);
	anonymizer_free(f.emitter.anonymizer);
	where_free(f.where);
	where_free(f.by);
	spans_free(&f.spans);
	return result;
}
