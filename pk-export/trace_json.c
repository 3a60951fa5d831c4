// SPDX-License-Identifier: BSD-2-Clause
/* Trace events in JSON. This is the format of chrome://tracing, and Perfetto's page also reads it.
 */
#include "cli.h"
#include "scaled_time.h"
#include "trace_writer.h"

static void start(struct trace_writer *writer)
{
	struct json *json = &writer->out->json;

	json_open(json, NULL, '{');
	json_known(json,
		   "'displayTimeUnit':'ns','otherData':{'exporter':'pk-export " PK_VERSION "'}");
	json_open(json, "traceEvents", '[');
}

static void end(struct trace_writer *writer)
{
	buffer_text(&writer->out->text, "\n]}\n");
}

/* Writes the members that all events have. */
static void put_start(struct json *json, const char *phase, const struct trace_track *track)
{
	json_line(json);
	json_open(json, NULL, '{');
	json_plain(json, "ph", phase);
	json_signed(json, "pid", track->pid);
	json_signed(json, "tid", track->tid);
}

static void put_end(struct trace_writer *writer)
{
	json_close(&writer->out->json, '}');
	output_part(writer->out);
}

static void put_metadata(struct trace_writer *writer, const char *kind,
			 const struct trace_track *track, const char *name)
{
	struct json *json = &writer->out->json;

	put_start(json, "M", track);
	json_text(json, "name", kind);
	json_open(json, "args", '{');
	json_text(json, "name", name);
	json_close(json, '}');
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

/* Writes nothing, because counters have no track in this format. */
static void name_counter(struct trace_writer *writer, const struct trace_track *track,
			 const char *name)
{
	(void)writer;
	(void)track;
	(void)name;
}

static void put_fields(struct json *json, const struct trace_event *event)
{
	struct occurrence_value value;
	size_t index = 0;

	json_open(json, "args", '{');
	while (event->of && occurrence_value(event->of, event->view, &index, &value)) {
		if (value.kind == PK_VALUE_NONE)
			continue;
		json_name(json, value.name, value.name_size);
		occurrence_json(json->out, &value);
	}
	if (event->running >= 0)
		json_signed(json, "tid", event->running);
	json_close(json, '}');
}

/* Writes the start of an event. Times are in microseconds. */
static void put_event(struct json *json, const char *phase, const struct trace_event *event)
{
	put_start(json, phase, event->track);
	json_time(json, "ts", event->time, 3);
	json_text(json, "cat", event->category);
	json_text(json, "name", event->name);
}

static void put_slice(struct trace_writer *writer, const struct trace_event *event)
{
	struct json *json = &writer->out->json;

	put_event(json, "X", event);
	json_time(json, "dur", event->duration, 3);
	put_fields(json, event);
	put_end(writer);
}

/* Writes a span as a pair of asynchronous events. */
static void put_single(struct trace_writer *writer, const struct trace_event *event, uint64_t id)
{
	struct json *json = &writer->out->json;
	struct trace_event last = *event;

	put_event(json, "b", event);
	json_number(json, "id", id);
	put_fields(json, event);
	put_end(writer);
	last.time += event->duration;
	put_event(json, "e", &last);
	json_number(json, "id", id);
	put_end(writer);
}

static void put_instant(struct trace_writer *writer, const struct trace_event *event)
{
	struct json *json = &writer->out->json;

	put_event(json, "i", event);
	json_plain(json, "s", "t");
	put_fields(json, event);
	put_end(writer);
}

static void put_count(struct trace_writer *writer, const struct trace_event *event, uint64_t value)
{
	struct json *json = &writer->out->json;

	put_event(json, "C", event);
	json_open(json, "args", '{');
	json_number(json, "count", value);
	json_close(json, '}');
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
	struct json *json = &writer->out->json;

	put_event(json, "s", &from);
	json_number(json, "id", flow->id);
	put_end(writer);
	put_event(json, "f", &to);
	json_text(json, "bp", "e");
	json_number(json, "id", flow->id);
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
