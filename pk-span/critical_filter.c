// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "cli.h"
#include "critical.h"
#include "critical_filter.h"
#include "derived_event.h"
#include "input_records.h"
#include "lookups.h"
#include "pkutil.h"
#include "presets.h"
#include "sched_event.h"
#include "span_format.h"
#include "span_maker.h"
#include "table.h"
#include "tracing_payload.h"
#include "vector.h"

#define EVENT_NAME "critical"

/* The most events of tasks that are kept. Each needs 24 bytes. */
#define EVENTS_MAX (UINT64_C(16) << 20)

enum {
	FIELD_KIND,
	FIELD_START,
	FIELD_DURATION,
	FIELD_DEPTH,
	FIELD_SPAN,
	FIELD_SPAN_DURATION,
	FIELDS
};

/* A period of a thread whose path is found. */
struct period {
	uint32_t tid;
	uint64_t start, end;
};

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
	struct pk_derived_event derived;
	struct pk_span_format format;
	struct buffer formats; /* the payload of TRACING_DATA */
	struct pk_critical critical;
	struct pk_sched_format *formats_of; /* by index of the event; `known` events are set */
	size_t formats_count;
	uint32_t *kinds; /* what a sleeper waits for, plus 1, by id of its stack */
	size_t kinds_count;
	struct pk_table
		waiting;      /* tids of processes that had not executed a command at the start */
	uint32_t tid;	      /* the thread of the path; 0 until it is known */
	uint64_t first, last; /* the period of the path; 0 until it is known */
	uint64_t start, now;  /* times of the first and the last record; 0 if there is none */
	struct {
		struct period *items;
		size_t count, capacity;
	} periods;  /* the periods whose paths are written */
	bool ended; /* the thread has ended, so `last` is final */
	bool has_switch;
	uint64_t left_out; /* spans whose path is not written */
	/* Members about all sessions: */
	bool any_switch, any, failed;
};

/* ---- The derived event ---- */

static void announce(void *arg)
{
	struct critical_filter *f = arg;
	const struct pk_events *events = pk_reader_events(f->run->reader);

	if (!pk_events_count(events))
		return;
	pk_derived_events_choose(&f->derived, 1, events);
	pk_derived_event_write(&f->derived, f->run->writer);
	f->has_event = true;
}

/* Writes the name and the format of the event, before the first record that has a time. */
static enum pk_status prepare(struct critical_filter *f)
{
	struct pk_writer *writer = f->run->writer;
	const struct pk_bytes input = {(const uint8_t *)f->formats.data, f->formats.size};
	struct buffer text = {0}, all = {0};
	bool big_endian;
	enum pk_status status;

	f->prepared = true;
	pk_context_describe(&f->context, pk_stage_input(f->run->stage));
	if (!f->has_event)
		return PK_OK;
	if (!pk_tracing_data_order(&input, &big_endian))
		big_endian = f->run->input.swapped != PK_HOST_IS_BIG;
	pk_span_format_start(&f->format, EVENT_NAME, f->derived.format, big_endian);
	pk_span_format_add(&f->format, "kind", PK_VALUE_TEXT);
	pk_span_format_add(&f->format, "start", PK_VALUE_TIME);
	pk_span_format_add(&f->format, "duration", PK_VALUE_DURATION);
	pk_span_format_add(&f->format, "depth", PK_VALUE_NUMBER);
	pk_span_format_add(&f->format, "span", PK_VALUE_NUMBER);
	pk_span_format_add(&f->format, "span_duration", PK_VALUE_DURATION);
	pk_span_format_text(&f->format, &text);
	status = text.failed ? PK_NOMEM
			     : pk_tracing_data_add(&all, &input,
						   &(struct pk_tracing_format){PK_SPAN_SYSTEM,
									       text.data, text.size,
									       f->derived.format},
						   big_endian);
	free(text.data);
	free(f->formats.data);
	f->formats = all;
	if (status == PK_NOMEM)
		return status;
	pk_writer_update(writer, PERF_EVENT_UPDATE_NAME, f->derived.id,
			 PK_SPAN_SYSTEM ":" EVENT_NAME "\0\0\0\0",
			 PK_ALIGN8(sizeof(PK_SPAN_SYSTEM ":" EVENT_NAME)));
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

static enum pk_status add_period(struct critical_filter *f, uint32_t tid, uint64_t start,
				 uint64_t end)
{
	PK_TRY(pk_vector_reserve(&f->periods, 1));
	f->periods.items[f->periods.count++] = (struct period){tid, start, end};
	return PK_OK;
}

static enum pk_status add_span(struct critical_filter *f, const struct pk_sample *sample)
{
	const uint64_t duration = sample->period < sample->time ? sample->period : sample->time;

