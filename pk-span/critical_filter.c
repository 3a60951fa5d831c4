// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "cli.h"
#include "critical.h"
#include "critical_filter.h"
#include "derived_event.h"
#include "field.h"
#include "input_records.h"
#include "lookups.h"
#include "pkutil.h"
#include "presets.h"
#include "sched_event.h"
#include "span_format.h"
#include "span_maker.h"
#include "tracing_payload.h"
#include "vector.h"

/* The most events of tasks that are kept. Each needs 24 bytes. */
#define EVENTS_MAX (UINT64_C(16) << 20)

/* The events that this filter adds. pk:request is only added with --critical-of. */
enum { PIECE, REQUEST, EVENTS };

static const char *const event_names[EVENTS] = {
	[PIECE] = "critical",
	[REQUEST] = "request",
};

/* The fields of pk:critical, a piece of a path. */
enum {
	FIELD_KIND,
	FIELD_START,
	FIELD_DURATION,
	FIELD_DEPTH,
	FIELD_SPAN,
	FIELD_SPAN_DURATION,
	FIELD_ID, /* only with --critical-id */
	FIELDS
};

/* The fields of pk:request, a span with the time of its path. */
enum {
	REQUEST_SPAN,
	REQUEST_START,
	REQUEST_DURATION,
	REQUEST_RUN,
	REQUEST_CPU,
	REQUEST_BLOCKED,
	REQUEST_ID, /* as FIELD_ID */
	REQUEST_FIELDS
};

_Static_assert((int)FIELDS == (int)REQUEST_FIELDS && (int)FIELD_ID == (int)REQUEST_ID,
	       "both events have as many fields, and the id is the last one");

static const struct {
	const char *name;
	enum pk_value_kind kind;
} event_fields[EVENTS][FIELDS] = {
	[PIECE] = {[FIELD_KIND] = {"kind", PK_VALUE_TEXT},
		   [FIELD_START] = {"start", PK_VALUE_TIME},
		   [FIELD_DURATION] = {"duration", PK_VALUE_DURATION},
		   [FIELD_DEPTH] = {"depth", PK_VALUE_NUMBER},
		   [FIELD_SPAN] = {"span", PK_VALUE_NUMBER},
		   [FIELD_SPAN_DURATION] = {"span_duration", PK_VALUE_DURATION},
		   [FIELD_ID] = {"id", PK_VALUE_TEXT}},
	[REQUEST] = {[REQUEST_SPAN] = {"span", PK_VALUE_NUMBER},
		     [REQUEST_START] = {"start", PK_VALUE_TIME},
		     [REQUEST_DURATION] = {"duration", PK_VALUE_DURATION},
		     [REQUEST_RUN] = {"run_time", PK_VALUE_DURATION},
		     [REQUEST_CPU] = {"cpu_wait", PK_VALUE_DURATION},
		     [REQUEST_BLOCKED] = {"blocked_time", PK_VALUE_DURATION},
		     [REQUEST_ID] = {"id", PK_VALUE_TEXT}},
};

/* A period of a thread whose path is found. */
struct period {
	uint32_t pid, tid;
	uint64_t start, end;
	uint64_t run, cpu, blocked; /* its time on a processor, waiting for one, and blocked */
	bool left_out;		    /* its path is not written */
	size_t id;		    /* offset of its id in critical_filter.ids */
	uint32_t id_size;
};

/* Limit for the ids of all periods of a session together, in bytes. */
#define IDS_MAX ((size_t)256 << 20)

/* A piece of the path of a period. */
struct part {
	struct pk_critical_piece piece;
	size_t period; /* index of the period */
};

struct parts {
	struct part *items;
	size_t count, capacity;
};

/* The most pieces of the paths of all periods, together. Each needs 56 bytes. */
#define PARTS_MAX ((size_t)4 << 20)

struct critical_filter {
	struct pk_run *run;
	const struct critical_options *options;
	struct pk_context context;
	/* Members about the current session: */
	bool started, prepared, has_event;
	struct pk_derived_event derived[EVENTS];
	struct pk_span_format format[EVENTS];
	struct buffer formats; /* the payload of TRACING_DATA */
	struct pk_critical critical;
	struct pk_sched_format *formats_of; /* by index of the event; `known` events are set */
	size_t formats_count;
	uint32_t *kinds; /* what a sleeper waits for, plus 1, by id of its stack */
	size_t kinds_count;
	uint32_t waiting;     /* the process that can be the command; 0 if it is unknown */
	uint32_t tid;	      /* the thread of the path; 0 until it is known */
	uint64_t first, last; /* the period of the path; 0 until it is known */
	uint64_t start, now;  /* times of the first and the last record; 0 if there is none */
	struct {
		struct period *items;
		size_t count, capacity;
	} periods;	     /* the periods whose paths are written */
	struct pk_column id; /* --critical-id */
	struct buffer ids;   /* the texts of the ids of all periods */
	bool ended;	     /* the thread has ended, so `last` is final */
	bool has_switch;
	uint64_t left_out; /* spans whose path is not written */
	/* Members about all sessions: */
	bool any_switch, any, failed;
};

