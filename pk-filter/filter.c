// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "filter.h"
#include "pkutil.h"
#include "sift.h"
#include "slim.h"
#include "tracepoint.h"

struct filterer {
	struct pk_run *run;
	struct filter_options *options;
	struct where *where;
	struct sifter *sifter; /* NULL: no conditions on fields */
	bool looks;	       /* samples are looked at one by one */
	uint64_t matching, kept;
	/* The session's: */
	uint64_t start;	      /* time of the first sample; PK_NO_TIME: none yet */
	uint64_t first, last; /* of the recording, if it tells; last 0: it does not */
	bool percent_told;
	bool symbolized;
	bool started;  /* a record has come that is no event's and none of ours */
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
	if (f->sifter && !sifter_keeps(f->sifter, record, f->symbolized))
		return false;
	return !conditions->every || f->matching++ % conditions->every == 0;
}

/* ---- Writing ---- */

static enum pk_status write_record(struct filterer *f, const struct pk_record *record)
{
	struct pk_run *run = f->run;

	if (record->payload_size || f->in_order)
		return pk_writer_copy(run->writer, run->reader, record);
	return pk_writer_lend(run->writer, record->data, record->size, 1,
			      record->type == PERF_RECORD_SAMPLE);
}

static enum pk_status write_sample(struct filterer *f, const struct pk_record *record)
{
	enum pk_status status;

	if (!f->options->drop && !f->options->strip)
		return write_record(f, record);
	status = slim_sample(f->run->writer, record, f->options->drop, f->options->strip);
	if (status != PK_CORRUPT)
		return status;
	pk_run_complain(f->run, record, "sample with fields of no sound size, dropped");
	pk_run_lose(f->run, PK_LOSS_RECORDS_BAD, 1, 0);
	return PK_OK;
}

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
				      struct kept_run *kept)
{
	const uint8_t *end = record->data + record->size;

	if (record->type != PERF_RECORD_SAMPLE) {
		kept->records++;
		return f->sifter ? sifter_record(f->sifter, f->run, record) : PK_OK;
	}
	f->run->losses.samples++;
	if (!is_kept(f, record)) {
		end_run(f, kept, record->data);
		kept->data = end;
		return PK_OK;
	}
	f->kept++;
	kept->records++;
	kept->samples++;
	return has_enough(f) ? PK_END : PK_OK;
}

/* What follows and needs no more than a look, without the way through the reader for each. */
static enum pk_status take_bunch(struct filterer *f, uint64_t offset)
{
	struct pk_run *run = f->run;
	const struct pk_events *events = pk_reader_events(run->reader);
	const struct pk_event *only = pk_events_count(events) == 1 ? pk_events_at(events, 0) : NULL;
	enum pk_status status = PK_OK;
	struct pk_record record = {0};
	struct kept_run kept = {0};
	struct pk_bunch bunch;

	pk_reader_take_bunch(run->reader, &bunch);
	record.data = kept.data = bunch.data;
	for (; !status && record.data < bunch.data + bunch.size; record.data += record.size) {
		record.type = pk_load_u32(record.data);
		record.misc = pk_load_u16(record.data + 4);
		record.size = pk_load_u16(record.data + 6);
		record.offset = offset + (uint64_t)(record.data - bunch.data);
		record.event = only ? only : pk_reader_event_of(run->reader, &record);
		status = sift_one(f, &record, &kept);
	}
	end_run(f, &kept, record.data);
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
		status = write_sample(f, &sample);
	}
	if (!status && has_enough(f))
		return PK_END;
	if (status || f->in_order || f->options->drop || f->options->strip)
		return status;
	return take_bunch(f, record->offset + record->size);
}

static enum pk_status take_attr(struct filterer *f, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(f->run->reader);
	size_t count = pk_events_count(events);
	uint8_t *out;

	if (!f->options->drop || !count || !pk_events_at(events, count - 1)->usable)
		return write_record(f, record);
	out = pk_writer_begin(f->run->writer, record->type, record->misc, record->size);
	if (!out)
		return pk_writer_status(f->run->writer);
	memcpy(out + 8, record->data + 8, record->size - 8u);
	slim_attr(out, record->size, f->options->drop);
	return PK_OK;
}

/* The formats are needed here, and by those behind, unless they are cut: what follows could not be
 * told from them. */
static enum pk_status take_tracing_data(struct filterer *f, const struct pk_record *record)
{
	struct pk_run *run = f->run;
	uint8_t *data;
	size_t size;
	enum pk_status status = pk_run_payload(run, &data, &size);

