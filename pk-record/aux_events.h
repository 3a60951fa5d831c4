/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_AUX_EVENTS_H
#define PK_RECORD_AUX_EVENTS_H

/* Events that write hardware traces, and events that belong to them. */

#include "cli.h"
#include "event.h"
#include "record_options.h"
#include "ring.h"

/* Checks the events and options of hardware traces. Returns PK_EXIT_OK, or the exit status after a
 * message. */
int aux_events_check(const struct options *options);
/* Returns true if samples of any event have a part of a trace. The AUX area is then overwritten. */
bool aux_events_sampled(const struct options *options);
/* Sets the attr of an event that writes a hardware trace. */
void aux_event_configure(struct event *event, const struct options *options,
			 const struct targets *targets);
/* Sets the fields of the records that say which thread runs on the CPU of a trace. */
void aux_tracking_configure(struct event *event, const struct targets *targets);
/* Sets what the event adds to the hardware trace of its group, or reads from it. `leader` is the
 * first event of its group. */
void aux_member_configure(struct event *event, const struct event *leader,
			  const struct options *options);
/* Prints which pieces of hardware traces are not complete, and why. */
void aux_events_report(const struct ring_counts *counts, pk_message_fn print);

#endif