/* ---- The derived event ---- */

static size_t count_events(const struct critical_filter *f)
{
	return f->options->of ? EVENTS : PIECE + 1;
}

static void announce(void *arg)
{
	struct critical_filter *f = arg;
	const size_t count = count_events(f);
	const struct pk_events *events = pk_reader_events(f->run->reader);

	if (!pk_events_count(events))
		return;
	pk_derived_events_choose(f->derived, count, events);
	for (size_t i = 0; i < count; i++)
		pk_derived_event_write(&f->derived[i], f->run->writer);
	f->has_event = true;
}

/* Adds the format of an event to the formats of the input, and writes the name of the event. */
static enum pk_status add_format(struct critical_filter *f, size_t event, bool big_endian)
{
	const struct pk_bytes before = {(const uint8_t *)f->formats.data, f->formats.size};
	const struct pk_derived_event *derived = &f->derived[event];
	struct pk_span_format *format = &f->format[event];
	struct buffer text = {0}, all = {0};
	enum pk_status status = PK_NOMEM;
	char name[PK_SPAN_NAME_SIZE] = {0};

	pk_span_format_start(format, event_names[event], derived->format, big_endian);
	for (size_t i = 0; i < (f->options->id ? FIELDS : FIELD_ID); i++)
		pk_span_format_add(format, event_fields[event][i].name,
				   event_fields[event][i].kind);
	pk_span_format_text(format, &text);
	if (!text.failed)
		status =
			pk_tracing_data_add(&all, &before,
					    &(struct pk_tracing_format){PK_SPAN_SYSTEM, text.data,
									text.size, derived->format},
					    big_endian);
	free(text.data);
	free(f->formats.data);
	f->formats = all;
	if (status == PK_NOMEM)
		return status;
	snprintf(name, sizeof(name), PK_SPAN_SYSTEM ":%s", event_names[event]);
	pk_writer_update(f->run->writer, PERF_EVENT_UPDATE_NAME, derived->id, name,
			 PK_ALIGN8(strlen(name) + 1));
	return pk_writer_status(f->run->writer);
}

/* Writes the names and the formats of the events, before the first record that has a time. */
static enum pk_status prepare(struct critical_filter *f)
{
	const struct pk_bytes input = {(const uint8_t *)f->formats.data, f->formats.size};
	bool big_endian;

	f->prepared = true;
	pk_context_describe(&f->context, pk_stage_input(f->run->stage));
	if (!f->has_event)
		return PK_OK;
	if (!pk_tracing_data_order(&input, &big_endian))
		big_endian = f->run->input.swapped != PK_HOST_IS_BIG;
	for (size_t i = 0; i < count_events(f); i++)
		PK_TRY(add_format(f, i, big_endian));
	return input_formats_write(f->run, &f->formats);
}

/* ---- Samples ---- */

static const struct pk_sched_format *format_of(struct critical_filter *f,
					       const struct pk_event *event)
{
	const size_t known = f->formats_count;

	if (pk_extend(&f->formats_of, &f->formats_count, event->index) != PK_OK)
		return NULL;
	for (size_t i = known; i < f->formats_count; i++) {
		const struct pk_event *each = pk_events_at(pk_reader_events(f->run->reader), i);
		struct pk_tracepoint *tracepoint = NULL;

		if (each && each->attr.type == PERF_TYPE_TRACEPOINT)
			tracepoint = pk_tracepoints_find(pk_context_tracepoints(&f->context),
							 each->attr.config);
		f->formats_of[i] = pk_sched_format_of(tracepoint);
	}
	return &f->formats_of[event->index];
}

/* States of a task that can still run (R, R+), and of one that has ended (X, Z). */
#define STATE_BLOCKED 0xcf
#define STATE_ENDED   0x30

static enum pk_wait_kind kind_of_stack(struct critical_filter *f, uint32_t stack)
{
	const struct pk_dictionary *dictionary = pk_source_dictionary(&f->context.stacks);