	if (!status && size == record->payload_size) {
		pk_writer_record(run->writer, record->data, record->size);
		status = pk_writer_bytes(run->writer, data, size, 0, 0);
	}
	if (!status)
		status = pk_run_use_tracepoints(run, sifter_tracepoints(f->sifter), record, data,
						size);
	free(data);
	return status;
}

/* SPEC 6.2: the times of the first and the last sample. */
static void note_times(struct filterer *f, const struct pk_record *record)
{
	if (pk_feature_id(record) != PERF_FEATURE_SAMPLE_TIME || record->size < 32)
		return;
	f->first = pk_load_u64(record->data + 16);
	f->last = pk_load_u64(record->data + 24);
}

static enum pk_status begin_session(struct filterer *f)
{
	f->start = PK_NO_TIME;
	f->first = f->last = 0;
	f->symbolized = f->started = f->in_order = false;
	if (f->run->ordered)
		pk_order_through(f->run->order, false);
	if (f->run->stage)
		pk_stage_change(f->run->stage, PK_ORDER_NONE, 0);
	if (f->options->strip)
		pk_writer_header(f->run->writer);
	return !f->sifter || sifter_begin(f->sifter) ? PK_OK : PK_NOMEM;
}

/* A feature that perf 6.1 does not know goes in parts of ours, and is put together again. */
static enum pk_status strip_definition(struct filterer *f, const struct pk_record *record)
{
	struct pk_feature_content feature;
	struct pk_session_info info;
	uint8_t *out;

	if (pk_definition_of(record) == PK_SESSION && !pk_session_info_decode(record, &info))
		f->symbolized = info.trailers & PK_TRAILER_STACK;
	if (!pk_reader_feature(f->run->reader, record, &feature) ||
	    feature.size > PERF_RECORD_SIZE_MAX - 16)
		return PK_OK;
	out = pk_writer_begin(f->run->writer, PERF_RECORD_HEADER_FEATURE, 0,
			      16 + PK_ALIGN8(feature.size));
	if (!out)
		return pk_writer_status(f->run->writer);
	pk_store_u64(out + 8, feature.id);
	memset(out + 8 + PK_ALIGN8(feature.size), 0, 8);
	memcpy(out + 16, feature.data, feature.size);
	return PK_OK;
}

static enum pk_status take_other(struct filterer *f, const struct pk_record *record)
{
	enum pk_status status = f->sifter ? sifter_record(f->sifter, f->run, record) : PK_OK;

	if (status)
		return status;
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: return take_attr(f, record);
	case PERF_RECORD_HEADER_FEATURE: note_times(f, record); break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		if (f->sifter)
			return take_tracing_data(f, record);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		if (f->options->strip && pk_definition_of(record) != PK_DEFINITION_NONE)
			return strip_definition(f, record);
		break;
	default: break;
	}
	return write_record(f, record);
}

/* What is in order already is passed on as it comes, nothing waits then; else that begins here. */
static void start(struct filterer *f, const struct pk_record *record)
{
	if (record->type == PERF_RECORD_HEADER_ATTR || pk_definition_of(record))
		return;
	f->started = true;
	if (f->run->stage)
		f->symbolized = pk_stage_input(f->run->stage)->trailers & PK_TRAILER_STACK;
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
	return status || !f->in_order ? status : pk_run_round(run);
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
	if (f->percent_told) {
		pk_error("--time in percent: the input does not tell how long it is; "
			 "+SECONDS are counted from its first sample");
		result = PK_EXIT_FAILED;
	}
	return result;
}

int filter(struct pk_run *run, struct filter_options *options)
{
	const struct conditions *conditions = &options->conditions;
	struct pk_stage_options stage = {
		.program = pk_cli_program(), .argc = options->argc, .argv = options->argv};
	struct filterer f = {.run = run, .options = options};
	bool taken;
	int result;

	taken = conditions_take(&options->conditions, &f.where);
	if (taken && f.where)
		f.sifter = sifter_new(f.where, options->where);
	if (!taken || (f.where && !f.sifter)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		where_free(f.where);
		return PK_EXIT_FAILED;
	}
	f.looks = f.where || conditions->ranges_count || conditions->every || conditions->head ||
		  options->drop || options->strip;
	run->ordered = f.where && sifter_needs_order(f.where);
	run->passes = !f.looks;
	run->record = take;
	run->arg = &f;
	result = pk_run_stage(run, options->strip ? NULL : &stage, options->output, "pk-fold");
	if (tell(&f) && result == PK_EXIT_OK)
		result = PK_EXIT_FAILED;
	sifter_free(f.sifter);
	where_free(f.where);
	return result;
}
