/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_EVENT_NAMES_H
#define PK_REPORT_EVENT_NAMES_H

/*
 * Names that tell apart the events of a session: the second event that is called "cycles" is
 * "cycles#2". Names of other events are unchanged. The first 1024 events of a session are compared;
 * further ones keep their names. Events of one counter (counters.h) have one name.
 */

#include "buffer.h"
#include "field.h"

/* Adds the name of an event to *name. */
void pk_event_name_add(struct buffer *name, const struct pk_events *events,
		       const struct pk_event *event);

/* The field "event" with these names. */
extern const struct pk_field pk_report_event_field;
/* The same value for all events. */
extern const struct pk_field pk_report_any_event_field;

#endif