	if (!stack)
		return PK_WAIT_UNKNOWN;
	if (pk_extend(&f->kinds, &f->kinds_count, stack) != PK_OK) {
		pk_no_memory();
		f->failed = true;
		return PK_WAIT_UNKNOWN;
	}
	if (!f->kinds[stack])
		f->kinds[stack] = (uint32_t)pk_wait_of_sleeper(dictionary, stack) + 1;
	return (enum pk_wait_kind)(f->kinds[stack] - 1);
}

static enum pk_status add_switch(struct critical_filter *f, const struct pk_sample *sample,
				 const struct pk_sched_event *event)
{
	const enum pk_wait_kind kind = event->state & STATE_ENDED ? PK_WAIT_ENDED
				       : event->state & STATE_BLOCKED
					       ? kind_of_stack(f, sample->stack)
					       : PK_WAIT_CPU;

	f->has_switch = f->any_switch = true;
	PK_TRY(pk_critical_process(&f->critical, sample->pid, (uint32_t)event->tid));
	return pk_critical_switch(&f->critical, sample->time, (uint32_t)event->tid,
				  (uint32_t)event->next, sample->stack, kind);
}

static enum pk_status add_wake(struct critical_filter *f, const struct pk_sample *sample,
			       uint32_t tid)
{
	enum pk_wait_kind kind;
	const bool by_interrupt = pk_wait_of_interrupt(pk_source_dictionary(&f->context.stacks),
						       sample->stack, &kind);

	return pk_critical_wake(&f->critical, sample->time, tid, by_interrupt ? 0 : sample->tid,
				sample->stack, kind);
}

static enum pk_status add_period(struct critical_filter *f, const struct period *period)
{
	PK_TRY(pk_vector_reserve(&f->periods, 1));
	f->periods.items[f->periods.count++] = *period;
	return PK_OK;
}

/* Stores the id of the span in the period. Spans without this field have an empty id. */
static enum pk_status add_id(struct critical_filter *f, const struct pk_record *record,
			     struct period *period)
{
	const struct pk_binding *binding = pk_column_bind(&f->id, &f->context, record->event);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;
	struct pk_view view;

	if (!binding)
		return PK_NOMEM;
	pk_view_begin(&view, &f->context, record);
	if (!pk_view_shown(&view, binding, number, &text))
		return f->context.failed ? PK_NOMEM : PK_OK;
	if (text.size > IDS_MAX - f->ids.size)
		return PK_NOMEM;
	period->id = f->ids.size;
	period->id_size = (uint32_t)text.size;
	buffer_add(&f->ids, text.data, text.size);
	return f->ids.failed ? PK_NOMEM : PK_OK;
}

static enum pk_status add_span(struct critical_filter *f, const struct pk_record *record,
			       const struct pk_sample *sample)
{
	const uint64_t duration = sample->period < sample->time ? sample->period : sample->time;
	struct period period = {.pid = sample->pid,
				.tid = sample->tid,
				.start = sample->time - duration,
				.end = sample->time};

	/* A path has at least one piece. */
	if (f->periods.count == PARTS_MAX) {
		f->left_out++;
		return PK_OK;
	}
	if (f->options->id)
		PK_TRY(add_id(f, record, &period));
	return add_period(f, &period);
}

static struct pk_bytes id_of(const struct critical_filter *f, const struct period *period)
{
	if (!period->id_size)
		return (struct pk_bytes){0};
	return (struct pk_bytes){(const uint8_t *)f->ids.data + period->id, period->id_size};
}

static enum pk_status add_sample(struct critical_filter *f, const struct pk_record *record)
{
	const struct pk_sched_format *format = format_of(f, record->event);
	struct pk_sched_event event;
	struct pk_sample sample;

	if (!format)
		return PK_NOMEM;
	if (!pk_run_good_sample(f->run, record) ||
	    pk_sample_decode(record->event, record, &sample) != PK_OK)
		return PK_OK;
	f->now = sample.time;
	if (f->options->of && !strcmp(record->event->name, f->options->of))
		return add_span(f, record, &sample);
	event = pk_sched_event_read(format, &sample.raw);
	switch (event.kind) {
	case PK_SCHED_SWITCH: return add_switch(f, &sample, &event);
	case PK_SCHED_WAKING:
	case PK_SCHED_WAKEUP: return add_wake(f, &sample, (uint32_t)event.tid);
	case PK_SCHED_WAKEUP_NEW:
		return pk_critical_start(&f->critical, sample.time, (uint32_t)event.tid, sample.tid,
					 sample.stack);
	case PK_SCHED_MIGRATION: return PK_OK;
	default: break;
	}
	if (record->event->attr.type == PERF_TYPE_TRACEPOINT)
		return PK_OK;
	PK_TRY(pk_critical_process(&f->critical, sample.pid, sample.tid));
	return pk_critical_sample(&f->critical, sample.time, sample.tid, sample.stack);
}

