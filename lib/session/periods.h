/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PERIODS_H
#define PK_PERIODS_H

#include "pkstream.h"

/* Calculates the number of events for which a sample stands. If the sample has counter values with
 * ids (PERF_SAMPLE_READ, PERF_FORMAT_ID), there is a number for every counter of the group. The
 * number is the increase of the counter since the previous sample. If the event is inherited, it is
 * the increase since the previous sample of the same thread. Without counter values, the number is
 * the period of the sample. If the sample has no period, the number is the period of the event, or
 * 1 if the event has a frequency. */
struct pk_periods;

struct pk_periods *pk_periods_new(void);
void pk_periods_free(struct pk_periods *periods);
/* Removes the previous counter values. Call it for a new session, because its counters start again.
 */
void pk_periods_forget(struct pk_periods *periods);

/* The events for which a SAMPLE stands, one after another. */
struct pk_period_walk {
	/* pk_periods_next() sets the following members. */
	const struct pk_event *event;
	uint64_t period;
	/* The following members are private. */
	struct pk_periods *periods;
	const struct pk_events *events;
	uint64_t i, count; /* index of the current counter, and number of counters in the sample */
	const uint8_t *at; /* the value of the current counter, in the record */
	bool is_group, has_values;
	uint32_t tid;
	struct pk_read_values read;
};

/* Returns true if the samples of an event have counter values with ids. */
static inline bool pk_periods_has_values(const struct pk_event *event)
{
	return event->attr.sample_type & PERF_SAMPLE_READ &&
	       event->attr.read_format & PERF_FORMAT_ID;
}

/* Store the counter values of a sample, so that later increases are relative to them.
 * pk_periods_leave_out() is for a sample that is not counted. Without this call, its events would
 * be added to those of the next sample. pk_periods_keep() is for a sample that is written to a
 * stream in which other samples are missing. It adds the increase of each counter to `sums`. `copy`
 * is a copy of the record. In this copy, the value of each counter is replaced by its sum. Both
 * functions return PK_CORRUPT if the record is malformed, and PK_NOMEM if memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_periods_leave_out(struct pk_periods *periods,
						  const struct pk_events *events,
						  const struct pk_record *record);
PK_MUST_CHECK enum pk_status pk_periods_keep(struct pk_periods *periods, struct pk_periods *sums,
					     const struct pk_events *events,
					     const struct pk_record *record, uint8_t *copy);

/* Starts a walk. Returns PK_CORRUPT if the record is malformed. */
PK_MUST_CHECK enum pk_status pk_periods_start(struct pk_period_walk *walk,
					      struct pk_periods *periods,
					      const struct pk_events *events,
					      const struct pk_event *event,
					      const struct pk_record *record);
/* The slow path of pk_periods_next(). */
PK_MUST_CHECK enum pk_status pk_periods_next_value(struct pk_period_walk *walk);
/* Moves to the next event and its number. Skips events whose counter has not changed. Returns
 * PK_END if there are no more events, and PK_NOMEM if memory is exhausted. */
PK_MUST_CHECK static inline enum pk_status pk_periods_next(struct pk_period_walk *walk)
{
	if (walk->has_values)
		return pk_periods_next_value(walk);
	return walk->i++ ? PK_END : PK_OK;
}

#endif
