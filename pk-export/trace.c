// SPDX-License-Identifier: BSD-2-Clause
/* Traces for Perfetto and chrome://tracing. A trace shows what happened at which time. It is
 * written while the input is read. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "cli.h"
#include "sched_event.h"
#include "stat_rounds.h"
#include "trace_tracks.h"
#include "where.h"
#include "vector.h"
#include "weights.h"

/* ---- Scheduler ---- */

/* Finds out which task runs on each processor, and which task wakes which other task. The data
 * comes from sched:sched_switch and the scheduler's wakeup events, or from the spans pk:run. */

/* What is known of the scheduler of the recorded machine at the current time. */
struct trace_sched {
	struct trace_tracks *tracks; /* set by the caller */
	/* Only the functions of this section use these members: */
	struct pk_table wakes; /* struct wake by tid + 1 of the woken task */
	uint64_t last_flow;
	uint64_t last;		     /* the latest time so far, in ns */
	bool switches;		     /* the input has samples of sched:sched_switch */
	struct pk_sched_event event; /* the current sample, decoded */
};

/* A wakeup of a task that has not run since. */
struct wake {
	uint64_t id; /* number of the flow, which connects a wakeup with a run */
	uint64_t time;
	const struct trace_track *from; /* processor of the waking task, or NULL */
};

/* Gets the processor of the sample. Returns false if it is unknown. */
static bool cpu_of(const struct trace_event *event, uint32_t *cpu)
{
	const struct pk_sample *sample = pk_view_sample(event->view);

	if (!sample || !(event->view->event->attr.sample_type & PERF_SAMPLE_CPU))
		return false;
	*cpu = sample->cpu;
	return true;
}

/* ---- Wakeups ---- */

static bool note_wakeup(struct trace_sched *sched, struct trace_event *event, uint32_t tid)
{
	struct trace_cpu *cpu;
	struct wake *wake;
	uint32_t number;

	if (!tid)
		return true;
	wake = pk_table_get_or_add(&sched->wakes, tid + UINT64_C(1), sizeof(*wake));
	if (!wake)
		return false;
	if (wake->id) /* sched_waking has come before this sched_wakeup */
		return true;
	wake->id = event->flow = ++sched->last_flow;
	wake->time = event->time;
	if (!cpu_of(event, &number))
		return true;
	cpu = trace_cpu_of(sched->tracks, number);
	if (cpu && cpu->known && cpu->tid)
		wake->from = &cpu->track;
	return cpu;
}

/* Must be called before a sample that is not a span is written. If the sample is a wakeup,
 * remembers it, and sets event->flow. */
static enum pk_status trace_sched_wakeup(struct trace_sched *sched, struct trace_event *event)
{
	struct pk_sched_event *decoded = &sched->event;

	*decoded = (struct pk_sched_event){0};
	if (event->of)
		*decoded = pk_sched_event_read(&event->of->sched, pk_view_raw(event->view));
	return decoded->kind == PK_SCHED_OTHER || decoded->kind == PK_SCHED_SWITCH ||
			       decoded->kind == PK_SCHED_MIGRATION ||
			       note_wakeup(sched, event, (uint32_t)decoded->tid)
		       ? PK_OK
		       : PK_NOMEM;
}

/* Removes and returns the wakeup of a task that starts to run or ends. If there is no wakeup, all
 * members of the result are 0. */
static struct wake remove_wake(struct trace_sched *sched, uint32_t tid)
{
	const uint64_t key = tid + UINT64_C(1);
	struct wake *found = pk_table_get(&sched->wakes, key), wake = {0};

	if (!found)
		return wake;
	wake = *found;
	free(found);
	pk_table_remove(&sched->wakes, key);
	return wake;
}

/* ---- Processors ---- */

static void write_slice(struct trace_sched *sched, const struct trace_cpu *cpu, uint64_t end)
{
	const struct trace_tracks *tracks = sched->tracks;
	const struct trace_event event = {
		.track = &cpu->track,
		.name = trace_name_text(tracks, cpu->name),
		.category = "sched",
		.time = cpu->start,
		.duration = end > cpu->start ? end - cpu->start : 0,
		.flow = cpu->flow.id,
		.running = cpu->tid,
	};

	tracks->format->slice(tracks->writer, &event);
	if (cpu->flow.from)
		tracks->format->flow(tracks->writer, &cpu->flow);
}