	return add_period(f, sample->tid, sample->time - duration, sample->time);
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
		return add_span(f, &sample);
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

/* Finds the command of the recording. Before its exec, its process has a known name. It exists when
 * the recording starts, so its first COMM record has no time. Commands of other recordings that
 * start later have this name, too. */
static enum pk_status note_command(struct critical_filter *f, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;

	if (record->type != PERF_RECORD_COMM || record->size <= sizeof(*comm) || f->tid ||
	    f->options->tid || comm->pid != comm->tid)
		return PK_OK;
	if (record->misc & PERF_RECORD_MISC_COMM_EXEC) {
		if (!pk_table_get_u64(&f->waiting, comm->tid))
			return PK_OK;
		f->tid = comm->tid;
		f->first = record->time;
		return PK_OK;
	}
	if ((record->time && record->time != PK_NO_TIME) ||
	    strncmp(comm->comm, CHILD_COMM, record->size - sizeof(*comm)) != 0)
		return PK_OK;
	return pk_table_set_u64(&f->waiting, comm->tid, 1);
}

/* Returns the thread of the path, or 0 if it is unknown. If the record of the exec is lost, the
 * thread is known if only one process can be the command. */
static uint32_t path_thread(const struct critical_filter *f)
{
	const struct pk_table_slot *slot;
	size_t cursor = 0;

	if (f->options->tid || f->tid)
		return f->options->tid ? f->options->tid : f->tid;
	slot = f->waiting.count == 1 ? pk_table_next(&f->waiting, &cursor) : NULL;
	return slot ? (uint32_t)slot->key : 0;
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
	};
	const struct pk_derived_sample sample = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = piece->pid ? piece->pid : piece->tid,
		.tid = piece->tid,
		.time = piece->end,
		.period = piece->end - piece->start,
		.raw_size = pk_span_format_size(&f->format, values),
		.trailers = pk_stage_input(f->run->stage)->trailers,
		.stack = piece->stack,
	};
	bool cut;
	uint8_t *raw = pk_derived_sample_write(&f->derived, &sample, f->run->writer, &cut);

	if (raw)
		pk_span_format_put(&f->format, piece->tid, values, raw, sample.raw_size);
	return pk_writer_status(f->run->writer);
}

/* Adds the pieces of the path of a period. If there are too many, counts the period. */
static enum pk_status add_path(struct critical_filter *f, struct parts *parts, size_t index)
{
	const struct period *period = &f->periods.items[index];
	struct pk_critical_path path = {0};
	enum pk_status status =
		pk_critical_path(&f->critical, period->tid, period->start, period->end, &path);

	if (status == PK_OK && path.count > PARTS_MAX - parts->count) {
		f->left_out++;
		path.count = 0;
	}
	if (status == PK_OK)
		status = pk_vector_reserve(parts, path.count);
	for (size_t i = 0; i < path.count && status == PK_OK; i++)
		parts->items[parts->count++] = (struct part){path.items[i], index};
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
		status = add_period(f, tid, start, f->ended ? f->last : f->now);
	for (size_t i = 0; i < f->periods.count && status == PK_OK; i++)
		status = add_path(f, &parts, i);
	if (parts.count)
		qsort(parts.items, parts.count, sizeof(*parts.items), by_time);
	for (size_t i = 0; i < parts.count && status == PK_OK; i++)
		status = write_part(f, &parts.items[i]);
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
	pk_table_free(&f->waiting);
	free(f->periods.items);
	f->periods.items = NULL;
	f->periods.count = f->periods.capacity = 0;
	f->critical = (struct pk_critical){.most = EVENTS_MAX};
	f->formats = (struct buffer){0};
	f->formats_of = NULL;
	f->kinds = NULL;
	f->formats_count = f->kinds_count = 0;
	f->tid = 0;
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
	PK_TRY(note_command(f, record));
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
	if (pk_context_end(&f->context) != PK_OK)
		f->failed = true;
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
	if (pk_context_init(&f.context) == PK_OK)
		result = pk_run_stage(run, stage, output, "pk-report");
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	if (result == PK_EXIT_OK && (f.failed || !f.any)) {
		if (!f.failed && !f.any_switch)
			pk_error("the input has no context switches");
		else if (!f.failed && options->of)
			pk_error("--critical-of %s: the input has no samples of this event",
				 options->of);
		else if (!f.failed)
			pk_error("the thread of the path is unknown: record a command, or give the "
				 "thread with --critical=TID");
		if (!f.failed)
			pk_preset_report_needs();
		result = PK_EXIT_FAILED;
	}
	clear_session(&f);
	pk_context_free(&f.context);
	return result;
}
