/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_SCHED_H
#define TRACE_SCHED_H

/* What runs on each processor of a trace, and which task wakes which: from sched:sched_switch and
 * the wakeups of the scheduler, or from the spans pk:run. */

#include "sched_event.h"
#include "trace_tracks.h"

struct trace_sched {
	struct trace_tracks *tracks; /* set by the caller */
	/* Private: */
	struct pk_table wakes; /* struct wake, by tid + 1 of the woken task */
	uint64_t last_flow;
	uint64_t last;		     /* the latest time */
	bool switches;		     /* the input has samples of sched:sched_switch */
	struct pk_sched_event event; /* the current sample */
};

/* Before a sample that is no span is written: notes a wakeup, and sets event->flow. False: out of
 * memory. */
bool trace_sched_wakeup(struct trace_sched *sched, struct trace_event *event);
/* After it was written: if it is a switch, writes the slice of the task that has run. False: out of
 * memory. */
bool trace_sched_switch(struct trace_sched *sched, const struct trace_event *event);
/* After a span was written: if it is that of a run, writes it on the track of its processor, too.
 * False: out of memory. */
bool trace_sched_run(struct trace_sched *sched, const struct trace_event *event);
/* Writes the slices of tasks that still run, at the end of a session. */
void trace_sched_end(struct trace_sched *sched);
void trace_sched_free(struct trace_sched *sched);

#endif
