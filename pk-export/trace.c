// SPDX-License-Identifier: BSD-2-Clause
/* Traces for Perfetto and chrome://tracing: what happened when. They are written while the input is
 * read. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "export_output.h"
#include "lookups.h"
#include "samples.h"
#include "stat_rounds.h"
#include "trace_sched.h"
#include "vector.h"
#include "weights.h"

struct trace {
	const struct export_options *options;
	struct export_samples samples;
	struct occurrences occurrences;
	struct pk_stat_rounds rounds;
	const struct trace_format *format;
	struct trace_writer writer;
	struct trace_tracks tracks;
	struct trace_sched sched;
	struct export_output out;
	struct title {
		uint32_t category, name; /* numbers of names; 0: not yet known */
	} * titles;			 /* by series: "sched" and "sched_switch" */
	size_t titles_count;
	struct trace_track *counters; /* by number of the event in `rounds` */
	size_t counters_count;
	struct trace_track counts;  /* their group; id 0: not named yet */
	struct buffer name;	    /* of the current event */
	uint64_t sampled, timeless; /* samples of events that are no occurrences; without a time */
};

/* ---- Names ---- */

/* NULL: out of memory. */
static const struct title *title_of(struct trace *t, uint32_t series)
{
	const char *event = t->samples.series[series].event, *colon = strchr(event, ':');
	struct title *title;

	if (!pk_extend(&t->titles, &t->titles_count, series))
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

/* With --name: the value of the sample's field; NULL: it has none. */
static const char *named_by(struct trace *t, const struct trace_event *event)
{
	struct occurrence_value value;
	char number[PK_VALUE_SIZE];
	size_t index = 0;

	if (!t->options->name || !event->of)
		return NULL;
	while (occurrence_value(event->of, event->view, &index, &value)) {
		if (value.kind == PK_VALUE_NONE || strlen(t->options->name) != value.name_size ||
		    memcmp(t->options->name, value.name, value.name_size) != 0)
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

static bool write_span(struct trace *t, struct trace_task *task, uint32_t series, const char *name,
		       struct trace_event *event)
{
	const struct trace_track *track;

	if (!trace_span_track(&t->tracks, task, series, name, event, &track))
		return false;
	if (track) {
		event->track = track;
		t->format->slice(&t->writer, event);
	} else {
		t->format->single(&t->writer, event, trace_new_id(&t->tracks));
	}
	return true;
}

static bool write_event(struct trace *t, const struct export_sample *sample,
			struct trace_event *event)
{
	struct trace_task *task = trace_task_of(&t->tracks, sample->view);
	const struct title *title = title_of(t, sample->series);
	const char *name, *title_name;

	if (!task || !title)
		return false;
	title_name = trace_name_text(&t->tracks, title->name);
	name = named_by(t, event);
	event->track = &task->track;
	event->category = trace_name_text(&t->tracks, title->category);
	event->name = name ? name : title_name;
	if (event->of &&
	    occurrence_times(event->of, sample->view, &event->time, &event->duration)) {
		if (event->duration > UINT64_MAX - event->time)
			event->duration = UINT64_MAX - event->time;
		return write_span(t, task, sample->series, title_name, event) &&
		       trace_sched_run(&t->sched, event);
	}
	if (!trace_sched_wakeup(&t->sched, event))
		return false;
	t->format->instant(&t->writer, event);
	return trace_sched_switch(&t->sched, event);
}

static bool count_sample(void *arg, const struct export_sample *sample)
{
	struct trace *t = arg;
	const struct pk_event *type = sample->view->event;
	struct trace_event event = {.time = sample->time, .view = sample->view, .running = -1};

	if (sample->view->counted != type)
		return true;
	if (pk_event_is_occurrence(type)) {
		event.of = occurrence_of(&t->occurrences, sample->view->context, type);
		if (!event.of)
			return false;
	} else if (!t->options->instants) {
		t->sampled++;
		return true;
	}
	t->timeless += !sample->time;
	if (!write_event(t, sample, &event) || t->writer.failed)
		return false;
	t->samples.stop = t->out.failed;
	return !t->out.failed;
}

/* ---- Counts ---- */

/* pk_stat_rounds.count. Their times count from the start of their stream. */
static bool add_count(void *arg, const struct pk_stat_count *count)
{
	struct trace *t = arg;
	struct trace_event event = {.name = count->event,
				    .category = "count",
				    .time = t->samples.first + count->start,
				    .running = -1};
	struct trace_track *track;

	if (!pk_extend(&t->counters, &t->counters_count, count->number))
		return false;
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
	t->samples.has_others = true;
	return !t->writer.failed;
}

static bool read_record(void *arg, struct pk_run *run, const struct pk_record *record)
{
	struct trace *t = arg;

	if (record->type == PK_RECORD_BEGIN)
		trace_sched_end(&t->sched);
	return pk_stat_rounds_record(&t->rounds, pk_reader_events(run->reader), record);
}

/* ---- All ---- */

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

static void free_all(struct trace *t)
{
	trace_sched_free(&t->sched);
	trace_tracks_free(&t->tracks);
	occurrences_free(&t->occurrences);
	pk_stat_rounds_free(&t->rounds);
	free(t->writer.packet.data);
	free(t->writer.event.data);
	free(t->writer.part.data);
	free(t->writer.piece.data);
	free(t->writer.interned.data);
	free(t->name.data);
	free(t->titles);
	free(t->counters);
	free(t);
}

static void set_up(struct trace *t, struct export_options *options)
{
	t->options = options;
	t->format = options->perfetto ? &trace_perfetto : &trace_json;
	t->samples.options = &options->samples;
	t->samples.sample = count_sample;
	t->samples.record = read_record;
	t->samples.needs = PK_NEED_FORMATS | PK_NEED_TASKS;
	t->samples.no_stacks = true;
	t->samples.arg = t->rounds.arg = t;
	t->rounds.count = add_count;
	t->writer.out = &t->out;
	t->tracks.format = t->format;
	t->tracks.writer = &t->writer;
	t->sched.tracks = &t->tracks;
}

static int export(struct pk_run *run, struct export_options *options)
{
	struct trace *t = calloc(1, sizeof(*t));
	int result;

	if (!t)
		return pk_no_memory();
	set_up(t, options);
	result = output_open(&t->out, options->perfetto ? OUTPUT_BINARY : OUTPUT_TEXT,
			     options->output, "gzip");
	if (!result) {
		t->format->start(&t->writer);
		result = samples_read(&t->samples, run);
		trace_sched_end(&t->sched);
		t->format->end(&t->writer);
		report(t);
		if (t->writer.failed)
			result = pk_no_memory();
		result = samples_finish(&t->samples, result);
		result = output_close(&t->out, result);
	}
	free_all(t);
	return result;
}

/* ---- Options ---- */

enum { OPT_PERFETTO = OPT_FORMATS, OPT_NAME, OPT_SAMPLES };

static const struct option long_options[] = {
	{"perfetto", no_argument, NULL, OPT_PERFETTO},
	{"name", required_argument, NULL, OPT_NAME},
	{"samples", no_argument, NULL, OPT_SAMPLES},
	{"event", required_argument, NULL, OPT_SAMPLES_EVENT},
	{"where", required_argument, NULL, OPT_SAMPLES_WHERE},
	PK_COMMON_LONG,
};

static int parse_option(struct export_options *options, int c)
{
	switch (c) {
	case OPT_PERFETTO: options->perfetto = true; return -1;
	case OPT_NAME: options->name = optarg; return -1;
	case OPT_SAMPLES: options->instants = true; return -1;
	default: return sample_option(&options->samples, c);
	}
}

const struct export_format export_trace = {
	.name = "trace",
	.description = "trace for Perfetto and chrome://tracing: spans, tracepoints, counts",
	.help = "Writes trace events in JSON: spans, tracepoints and probes of each thread, tasks "
		"of\neach processor, wakeups, and counts of pk-stat.\n"
		"\n"
		"      --perfetto        packets of Perfetto (protobuf), which are smaller\n"
		"      --name=FIELD      events with this field are called by its value\n"
		"      --samples         instants of all other samples, too\n"
		"      --event=GLOB      export these events (default: all)\n"
		"      --where=EXPR      only samples that fulfil the expression\n" //
	PK_COMMON_HELP "\n"
		"  pk-record -a -e sched --for 5s | pk-export trace --perfetto -o sched.pftrace\n"
		"  pk-record -e 'raw_syscalls:*' -- ./app | pk-span syscalls | pk-export trace "
		"--name call -o app.json",
	.options = long_options,
	.option = parse_option,
	.run = export,
};
