// SPDX-License-Identifier: BSD-2-Clause
/* Trace events in JSON, the format of chrome://tracing, which Perfetto's page reads, too. */
#include <string.h>

#include "cli.h"
#include "scaled_time.h"
#include "trace_writer.h"

static void put(struct trace_writer *writer, const char *text)
{
	buffer_text(&writer->out->text, text);
}

static void put_quoted(struct trace_writer *writer, const char *before, const char *text)
{
	put(writer, before);
	buffer_quoted(&writer->out->text, text, strlen(text));
}

static void put_signed(struct trace_writer *writer, const char *before, int64_t number)
{
	put(writer, before);
	buffer_signed(&writer->out->text, number, 0);
}

/* Times are microseconds. */
static void put_time(struct trace_writer *writer, const char *before, uint64_t ns)
{
	put(writer, before);
	scaled_time(&writer->out->text, ns, 3);
}

static void start(struct trace_writer *writer)
{
	put(writer,
	    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"pk-export " PK_VERSION
	    "\"},\"traceEvents\":[");
}

static void end(struct trace_writer *writer)
{
	put(writer, "\n]}\n");
}

/* The members that all events have. */
static void put_start(struct trace_writer *writer, const char *phase,
		      const struct trace_track *track)
{
	put(writer, writer->comma ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	writer->comma = true;
	put(writer, phase);
	put_signed(writer, "\",\"pid\":", track->pid);
	put_signed(writer, ",\"tid\":", track->tid);
}

static void put_end(struct trace_writer *writer)
{
	put(writer, "}");
	output_part(writer->out);
}

static void put_metadata(struct trace_writer *writer, const char *kind,
			 const struct trace_track *track, const char *name)
{
	put_start(writer, "M", track);
	put_quoted(writer, ",\"name\":", kind);
	put_quoted(writer, ",\"args\":{\"name\":", name);
	put(writer, "}");
	put_end(writer);
}

static void name_process(struct trace_writer *writer, const struct trace_track *track,
			 const char *name)
{
	put_metadata(writer, "process_name", track, name);
}

static void name_thread(struct trace_writer *writer, const struct trace_track *track,
			const char *name)
{
	put_metadata(writer, "thread_name", track, name);
}

static void name_child(struct trace_writer *writer, const struct trace_track *track,
		       const struct trace_track *parent, const char *name)
{
	(void)parent;
	name_thread(writer, track, name);
}

/* Counters have no track. */
static void name_counter(struct trace_writer *writer, const struct trace_track *track,
			 const char *name)
{
	(void)writer;
	(void)track;
	(void)name;
}

static void put_fields(struct trace_writer *writer, const struct trace_event *event)
{
	struct buffer *out = &writer->out->text;
	struct occurrence_value value;
	const char *before = "";
	size_t index = 0;

	put(writer, ",\"args\":{");
	while (event->of && occurrence_value(event->of, event->view, &index, &value)) {
		if (value.kind == PK_VALUE_NONE)
			continue;
		put(writer, before);
		buffer_quoted(out, value.name, value.name_size);
		put(writer, ":");
		occurrence_json(out, &value);
		before = ",";
	}
	if (event->running >= 0)
		put_signed(writer, "\"tid\":", event->running);
	put(writer, "}");
}

static void put_event(struct trace_writer *writer, const char *phase,
		      const struct trace_event *event)
{
	put_start(writer, phase, event->track);
	put_time(writer, ",\"ts\":", event->time);
	put_quoted(writer, ",\"cat\":", event->category);
	put_quoted(writer, ",\"name\":", event->name);
}

static void put_slice(struct trace_writer *writer, const struct trace_event *event)
{
	put_event(writer, "X", event);
	put_time(writer, ",\"dur\":", event->duration);
	put_fields(writer, event);
	put_end(writer);
}

/* A pair of asynchronous events. */
static void put_single(struct trace_writer *writer, const struct trace_event *event, uint64_t id)
{
	struct trace_event last = *event;

	put_event(writer, "b", event);
	put_signed(writer, ",\"id\":", (int64_t)id);
	put_fields(writer, event);
	put_end(writer);
	last.time += event->duration;
	put_event(writer, "e", &last);
	put_signed(writer, ",\"id\":", (int64_t)id);
	put_end(writer);
}

static void put_instant(struct trace_writer *writer, const struct trace_event *event)
{
	put_event(writer, "i", event);
	put(writer, ",\"s\":\"t\"");
	put_fields(writer, event);
	put_end(writer);
}

static void put_count(struct trace_writer *writer, const struct trace_event *event, uint64_t value)
{
	put_event(writer, "C", event);
	put(writer, ",\"args\":{\"count\":");
	buffer_decimal(&writer->out->text, value, 0);
	put(writer, "}");
	put_end(writer);
}

static void put_flow(struct trace_writer *writer, const struct trace_flow *flow)
{
	const struct trace_event from = {.track = flow->from,
					 .name = "wakeup",
					 .category = "sched",
					 .time = flow->from_time};
	const struct trace_event to = {
		.track = flow->to, .name = "wakeup", .category = "sched", .time = flow->to_time};

	put_event(writer, "s", &from);
	put_signed(writer, ",\"id\":", (int64_t)flow->id);
	put_end(writer);
	put_event(writer, "f", &to);
	put(writer, ",\"bp\":\"e\"");
	put_signed(writer, ",\"id\":", (int64_t)flow->id);
	put_end(writer);
}

const struct trace_format trace_json = {
	.start = start,
	.end = end,
	.process = name_process,
	.group = name_process,
	.thread = name_thread,
	.child = name_child,
	.counter = name_counter,
	.slice = put_slice,
	.single = put_single,
	.instant = put_instant,
	.count = put_count,
	.flow = put_flow,
};