/* ---- The thread ---- */

/* Returns true if this is the name of a command before its exec, in a recording of pk-record or of
 * perf record. */
static bool is_waiting_name(const char *comm, size_t size)
{
	return !strncmp(comm, CHILD_COMM, size) || !strncmp(comm, "perf-exec", size);
}

/* Finds the command of the recording. Before its exec, its process has a known name. It exists when
 * the recording starts, so its first COMM record has no time. Commands of other recordings have
 * this name, too, but pk-record lists its own command first. */
static void note_command(struct critical_filter *f, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;

	if (record->type != PERF_RECORD_COMM || record->size <= sizeof(*comm) || f->tid ||
	    f->options->tid || comm->pid != comm->tid)
		return;
	if (record->misc & PERF_RECORD_MISC_COMM_EXEC) {
		if (comm->tid != f->waiting)
			return;
		f->tid = comm->tid;
		f->first = record->time;
	} else if (!f->waiting && (!record->time || record->time == PK_NO_TIME) &&
		   is_waiting_name(comm->comm, record->size - sizeof(*comm))) {
		f->waiting = comm->tid;
	}
}

/* Returns the thread of the path, or 0 if it is unknown. The record of the exec can be lost. */
static uint32_t path_thread(const struct critical_filter *f)
{
	if (f->options->tid)
		return f->options->tid;
	return f->tid ? f->tid : f->waiting;
}

static void note_exit(struct critical_filter *f, const struct pk_record *record)
{
	const struct perf_record_task *task = (const void *)record->data;

	if (record->type != PERF_RECORD_EXIT || record->size < sizeof(*task) || f->ended ||
	    !task->tid || task->tid != path_thread(f))
		return;
	f->last = task->time;
	f->ended = true;
}

static void note_time(struct critical_filter *f, const struct pk_record *record)
{
	if (record->time == PK_NO_TIME || !record->time)
		return;
	if (!f->start)
		f->start = record->time;
	if (record->time > f->now)
		f->now = record->time;
}

/* ---- The path ---- */

/* Writes a sample of an event. `sample` lacks the members that depend on the event. */
static enum pk_status write_sample(struct critical_filter *f, size_t event,
				   struct pk_derived_sample sample,
				   const struct pk_span_value values[FIELDS])
{
	uint8_t *raw;
	bool cut;

	sample.misc = PERF_RECORD_MISC_USER;
	sample.raw_size = pk_span_format_size(&f->format[event], values);
	sample.trailers = pk_stage_input(f->run->stage)->trailers;
	raw = pk_derived_sample_write(&f->derived[event], &sample, f->run->writer, &cut);
	if (raw)
		pk_span_format_put(&f->format[event], sample.tid, values, raw, sample.raw_size);
	return pk_writer_status(f->run->writer);
}

static enum pk_status write_part(struct critical_filter *f, const struct part *part)
{
	const struct pk_critical_piece *piece = &part->piece;
	const struct period *period = &f->periods.items[part->period];
	const char *name = pk_wait_name(piece->kind);
	const struct pk_span_value values[FIELDS] = {
		[FIELD_KIND].text = {(const uint8_t *)name, strlen(name)},
		[FIELD_START].number = piece->start,
		[FIELD_DURATION].number = piece->end - piece->start,
		[FIELD_DEPTH].number = piece->depth,
		[FIELD_SPAN].number = part->period + 1,
		[FIELD_SPAN_DURATION].number = period->end - period->start,
		[FIELD_ID].text = id_of(f, period),
	};

	return write_sample(f, PIECE,
			    (struct pk_derived_sample){.pid = piece->pid ? piece->pid : piece->tid,
						       .tid = piece->tid,
						       .time = piece->end,
						       .period = piece->end - piece->start,
						       .stack = piece->stack},
			    values);
}

/* Writes the requests from index `next` that end before the time. Returns the index of the first
 * request that was not written. */