static void end_slice(struct trace_sched *sched, struct trace_cpu *cpu, uint64_t time)
{
	if (cpu->known && cpu->tid)
		write_slice(sched, cpu, time);
	cpu->flow = (struct trace_flow){0};
	cpu->tid = 0;
}

static bool switch_task(struct trace_sched *sched, const struct trace_event *event)
{
	const struct pk_bytes name = pk_sched_event_next_comm(&sched->event);
	struct trace_cpu *cpu;
	struct wake wake;
	uint32_t number;

	if (!cpu_of(event, &number))
		return true;
	cpu = trace_cpu_of(sched->tracks, number);
	if (!cpu)
		return false;
	sched->switches = true;
	end_slice(sched, cpu, event->time);
	remove_wake(sched,
		    (uint32_t)sched->event.tid); /* drops a wakeup that came while the task ran */
	wake = remove_wake(sched, (uint32_t)sched->event.next);
	cpu->known = true;
	cpu->start = event->time;
	cpu->tid = (int32_t)sched->event.next;
	cpu->name = trace_name(sched->tracks, (const char *)name.data, name.size);
	if (wake.id)
		cpu->flow = (struct trace_flow){wake.id, wake.from, &cpu->track, wake.time,
						event->time};
	return cpu->name;
}

static void note_end(struct trace_sched *sched, const struct trace_event *event)
{
	if (event->time + event->duration > sched->last)
		sched->last = event->time + event->duration;
}

/* Must be called after the event was written. If the event is a switch, writes the slice of the
 * task that has run until then. */
static enum pk_status trace_sched_switch(struct trace_sched *sched, const struct trace_event *event)
{
	note_end(sched, event);
	return sched->event.kind != PK_SCHED_SWITCH || switch_task(sched, event) ? PK_OK : PK_NOMEM;
}

/* Must be called after a span was written. If the span is a run of a task, also writes it on the
 * track of its processor. */
static enum pk_status trace_sched_run(struct trace_sched *sched, const struct trace_event *event)
{
	struct trace_event slice = *event;
	struct trace_cpu *cpu;
	struct trace_task *task;
	uint32_t number;

	note_end(sched, event);
	if (sched->switches || strcmp(event->view->event->name, "pk:run") != 0 ||
	    !cpu_of(event, &number))
		return PK_OK;
	cpu = trace_cpu_of(sched->tracks, number);
	task = trace_task_of(sched->tracks, event->view);
	if (!cpu || !task)
		return PK_NOMEM;
	slice.track = &cpu->track;
	slice.name = trace_name_text(sched->tracks, task->name);
	slice.category = "sched";
	slice.of = NULL;
	slice.running = task->track.tid;
	sched->tracks->format->slice(sched->tracks->writer, &slice);
	return PK_OK;
}

/* Writes the slices of tasks that are still running. Called at the end of a session. */
static void trace_sched_end(struct trace_sched *sched)
{
	for (struct trace_cpu *cpu = sched->tracks->first_cpu; cpu; cpu = cpu->next) {
		end_slice(sched, cpu, sched->last);
		cpu->known = false;
	}
	pk_table_free_all(&sched->wakes);
	sched->wakes = (struct pk_table){0};
	sched->last = 0;
}

static void trace_sched_free(struct trace_sched *sched)
{
	pk_table_free_all(&sched->wakes);
}

/* ---- Traces ---- */

struct trace {
	struct exporter base;
	bool perfetto, instants; /* options */
	const char *field;	 /* option: the field whose value names the events, or NULL */
	struct occurrences occurrences;
	struct pk_stat_rounds rounds;
	const struct trace_format *format;
	struct trace_writer writer;
	struct trace_tracks tracks;
	struct trace_sched sched;
	struct title {
		uint32_t category, name; /* numbers of names; 0 if not known yet */
	} * titles; /* by index of the series, for example "sched" and "sched_switch" */
	size_t titles_count;
	struct trace_track *counters; /* by number of the event in `rounds` */
	size_t counters_count;
	struct trace_track counts;  /* group of the counters; its id is 0 until it is named */
	struct buffer name;	    /* name of the current event */
	uint64_t sampled, timeless; /* number of samples of events that are no occurrences, and
				     * number of samples without a time */
};

/* ---- Names ---- */

