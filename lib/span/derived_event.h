/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DERIVED_EVENT_H
#define PK_DERIVED_EVENT_H

/*
 * An event that a filter adds to the stream of its input, and the samples of it.
 *
 * Readers find the event of a sample by its id (SPEC 4.4), which must be at the same position in
 * all samples. So a filter that adds an event writes all events, samples and trailers with
 * PERF_SAMPLE_IDENTIFIER: it passes every HEADER_ATTR, EVENT_UPDATE and kernel record on with the
 * functions pk_identified_*(), which add what the record lacks.
 */

#include "pkprivate.h"

/* ---- Records of the input ---- */

/* Writes a HEADER_ATTR; event is the one that it has announced. */
void pk_identified_attr(struct pk_writer *writer, const struct pk_record *record,
			const struct pk_event *event);
/* Writes an EVENT_UPDATE that is not a definition of pk: in a session of one event, any id was that
 * of this event (SPEC 4.3). */
void pk_identified_update(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events);
/* Writes a kernel record; record->event is its event, or NULL. A SAMPLE must be complete
 * (pk_sample_check). Returns false if the record has no room for the id, and is not written. */
bool pk_identified_record(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events);

/* ---- The derived event ---- */

struct pk_derived_event {
	struct perf_attr attr;
	uint64_t id;
	uint32_t format; /* the ID of its format */
};

/* Chooses the attrs and ids of several events, for a session with these events, at least one. Their
 * samples have an address, a cpu and a callchain if those of one of the events have. The caller can
 * add PERF_SAMPLE_ADDR to their sample types. */
void pk_derived_events_choose(struct pk_derived_event *derived, size_t count,
			      const struct pk_events *events);
enum pk_status pk_derived_event_write(const struct pk_derived_event *derived,
				      struct pk_writer *writer);

/* A sample of the event. */
struct pk_derived_sample {
	uint16_t misc; /* processor mode */
	uint32_t pid, tid, cpu;
	uint64_t ip, time, period;
	uint64_t addr;		  /* of data; written if the attr has PERF_SAMPLE_ADDR */
	struct pk_u64s callchain; /* cut if the record would be too large */
	size_t raw_size;	  /* with the u32 of its size a multiple of 8 */
	uint32_t trailers;	  /* PK_TRAILER_*: those of the session */
	uint32_t stack, chain_flags;
};

/* Writes a sample without its raw bytes, and returns their place, which the caller fills. Sets *cut
 * if the callchain was cut. Returns NULL if the writer has failed. */
uint8_t *pk_derived_sample_write(const struct pk_derived_event *derived,
				 const struct pk_derived_sample *sample, struct pk_writer *writer,
				 bool *cut);

#endif