static size_t write_requests(struct critical_filter *f, size_t next, uint64_t time)
{
	for (; f->options->of && next < f->periods.count && f->periods.items[next].end < time;
	     next++) {
		const struct period *period = &f->periods.items[next];
		const uint64_t duration = period->end - period->start;
		const struct pk_span_value values[FIELDS] = {
			[REQUEST_SPAN].number = next + 1,
			[REQUEST_START].number = period->start,
			[REQUEST_DURATION].number = duration,
			[REQUEST_RUN].number = period->run,
			[REQUEST_CPU].number = period->cpu,
			[REQUEST_BLOCKED].number = period->blocked,
			[REQUEST_ID].text = id_of(f, period),
		};
		const struct pk_derived_sample sample = {.pid = period->pid,
							 .tid = period->tid,
							 .time = period->end,
							 .period = duration};

		if (!period->left_out && write_sample(f, REQUEST, sample, values) != PK_OK)
			break;
	}
	return next;
}

static void add_time(struct period *period, const struct pk_critical_piece *piece)
{
	const uint64_t time = piece->end - piece->start;

	if (piece->kind == PK_WAIT_NONE)
		period->run += time;
	else if (piece->kind == PK_WAIT_CPU)
		period->cpu += time;
	else
		period->blocked += time;
}

/* Adds the pieces of the path of a period. If there are too many, counts the period. */
static enum pk_status add_path(struct critical_filter *f, struct parts *parts, size_t index)
{
	struct period *period = &f->periods.items[index];
	struct pk_critical_path path = {0};
	enum pk_status status =
		pk_critical_path(&f->critical, period->tid, period->start, period->end, &path);

	if (status == PK_OK && path.count > PARTS_MAX - parts->count) {
		f->left_out++;
		period->left_out = true;
		path.count = 0;
	}
	if (status == PK_OK)
		status = pk_vector_reserve(parts, path.count);
	for (size_t i = 0; i < path.count && status == PK_OK; i++) {
		parts->items[parts->count++] = (struct part){path.items[i], index};
		add_time(period, &path.items[i]);
	}
	free(path.items);
	return status;
}

static int by_time(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->piece.end != y->piece.end)
		return x->piece.end < y->piece.end ? -1 : 1;
	return (x->period > y->period) - (x->period < y->period);
}

static enum pk_status write_paths(struct critical_filter *f)
{
	const uint32_t tid = path_thread(f);
	const uint64_t start = f->first ? f->first : f->start;
	struct parts parts = {0};
	enum pk_status status = PK_OK;
	size_t request = 0;

	if (!f->has_event || !f->has_switch)
		return PK_OK;
	/* Only the names of functions tell what a task waits for, and that an interrupt has woken
	 * it. */
	if (!pk_source_symbolized(&f->context.stacks)) {
		pk_error("%s: the input is not symbolized: pk-symbolize must come before pk-span "
			 "critical",
			 f->run->input.name);
		f->failed = true;
		return PK_OK;
	}
	if (!f->options->of && tid)
		status = add_period(f, &(struct period){.tid = tid,
							.start = start,
							.end = f->ended ? f->last : f->now});
	for (size_t i = 0; i < f->periods.count && status == PK_OK; i++)
		status = add_path(f, &parts, i);
	if (parts.count)
		qsort(parts.items, parts.count, sizeof(*parts.items), by_time);
	for (size_t i = 0; i < parts.count && status == PK_OK; i++) {
		request = write_requests(f, request, parts.items[i].piece.end);
		status = write_part(f, &parts.items[i]);
	}
	if (status == PK_OK)
		write_requests(f, request, UINT64_MAX);
	f->any |= parts.count != 0;
	if (status == PK_OK)
		pk_info("%s: %zu paths with %zu pieces", f->run->input.name, f->periods.count,
			parts.count);
	free(parts.items);
	return status;
}

/* ---- Records ---- */

static void clear_session(struct critical_filter *f)
{
	pk_critical_free(&f->critical);
	free(f->formats.data);
	free(f->formats_of);
	free(f->kinds);
	free(f->periods.items);
	free(f->ids.data);
	f->ids = (struct buffer){0};
	f->periods.items = NULL;
	f->periods.count = f->periods.capacity = 0;
	f->critical = (struct pk_critical){.most = EVENTS_MAX};
	f->formats = (struct buffer){0};
	f->formats_of = NULL;
	f->kinds = NULL;
	f->formats_count = f->kinds_count = 0;
	f->tid = f->waiting = 0;
	f->first = f->last = f->start = f->now = 0;
	f->ended = f->prepared = f->has_event = f->has_switch = false;
	f->left_out = 0;
}