/* Returns NULL if memory is exhausted. */
static const struct title *title_of(struct trace *t, uint32_t series)
{
	const char *event = t->base.samples.series[series].event, *colon = strchr(event, ':');
	struct title *title;

	if (pk_extend(&t->titles, &t->titles_count, series) != PK_OK)
		return NULL;
	title = &t->titles[series];
	if (title->name)
		return title;
	if (colon && colon[1])
		title->category = trace_name(&t->tracks, event, (size_t)(colon - event));
	else
		title->category = trace_name(&t->tracks, "event", strlen("event"));
	event = colon && colon[1] ? colon + 1 : event;
	title->name = trace_name(&t->tracks, event, strlen(event));
	return title->category && title->name ? title : NULL;
}

/* With --name, returns the value of the sample's field. Returns NULL if the sample does not have
 * the field. */
static const char *named_by(struct trace *t, const struct trace_event *event)
{
	struct occurrence_value value;
	char number[PK_VALUE_SIZE];
	size_t index = 0;

	if (!t->field || !event->of)
		return NULL;
	while (occurrence_value(event->of, event->view, &index, &value)) {
		if (value.kind == PK_VALUE_NONE || strlen(t->field) != value.name_size ||
		    memcmp(t->field, value.name, value.name_size) != 0)
			continue;
		t->name.size = 0;
		if (value.kind == PK_VALUE_TEXT)
			buffer_add(&t->name, value.text.data, value.text.size);
		else
			buffer_add(&t->name, number,
				   pk_number_text(value.kind, value.number, number));
		buffer_char(&t->name, '\0');
		t->writer.failed |= t->name.failed;
		return t->name.failed ? NULL : t->name.data;
	}
	return NULL;
}

/* ---- Samples ---- */

static enum pk_status write_span(struct trace *t, struct trace_task *task, uint32_t series,
				 const char *name, struct trace_event *event)
{
	const struct trace_track *track;

	PK_TRY(trace_span_track(&t->tracks, task, series, name, event, &track));
	if (track) {
		event->track = track;
		t->format->slice(&t->writer, event);
	} else {
		t->format->single(&t->writer, event, trace_new_id(&t->tracks));
	}
	return PK_OK;
}

static enum pk_status write_event(struct trace *t, const struct export_sample *sample,
				  struct trace_event *event)
{
	struct trace_task *task = trace_task_of(&t->tracks, sample->view);
	const struct title *title = title_of(t, sample->series);
	const char *name, *title_name;

	if (!task || !title)
		return PK_NOMEM;
	title_name = trace_name_text(&t->tracks, title->name);
	name = named_by(t, event);
	event->track = &task->track;
	event->category = trace_name_text(&t->tracks, title->category);
	event->name = name ? name : title_name;
	if (event->of &&
	    occurrence_times(event->of, sample->view, &event->time, &event->duration)) {
		if (event->duration > UINT64_MAX - event->time)
			event->duration = UINT64_MAX - event->time;
		PK_TRY(write_span(t, task, sample->series, title_name, event));
		return trace_sched_run(&t->sched, event);
	}
	PK_TRY(trace_sched_wakeup(&t->sched, event));
	t->format->instant(&t->writer, event);
	return trace_sched_switch(&t->sched, event);
}

static enum pk_status count_sample(void *arg, const struct export_sample *sample)
{
	struct trace *t = arg;
	const struct pk_event *type = sample->view->event;
	struct trace_event event = {.time = sample->time, .view = sample->view, .running = -1};

	if (sample->view->counted != type)
		return PK_OK;
	if (pk_event_is_occurrence(type)) {
		event.of = occurrence_of(&t->occurrences, sample->view->context, type);
		if (!event.of)
			return PK_NOMEM;
	} else if (!t->instants) {
		t->sampled++;
		return PK_OK;
	}
	t->timeless += !sample->time;
	PK_TRY(write_event(t, sample, &event));
	if (t->writer.failed)
		return PK_NOMEM;
	return t->base.out.failed ? PK_END : PK_OK;
}

/* ---- Counts ---- */

/* The callback pk_stat_rounds.count. The times of counts are relative to the start of their stream.
 */
static enum pk_status add_count(void *arg, const struct pk_stat_count *count)
{
	struct trace *t = arg;
	struct trace_event event = {.name = count->event,
				    .category = "count",
				    .time = t->base.samples.first + count->start,
				    .running = -1};
	struct trace_track *track;

