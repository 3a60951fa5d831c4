// SPDX-License-Identifier: BSD-2-Clause
/* Packets of Perfetto, as in protos/perfetto/trace of https://github.com/google/perfetto, v58.2.
 * The file is a message Trace, and all fields of this message are packets. */
#include <string.h>

#include "protobuf.h"
#include "trace_writer.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum {
	TRACK_ID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, UNIT_COUNT = 2 };
enum {
	EVENT_CATEGORY = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	EVENT_COUNT = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum {
	ANNOTATION_NAME = 1,
	ANNOTATION_UNSIGNED = 3,
	ANNOTATION_SIGNED = 4,
	ANNOTATION_TEXT = 6,
	ANNOTATION_POINTER = 7,
};
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_FIELD = 3 };
enum { INTERNED_ID = 1, INTERNED_TEXT = 2 };

/* The file has one writer, so all packets have the same sequence number. */
#define SEQUENCE 1

/* ---- Packets ---- */

static void write_packet(struct trace_writer *writer, uint64_t flags)
{
	struct buffer *packet = &writer->packet;

	protobuf_number(packet, PACKET_SEQUENCE, SEQUENCE);
	protobuf_number(packet, PACKET_FLAGS, flags);
	if (writer->interned.size)
		protobuf_message(packet, PACKET_INTERNED, &writer->interned);
	protobuf_message(&writer->out->text, TRACE_PACKET, packet);
	output_part(writer->out);
}

static void start(struct trace_writer *writer)
{
	write_packet(writer, FLAG_CLEARED);
}

/* Adds a number, even if it is 0. */
static void add_number(struct buffer *out, unsigned int field, uint64_t value)
{
	protobuf_varint(out, field << 3);
	protobuf_varint(out, value);
}

static void add_text(struct trace_writer *writer, struct buffer *out, unsigned int field,
		     const char *text, size_t size)
{
	writer->piece.size = 0;
	buffer_valid(&writer->piece, text, size, SIZE_MAX);
	protobuf_message(out, field, &writer->piece);
}

/* Returns the number of a text. The first packet with the text defines its number. */
static uint64_t intern(struct trace_writer *writer, struct pk_texts *texts, unsigned int field,
		       const char *text, size_t size)
{
	const size_t before = texts->count;
	const uint32_t number = pk_texts_add(texts, text, size);

	writer->failed |= !number;
	if (texts->count == before)
		return number;
	protobuf_number(&writer->part, INTERNED_ID, number);
	add_text(writer, &writer->part, INTERNED_TEXT, text, size);
	protobuf_message(&writer->interned, field, &writer->part);
	return number;
}

/* ---- Tracks ---- */

static void write_track(struct trace_writer *writer)
{
	protobuf_message(&writer->packet, PACKET_TRACK, &writer->event);
	write_packet(writer, FLAG_NEEDS_STATE);
}

static void name_process(struct trace_writer *writer, const struct trace_track *track,
			 const char *name)
{
	protobuf_number(&writer->event, TRACK_ID, track->id);
	add_number(&writer->part, PROCESS_PID, (uint64_t)track->pid);
	add_text(writer, &writer->part, PROCESS_NAME, name, strlen(name));
	protobuf_message(&writer->event, TRACK_PROCESS, &writer->part);
	write_track(writer);
}

static void name_thread(struct trace_writer *writer, const struct trace_track *track,
			const char *name)
{
	protobuf_number(&writer->event, TRACK_ID, track->id);
	add_number(&writer->part, THREAD_PID, (uint64_t)track->pid);
	add_number(&writer->part, THREAD_TID, (uint64_t)track->tid);
	add_text(writer, &writer->part, THREAD_NAME, name, strlen(name));
	protobuf_message(&writer->event, TRACK_THREAD, &writer->part);
	write_track(writer);
}

static void name_child(struct trace_writer *writer, const struct trace_track *track,
		       const struct trace_track *parent, const char *name)
{
	protobuf_number(&writer->event, TRACK_ID, track->id);
	if (parent)
		protobuf_number(&writer->event, TRACK_PARENT, parent->id);
	add_text(writer, &writer->event, TRACK_NAME, name, strlen(name));
	write_track(writer);
}

static void name_group(struct trace_writer *writer, const struct trace_track *track,
		       const char *name)
{
	name_child(writer, track, NULL, name);
}

static void name_counter(struct trace_writer *writer, const struct trace_track *track,
			 const char *name)
{
	protobuf_number(&writer->event, TRACK_ID, track->id);
	add_text(writer, &writer->event, TRACK_NAME, name, strlen(name));
	protobuf_number(&writer->part, COUNTER_UNIT, UNIT_COUNT);
	protobuf_message(&writer->event, TRACK_COUNTER, &writer->part);
	write_track(writer);
}

/* ---- Events ---- */

