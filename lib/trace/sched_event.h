/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCHED_EVENT_H
#define PK_SCHED_EVENT_H

/* Reads samples of the scheduler. They say which task runs, is woken, or moves to another
 * processor. */

#include "tracepoint.h"

/* What a sample of the scheduler says. */
enum pk_sched_kind {
	PK_SCHED_OTHER, /* another event, or a sample that lacks a value */
	PK_SCHED_SWITCH,
	PK_SCHED_WAKING, /* written by the waker, before sched_wakeup */
	PK_SCHED_WAKEUP,
	PK_SCHED_WAKEUP_NEW,
	PK_SCHED_MIGRATION
};

#define PK_SCHED_NUMBERS 3

/* Where the values are in the samples of a tracepoint. It is made once for each tracepoint. */
struct pk_sched_format {
	enum pk_sched_kind kind;
	/* Private: */
	const struct pk_tracepoint *tracepoint;
	const struct pk_tracepoint_field *numbers[PK_SCHED_NUMBERS], *comm, *next_comm;
};

/* Makes the description of a tracepoint, which must stay valid as long as the result. If
 * `tracepoint` is NULL, the kind is PK_SCHED_OTHER. */
struct pk_sched_format pk_sched_format_of(const struct pk_tracepoint *tracepoint);

/* The values of a sample of the scheduler. */
struct pk_sched_event {
	enum pk_sched_kind kind;
	uint64_t tid;	/* tid of the task that stops running, is woken, or moves */
	uint64_t next;	/* for SWITCH: tid of the task that starts running */
	uint64_t state; /* for SWITCH: state of the task that stops running */
	uint64_t from,
		to; /* for MIGRATION: the processors from which and to which the task moves */
	/* Private: */
	const struct pk_sched_format *format;
	struct pk_bytes raw;
};

/* Reads the raw bytes of a sample. `raw` is NULL if the sample has no raw bytes. */
struct pk_sched_event pk_sched_event_read(const struct pk_sched_format *format,
					  const struct pk_bytes *raw);
/* Return the name that the task event->tid, or the task event->next, had at the time of the sample.
 * Its size is 0 if the name is unknown. It is valid as long as the raw bytes. */
struct pk_bytes pk_sched_event_comm(const struct pk_sched_event *event);
struct pk_bytes pk_sched_event_next_comm(const struct pk_sched_event *event);

#endif
