/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EVENTS_H
#define EVENTS_H

/* The events of a session: attrs, ids, names, arguments. Finds the event of a record. */

#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

struct pk_event_state {
	struct pk_event event;
	char *name;			/* owned; NULL: derived from the attr */
	bool named;			/* the name is from EVENT_UPDATE NAME */
	struct pk_arguments *arguments; /* owned */
	char derived[48];
};

struct pk_events {
	struct pk_event_state **list;
	size_t count, capacity;
	struct pk_table ids; /* struct pk_event by id */
	/* The offsets at which events have their id, in SAMPLEs and in trailers. The bit offset / 8
	 * is set for each. Bit 0 is set if an event has no id. */
	uint8_t sample_places, trailer_places;
	/* A cache of `ids`, by the low bits of the id: each processor's records have their own. */
	struct {
		uint64_t id;
		const struct pk_event *event; /* NULL: the entry is free */
	} recent[32];
	uint32_t cpus_available; /* from the feature NRCPUS; needed to swap CPU_TOPOLOGY */
};

void pk_events_clear(struct pk_events *events);
/* Adds a HEADER_ATTR record in host byte order. If it returns PK_CORRUPT, *problem is the reason.
 * With PK_OK, *problem can be set to a minor problem. */
enum pk_status pk_events_add(struct pk_events *events, const struct pk_record *record,
			     const char **problem);
/* Names an event of this list unless EVENT_UPDATE, EVENT_DESC or an earlier call has named it. */
enum pk_status pk_events_name(struct pk_events *events, const struct pk_event *event,
			      const char *name);
/* Adds the name of an EVENT_UPDATE NAME, and ignores other EVENT_UPDATEs. */
enum pk_status pk_events_update(struct pk_events *events, const struct pk_record *record);
/* Adds ARGUMENTS to its event, and ignores further ARGUMENTS of the same event. In arguments.c. */
enum pk_status pk_events_arguments(struct pk_events *events, const struct pk_record *record);
/* Adds the names of events from the feature EVENT_DESC. */
enum pk_status pk_events_describe(struct pk_events *events, const uint8_t *content, size_t size);
/* Finds the event of a record. With swapped, the record is still in the other byte order. */
const struct pk_event *pk_events_of(struct pk_events *events, const uint8_t *data, uint32_t type,
				    uint16_t size, bool swapped);
/* The time in ns of a kernel record of the event, in host byte order (SPEC 7.2). Returns PK_NO_TIME
 * if it has none, or 0. */
static inline uint64_t pk_event_time(const struct pk_event *event, const struct pk_record *record)
{
	const struct pk_layout *layout = &event->layout;
	uint64_t time = 0;

	if (record->type == PERF_RECORD_SAMPLE) {
		if (layout->time && record->size >= layout->fixed_size)
			time = pk_load_u64(record->data + layout->time);
	} else if (layout->trailer.time &&
		   record->size >= sizeof(struct perf_header) + layout->trailer.size) {
		time = pk_load_u64(record->data + record->size - layout->trailer.time);
	}
	return time ? time : PK_NO_TIME;
}

static inline const struct pk_event *pk_events_of_sample(struct pk_events *events,
							 const uint8_t *data, uint16_t size)
{
	return pk_likely(events->count == 1)
		       ? &events->list[0]->event
		       : pk_events_of(events, data, PERF_RECORD_SAMPLE, size, false);
}
void pk_layout_init(struct pk_layout *layout, const struct perf_attr *attr);
/* Sets the layout of the event's samples, which can depend on its name (SPEC 5.6). */
void pk_event_set_layout(struct pk_event *event);
/* Writes perf's name of the event. For tracepoints, and unknown types and configs, it writes the
 * config as a number. */
void pk_event_derive_name(const struct perf_attr *attr, char *name, size_t size);

#endif