static enum pk_status start_session(struct critical_filter *f, const struct pk_record *record)
{
	enum pk_status status;

	clear_session(f);
	pk_stage_change(f->run->stage, PK_ORDER_PROCESSING, 0);
	pk_stage_on_open(f->run->stage, announce, f);
	status = pk_context_record(&f->context, f->run->reader, record);
	f->started = status == PK_OK;
	return status;
}

static enum pk_status critical_one(struct critical_filter *f, const struct pk_record *record)
{
	if (!f->prepared && pk_span_maker_is_due(record))
		PK_TRY(prepare(f));
	note_time(f, record);
	if (record->type == PERF_RECORD_SAMPLE) {
		PK_TRY(pk_context_sample(&f->context, record));
		return add_sample(f, record);
	}
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return input_formats_keep(f->run, &f->context, f->prepared, record, &f->formats);
	note_command(f, record);
	note_exit(f, record);
	if (pk_definition_of(record) == PK_RESET) {
		pk_critical_forget_stacks(&f->critical);
		memset(f->kinds, 0, f->kinds_count * sizeof(*f->kinds));
	}
	PK_TRY(pk_context_record(&f->context, f->run->reader, record));
	return input_record_copy(f->run, record);
}

static enum pk_status critical_record(struct pk_run *run, const struct pk_record *record)
{
	struct critical_filter *f = run->arg;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(f, record);
	PK_TRY(critical_one(f, record));
	return pk_run_round(run);
}

static void end_session(struct pk_run *run)
{
	struct critical_filter *f = run->arg;

	if (!f->started)
		return;
	f->started = false;
	if ((!f->prepared && prepare(f) != PK_OK) || write_paths(f) == PK_NOMEM) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		f->failed = true;
	}
	if (f->critical.dropped)
		pk_warn("%" PRIu64 " events are not used, because there are more than %" PRIu64,
			f->critical.dropped, f->critical.most);
	if (f->left_out)
		pk_warn("%" PRIu64
			" spans are left out, because the paths have more than %zu pieces",
			f->left_out, PARTS_MAX);
	if (f->options->id && pk_column_end_session(&f->id, &f->context) != PK_OK)
		f->failed = true;
	if (pk_context_end(&f->context) != PK_OK)
		f->failed = true;
}

/* Parses the name of the field that identifies spans. */
static bool parse_id(struct critical_filter *f)
{
	const char *id = f->options->id;

	if (!id)
		return true;
	if (pk_reference_parse(&f->id.reference, id, strlen(id)) != PK_OK) {
		pk_no_memory();
		return false;
	}
	f->context.needs |= pk_reference_needs(&f->id.reference);
	return true;
}

/* Prints the reason if no path was found, or if no span has the id. Returns the exit status. */
static int end(struct critical_filter *f)
{
	char missing[PK_MISSING_SIZE];

	if (f->failed)
		return PK_EXIT_FAILED;
	if (f->any && f->id.reference.name && !f->id.found) {
		pk_reference_missing(&f->id.reference, missing);
		pk_error("--critical-id: %s", missing);
		return PK_EXIT_FAILED;
	}
	if (f->any)
		return PK_EXIT_OK;
	if (!f->any_switch)
		pk_error("the input has no context switches");
	else if (f->options->of)
		pk_error("--critical-of %s: the input has no samples of this event",
			 f->options->of);
	else
		pk_error("the thread of the path is unknown: record a command, or give the thread "
			 "with --critical=TID");
	pk_preset_report_needs();
	return PK_EXIT_FAILED;
}

int critical_filter(struct pk_run *run, const struct critical_options *options,
		    const struct pk_stage_options *stage, const char *output)
{
	struct critical_filter f = {.run = run,
				    .options = options,
				    .context.needs = PK_NEED_FORMATS | PK_NEED_STACKS |
						     PK_NEED_NAMES | PK_NEED_TASKS};
	int result = PK_EXIT_FAILED;

	pk_run_connect(run, &f.context);
	run->ordered = true;
	run->record = critical_record;
	run->session_end = end_session;
	run->arg = &f;
	if (pk_context_init(&f.context) != PK_OK)
		pk_no_memory();
	else if (parse_id(&f))
		result = pk_run_stage(run, stage, output, "pk-report");
	if (result == PK_EXIT_OK)
		result = end(&f);
	clear_session(&f);
	pk_column_free(&f.id);
	pk_context_free(&f.context);
	return result;
}
