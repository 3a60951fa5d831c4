/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EVENTS_H
#define EVENTS_H

/* The events of a session: their attrs, ids, names and arguments. Functions find the event of a
 * record. */

#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

/* An event, and the data that belongs to it. */
struct pk_event_state {
	struct pk_event event;
	char *name; /* the name of the event, owned by this struct; NULL if the name is derived from
		     * the attr */
	bool named; /* the name comes from an EVENT_UPDATE NAME, which has precedence over other
		     * names */
	struct pk_arguments *arguments; /* the arguments of the event, owned by this struct */
	char derived[48];
};

/* All events of a session. */
struct pk_events {
	struct pk_event_state **list;
	size_t count, capacity;
	size_t read;	     /* number of events that the input has defined */
	struct pk_table ids; /* finds the struct pk_event by its id */
	/* The offsets at which the events have their id, in SAMPLEs and in trailers. For each such
	 * offset, the bit with the number offset / 8 is set. Bit 0 is set if an event has no id. */
	uint8_t sample_places, trailer_places;
	/* A cache of `ids`. The low bits of the id select the entry of the cache. There are several
	 * entries because each processor has its own ids. */
	struct {
		uint64_t id;
		const struct pk_event *event; /* NULL if the entry is free */
	} recent[32];
	uint32_t ibs_processor;	 /* private to ibs.c */
	uint32_t cpus_available; /* from the feature NRCPUS; needed to swap the feature CPU_TOPOLOGY
				  */
};

void pk_events_clear(struct pk_events *events);
/* Adds the event of a HEADER_ATTR record in host byte order. If the function returns PK_CORRUPT,
 * *problem is the reason. If it returns PK_OK, *problem can be a minor problem. */
enum pk_status pk_events_add(struct pk_events *events, const struct pk_record *record,
			     const char **problem);
/* Adds an event that the input does not have. Its ids are not used to find events of records. */
enum pk_status pk_events_derive(struct pk_events *events, const struct perf_attr *attr, uint64_t id,
				const char *name);
/* Names an event unless the event already has a name from EVENT_UPDATE, EVENT_DESC or an earlier
 * call. */
enum pk_status pk_events_name(struct pk_events *events, const struct pk_event *event,
			      const char *name);
/* Sets the name from an EVENT_UPDATE NAME record, and ignores other EVENT_UPDATE records. */
enum pk_status pk_events_update(struct pk_events *events, const struct pk_record *record);
/* Adds the arguments of an ARGUMENTS record to the event. If the event already has arguments, the
 * record is ignored. This function is in arguments.c. */
enum pk_status pk_events_arguments(struct pk_events *events, const struct pk_record *record);
/* Use the content of the features CPUID and PMU_MAPPINGS: gives arguments to the events of AMD's
 * IBS. These functions are in ibs.c. */
void pk_events_processor(struct pk_events *events, const uint8_t *content, size_t size);
enum pk_status pk_events_pmus(struct pk_events *events, const uint8_t *content, size_t size);
/* Returns the value of an argument of the kind PK_ARGUMENT_IBS. Returns false if the sample does
 * not have it. */
bool pk_ibs_get(const struct pk_argument *argument, const struct pk_bytes *raw, uint64_t *value);
/* Sets the names of events from the content of the feature EVENT_DESC. */
enum pk_status pk_events_describe(struct pk_events *events, const uint8_t *content, size_t size);
/* Finds the event of a record. `swapped` says that the byte order of the record is not the host's.
 */
const struct pk_event *pk_events_of(struct pk_events *events, const uint8_t *data, uint32_t type,
				    uint16_t size, bool swapped);
/* Returns the time of a kernel record of the event in ns (SPEC 7.2). The record is in host byte
 * order. Returns PK_NO_TIME if the record has no time, or if its time is 0. */
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
	return pk_likely(events->read == 1)
		       ? &events->list[0]->event
		       : pk_events_of(events, data, PERF_RECORD_SAMPLE, size, false);
}
void pk_layout_init(struct pk_layout *layout, const struct perf_attr *attr);
/* Sets the layout of the event's samples. The layout can depend on the event's name (SPEC 5.6). */
void pk_event_set_layout(struct pk_event *event);
/* Writes the name that perf gives to the event. The name of a tracepoint, or of an event with an
 * unknown type or config, contains the config as a number. */
void pk_event_derive_name(const struct perf_attr *attr, char *name, size_t size);

#endif
