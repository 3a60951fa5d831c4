/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_EVENTS_H
#define PK_TRACE_EVENTS_H

/* The attrs, ids and names of the events that pk-decode makes. They are those of perf. */

#include "pkstream.h"

/* Returns the event that recorded the trace. `events` has at least one event. */
const struct pk_event *trace_recorded_event(const struct pk_events *events, uint32_t pmu_type);
/* Returns the attr of samples with these fields, and IDENTIFIER, IP, TID, PERIOD, and TIME if an
 * event has it. The caller sets the period, and config for events other than CPU cycles. */
struct perf_attr trace_attr(const struct pk_events *events, const struct pk_event *recorded,
			    uint64_t sample_type);
/* Chooses ids that no event has. */
void trace_choose_ids(const struct pk_events *events, const struct pk_event *recorded,
		      uint64_t *ids, size_t count);
/* Writes an event. Its name has fewer than 16 bytes. The writer keeps errors. */
void trace_write_event(struct pk_writer *writer, const struct perf_attr *attr, uint64_t id,
		       const char *name);

#endif
