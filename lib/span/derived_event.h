/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DERIVED_EVENT_H
#define PK_DERIVED_EVENT_H

/*
 * A derived event is an event that a filter adds to the stream of its input. This file writes the
 * event and its samples.
 *
 * Readers find the event of a sample by its id (SPEC 4.4). The id must be at the same position in
 * all samples. So a filter that adds an event must write all events, samples and trailers with
 * PERF_SAMPLE_IDENTIFIER. It passes every HEADER_ATTR, EVENT_UPDATE and kernel record to the
 * functions pk_identified_*(). These functions write the record and add the id if the record has
 * none.
 */

#include "buffer.h"
#include "pkprivate.h"

/* ---- Records of the input ---- */

/* Writes a HEADER_ATTR. `event` is the event that this record has announced. */
void pk_identified_attr(struct pk_writer *writer, const struct pk_record *record,
			const struct pk_event *event);
/* Writes an EVENT_UPDATE that is not a definition of pk. In a session of one event, its id can be
 * any number (SPEC 4.3). Such an id is replaced by the id of the event. */
void pk_identified_update(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events);
/* Writes a kernel record. record->event is its event, or NULL. A SAMPLE must be complete
 * (pk_sample_check). Returns false if the record has no room for the id. The record is not written
 * in this case. */
bool pk_identified_record(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events);

/* ---- The derived event ---- */

/* An event that a filter adds. */
struct pk_derived_event {
	struct perf_attr attr;
	uint64_t id;
	uint32_t format; /* the ID that the text of the event's format contains */
};

/* Chooses the attrs and ids of `count` derived events for a session. `events` are the events of the
 * session, at least one. The samples of the derived events have an ip, a cpu or a callchain if
 * samples of at least one event of the session have this field. The caller can add PERF_SAMPLE_ADDR
 * to the sample types. */
void pk_derived_events_choose(struct pk_derived_event *derived, size_t count,
			      const struct pk_events *events);
enum pk_status pk_derived_event_write(const struct pk_derived_event *derived,
				      struct pk_writer *writer);

/* A sample of a derived event. */
struct pk_derived_sample {
	uint16_t misc; /* mode of the processor */
	uint32_t pid, tid, cpu;
	uint64_t ip, time, period;
	uint64_t addr;		  /* address of data, written if the attr has PERF_SAMPLE_ADDR */
	struct pk_u64s callchain; /* shortened if the record would be too large */
	size_t raw_size;	  /* in bytes; raw_size + 4 must be a multiple of 8 */
	uint32_t trailers;	  /* the PK_TRAILER_* bits of the session */
	uint32_t stack, chain_flags;
};

/* Writes a sample, except its raw bytes. Returns the place of the raw bytes, which the caller must
 * fill. Sets *cut if the callchain was shortened. Returns NULL if the writer has failed. */
uint8_t *pk_derived_sample_write(const struct pk_derived_event *derived,
				 const struct pk_derived_sample *sample, struct pk_writer *writer,
				 bool *cut);
/* Like pk_derived_sample_write(), but *record becomes the bytes of the record. Returns NULL if
 * memory is exhausted. */
uint8_t *pk_derived_sample_make(const struct pk_derived_event *derived,
				const struct pk_derived_sample *sample, struct buffer *record,
				bool *cut);

#endif
