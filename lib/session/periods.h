/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PERIODS_H
#define PK_PERIODS_H

#include "pkstream.h"

/* How many events a sample stands for. If it has counter values with ids (PERF_SAMPLE_READ,
 * PERF_FORMAT_ID): for every counter of the group, the increase since the previous sample (of the
 * thread, if the event is inherited). Else its period; if it has none, the event's period, or 1 if
 * the event has a frequency. */
struct pk_periods;

typedef enum pk_status (*pk_period_fn)(void *arg, const struct pk_event *event, uint64_t period);

struct pk_periods *pk_periods_new(void);
void pk_periods_free(struct pk_periods *periods);
/* Forgets the previous counter values. Call it for a new session, whose counters start again. */
void pk_periods_forget(struct pk_periods *periods);
/* Calls each for every event that the SAMPLE stands for, with the number; not for an event whose
 * counter is unchanged. Stops when each returns an error, and returns it. PK_CORRUPT: the record is
 * malformed. */
enum pk_status pk_periods_of(struct pk_periods *periods, const struct pk_events *events,
			     const struct pk_event *event, const struct pk_record *record,
			     pk_period_fn each, void *arg);

#endif