static void add_value(struct trace_writer *writer, struct buffer *out,
		      const struct occurrence_value *value)
{
	switch (pk_kind_as_data(value->kind)) {
	case PK_VALUE_TEXT:
		add_text(writer, out, ANNOTATION_TEXT, (const char *)value->text.data,
			 value->text.size);
		break;
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT: add_number(out, ANNOTATION_SIGNED, value->number); break;
	case PK_VALUE_HEX: add_number(out, ANNOTATION_POINTER, value->number); break;
	default: add_number(out, ANNOTATION_UNSIGNED, value->number); break;
	}
}

static void add_field(struct trace_writer *writer, const struct occurrence_value *value)
{
	const uint64_t name =
		intern(writer, &writer->fields, INTERNED_FIELD, value->name, value->name_size);

	protobuf_number(&writer->part, ANNOTATION_NAME, name);
	add_value(writer, &writer->part, value);
	protobuf_message(&writer->event, EVENT_ANNOTATION, &writer->part);
}

static void add_fields(struct trace_writer *writer, const struct trace_event *event)
{
	struct occurrence_value value;
	size_t index = 0;

	while (event->of && occurrence_value(event->of, event->view, &index, &value))
		if (value.kind != PK_VALUE_NONE)
			add_field(writer, &value);
	if (event->running >= 0)
		add_field(writer, &(struct occurrence_value){.name = "tid",
							     .name_size = strlen("tid"),
							     .kind = PK_VALUE_INT,
							     .number = (uint64_t)event->running});
}

static void write_event(struct trace_writer *writer, uint64_t time)
{
	add_number(&writer->packet, PACKET_TIMESTAMP, time);
	protobuf_message(&writer->packet, PACKET_EVENT, &writer->event);
	write_packet(writer, FLAG_NEEDS_STATE);
}

static void add_start(struct trace_writer *writer, const struct trace_event *event, uint64_t type,
		      uint64_t track)
{
	const uint64_t category = intern(writer, &writer->categories, INTERNED_CATEGORY,
					 event->category, strlen(event->category));
	const uint64_t name =
		intern(writer, &writer->names, INTERNED_NAME, event->name, strlen(event->name));

	protobuf_number(&writer->event, EVENT_TYPE, type);
	protobuf_number(&writer->event, EVENT_TRACK, track);
	protobuf_number(&writer->event, EVENT_CATEGORY, category);
	protobuf_number(&writer->event, EVENT_NAME, name);
}

/* Adds the number of a flow as 64 bits, little-endian. */
static void add_flow(struct trace_writer *writer, unsigned int field, uint64_t flow)
{
	char *p;

	if (!flow)
		return;
	protobuf_varint(&writer->event, field << 3 | 1);
	p = buffer_room(&writer->event, sizeof(flow));
	for (size_t i = 0; p && i < sizeof(flow); i++)
		p[i] = (char)(flow >> 8 * i);
	if (p)
		buffer_end(&writer->event, p + sizeof(flow));
}

static void put_slice_on(struct trace_writer *writer, const struct trace_event *event,
			 uint64_t track)
{
	add_start(writer, event, TYPE_BEGIN, track);
	add_fields(writer, event);
	add_flow(writer, EVENT_FLOW_END, event->flow);
	write_event(writer, event->time);
	protobuf_number(&writer->event, EVENT_TYPE, TYPE_END);
	protobuf_number(&writer->event, EVENT_TRACK, track);
	write_event(writer, event->time + event->duration);
}

static void put_slice(struct trace_writer *writer, const struct trace_event *event)
{
	put_slice_on(writer, event, event->track->id);
}

/* Writes a span on a new track. Perfetto's page shows tracks with equal names as one track. */
static void put_single(struct trace_writer *writer, const struct trace_event *event, uint64_t id)
{
	name_child(writer, &(struct trace_track){.id = id}, event->track, event->name);
	put_slice_on(writer, event, id);
}

static void put_instant(struct trace_writer *writer, const struct trace_event *event)
{
	add_start(writer, event, TYPE_INSTANT, event->track->id);
	add_fields(writer, event);
	add_flow(writer, EVENT_FLOW, event->flow);
	write_event(writer, event->time);
}

static void put_count(struct trace_writer *writer, const struct trace_event *event, uint64_t value)
{
	protobuf_number(&writer->event, EVENT_TYPE, TYPE_COUNTER);
	protobuf_number(&writer->event, EVENT_TRACK, event->track->id);
	add_number(&writer->event, EVENT_COUNT, value > INT64_MAX ? INT64_MAX : value);
	write_event(writer, event->time);
}

/* Writes nothing, because the events themselves have the numbers of their flows. */
static void put_flow(struct trace_writer *writer, const struct trace_flow *flow)
{
	(void)writer;
	(void)flow;
}

const struct trace_format trace_perfetto = {
	.start = start,
	.process = name_process,
	.group = name_group,
	.thread = name_thread,
	.child = name_child,
	.counter = name_counter,
	.slice = put_slice,
	.single = put_single,
	.instant = put_instant,
	.count = put_count,
	.flow = put_flow,
};
