/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPE_EVENTS_H
#define PK_SPE_EVENTS_H

/* The events that pk-decode makes of an SPE trace, and their samples. Each operation can be a
 * sample of several events. The events have the names that perf gives them. */

#include "pkstream.h"
#include "spe.h"

enum spe_event {
	SPE_EVENT_MEMORY,
	SPE_EVENT_BRANCH,
	SPE_EVENT_INSTRUCTIONS,
	SPE_EVENT_L1D_MISS,
	SPE_EVENT_L1D_ACCESS,
	SPE_EVENT_LLC_MISS,
	SPE_EVENT_LLC_ACCESS,
	SPE_EVENT_TLB_MISS,
	SPE_EVENT_TLB_ACCESS,
	SPE_EVENT_REMOTE_ACCESS,
	SPE_EVENTS
};

/* Returns the name of an event. */
const char *spe_event_name(enum spe_event event);

/* The events of a session. */
struct spe_events {
	bool wanted[SPE_EVENTS]; /* set by the caller */
	uint64_t every;		 /* set by the caller; the period of the samples */
	struct perf_attr attr;	 /* of all events, except for the differences below */
	uint64_t ids[SPE_EVENTS];
	uint64_t samples[SPE_EVENTS]; /* number of samples in all sessions */
};

/* Chooses the attrs and ids of the events, and writes their HEADER_ATTR and names. `events` are the
 * events of the session, at least one. `pmu_type` is the type of the event that recorded the
 * trace. */
enum pk_status spe_events_write(struct spe_events *made, const struct pk_events *events,
				uint32_t pmu_type, struct pk_writer *writer);

/* The parts of a sample that are not in the trace. */
struct spe_sample {
	const struct spe_record *record;
	uint64_t time, data_source;
	uint32_t pid, tid, cpu;
	bool trailer; /* the samples of the session have stack trailers */
};

/* Writes the samples of an operation. */
enum pk_status spe_events_sample(struct spe_events *made, const struct spe_sample *sample,
				 struct pk_writer *writer);

#endif
