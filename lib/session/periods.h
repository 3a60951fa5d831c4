/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PERIODS_H
#define PK_PERIODS_H

#include "pkstream.h"

/* How many events a sample stands for. If it has counter values with ids (PERF_SAMPLE_READ,
 * PERF_FORMAT_ID), these are, for every counter of the group, the increase since the previous
 * sample (of the thread, if the event is inherited). Otherwise it is the sample's period. Without
 * one, it is the event's period, or 1 if the event has a frequency. */
struct pk_periods;

struct pk_periods *pk_periods_new(void);
void pk_periods_free(struct pk_periods *periods);
/* Forgets the previous counter values. Call it for a new session, whose counters start again. */
void pk_periods_forget(struct pk_periods *periods);

/* The events that a SAMPLE stands for. */
struct pk_period_walk {
	/* Set by pk_periods_next(): */
	const struct pk_event *event;
	uint64_t period;
	/* Private. */
	struct pk_periods *periods;
	const struct pk_events *events;
	uint64_t i, count; /* of the counters */
	bool is_group, has_values;
	uint32_t tid;
	struct pk_read_values read;
};

/* PK_CORRUPT: the record is malformed. */
PK_MUST_CHECK enum pk_status pk_periods_start(struct pk_period_walk *walk,
					      struct pk_periods *periods,
					      const struct pk_events *events,
					      const struct pk_event *event,
					      const struct pk_record *record);
/* For pk_periods_next(). */
PK_MUST_CHECK enum pk_status pk_periods_next_value(struct pk_period_walk *walk);
/* The next event, with the number; not one whose counter is unchanged. PK_END: there are no more.
 * PK_NOMEM: out of memory. */
PK_MUST_CHECK static inline enum pk_status pk_periods_next(struct pk_period_walk *walk)
{
	if (walk->has_values)
		return pk_periods_next_value(walk);
	return walk->i++ ? PK_END : PK_OK;
}

#endif
