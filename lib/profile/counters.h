/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_COUNTERS_H
#define PK_COUNTERS_H

/* A processor with several kinds of cores has a PMU for each kind. One event of -e is then opened
 * once on each PMU, such as cpu_core/cycles/ and cpu_atom/cycles/. A sample is of one of them, and
 * their periods count the same thing: they are one counter. */

#include <stdbool.h>

#include "buffer.h"
#include "pkstream.h"

/* Whether the events count the same thing on different PMUs. False for an event and itself. */
bool pk_is_same_counter(const struct pk_event *a, const struct pk_event *b);
/* The first event of the counter that the event is part of: the event itself if it is the first or
 * only one. Compares the first 64 events of a session. */
const struct pk_event *pk_counter_of(const struct pk_events *events, const struct pk_event *event);
/* Adds the name of the counter: that of the event, or without its PMU if the counter has several
 * events: "cycles", "cycles:P". */
void pk_counter_name_add(struct buffer *name, const struct pk_events *events,
			 const struct pk_event *event);

#endif
