/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_EVENT_NAMES_H
#define PK_REPORT_EVENT_NAMES_H

/*
 * Names that distinguish the events of a session. If two events are called "cycles", the second one
 * is named "cycles#2". Names of other events are unchanged. Only the first 1024 events of a session
 * are compared, and later events keep their names. Events of the same counter (counters.h) have the
 * same name.
 */

#include "buffer.h"
#include "field.h"

/* Appends the name of an event to *name. */
void pk_event_name_add(struct buffer *name, const struct pk_events *events,
		       const struct pk_event *event);

/* The field "event", whose values are the names that pk_event_name_add() makes. */
extern const struct pk_field pk_report_event_field;
/* A field that has the same value for all events. */
extern const struct pk_field pk_report_any_event_field;

#endif