	PK_TRY(pk_extend(&t->counters, &t->counters_count, count->number));
	track = &t->counters[count->number];
	if (!t->counts.id)
		t->counts = trace_new_group(&t->tracks, "Counts");
	if (!track->id) {
		*track = t->counts;
		track->id = trace_new_id(&t->tracks);
		t->format->counter(&t->writer, track, count->event);
	}
	event.track = track;
	t->format->count(&t->writer, &event, count->count);
	t->base.samples.tail.has_others = true;
	return t->writer.failed ? PK_NOMEM : PK_OK;
}

static enum pk_status read_record(void *arg, struct pk_run *run, const struct pk_record *record)
{
	struct trace *t = arg;

	if (record->type == PK_RECORD_BEGIN)
		trace_sched_end(&t->sched);
	return pk_stat_rounds_record(&t->rounds, pk_reader_events(run->reader), record);
}

/* ---- The format ---- */

static void report(const struct trace *t)
{
	char number[32];

	if (t->sampled)
		pk_warn("%s samples of events that are not tracepoints, probes or spans are left "
			"out: use --samples, or pk-export firefox",
			pk_number(number, t->sampled));
	if (t->timeless)
		pk_warn("%s samples have no time: they are at 0", pk_number(number, t->timeless));
}

static int start(void *format)
{
	struct trace *t = format;

	t->format = t->perfetto ? &trace_perfetto : &trace_json;
	t->base.kind = t->perfetto ? OUTPUT_BINARY : OUTPUT_TEXT;
	t->rounds.arg = t;
	t->rounds.count = add_count;
	t->writer.out = &t->base.out;
	t->tracks.format = t->format;
	t->tracks.writer = &t->writer;
	t->sched.tracks = &t->tracks;
	t->format->start(&t->writer);
	return PK_CONTINUE;
}

static void write_end(void *format)
{
	struct trace *t = format;

	trace_sched_end(&t->sched);
	if (t->format->end)
		t->format->end(&t->writer);
	report(t);
	t->base.failed = t->writer.failed;
}

static int end(void *format, int result)
{
	struct trace *t = format;

	trace_sched_free(&t->sched);
	trace_tracks_free(&t->tracks);
	occurrences_free(&t->occurrences);
	pk_stat_rounds_free(&t->rounds);
	pk_texts_free(&t->writer.names);
	pk_texts_free(&t->writer.categories);
	pk_texts_free(&t->writer.fields);
	free(t->writer.packet.data);
	free(t->writer.event.data);
	free(t->writer.part.data);
	free(t->writer.piece.data);
	free(t->writer.interned.data);
	free(t->name.data);
	free(t->titles);
	free(t->counters);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct trace, member)

static const struct pk_option rows[] = {
	PK_TITLE("The trace"),
	{0, "perfetto", NULL, PK_FLAG, "packets of Perfetto (protobuf), which are smaller",
	 AT(perfetto)},
	{0, "name", "FIELD", PK_TEXT, "events with this field are called by its value", AT(field)},
	{0, "samples", NULL, PK_FLAG, "instants of all other samples, too", AT(instants)},
	{0, "event", "GLOB", PK_CALL, "export these events (default: all)",
	 AT(base.options.tail.weigh), .parse = pk_add_event},
	{.kind = PK_ROWS, .rows = pk_where_row, AT(base.options.tail)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(base.common)},
	PK_OPTIONS_END,
};

const struct export_format export_trace = {
	.name = "trace",
	.description = "trace for Perfetto and chrome://tracing: spans, tracepoints, counts",
	.command = {.usage = "Usage: pk-export trace [OPTION...] [FILE...]\n\n"
			     "Writes trace events in JSON: spans, tracepoints and probes of each "
			     "thread, tasks of\n"
			     "each processor, wakeups, and counts of pk-stat.\n",
		    .options = rows,
		    .examples = "  pk-record -a -e sched --for 5s | pk-export trace --perfetto -o "
				"sched.pftrace\n"
				"  pk-record -e 'raw_syscalls:*' -- ./app | pk-span syscalls | "
				"pk-export trace --name call -o app.json\n"},
	.size = sizeof(struct trace),
	.next = "gzip",
	.needs = PK_NEED_FORMATS | PK_NEED_TASKS,
	.no_stacks = true,
	.start = start,
	.sample = count_sample,
	.record = read_record,
	.write = write_end,
	.end = end,
};
