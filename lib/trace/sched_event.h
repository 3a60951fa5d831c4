/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCHED_EVENT_H
#define PK_SCHED_EVENT_H

/* A sample of the scheduler: which task runs, is woken, or moves to another processor. */

#include "tracepoint.h"

enum pk_sched_kind {
	PK_SCHED_OTHER, /* none of these, or it lacks a value */
	PK_SCHED_SWITCH,
	PK_SCHED_WAKING, /* of the waker, before sched_wakeup */
	PK_SCHED_WAKEUP,
	PK_SCHED_WAKEUP_NEW,
	PK_SCHED_MIGRATION
};

#define PK_SCHED_NUMBERS 3

/* Where the values are. It is made once for a tracepoint. */
struct pk_sched_format {
	enum pk_sched_kind kind;
	/* Private: */
	const struct pk_tracepoint *tracepoint;
	const struct pk_tracepoint_field *numbers[PK_SCHED_NUMBERS], *comm, *next_comm;
};

/* tracepoint NULL: kind OTHER. It must outlive the format. */
struct pk_sched_format pk_sched_format_of(const struct pk_tracepoint *tracepoint);

struct pk_sched_event {
	enum pk_sched_kind kind;
	uint64_t tid;	   /* of the task that stops to run, is woken, or moves */
	uint64_t next;	   /* SWITCH: tid of the task that starts to run */
	uint64_t state;	   /* SWITCH: of the task that stops */
	uint64_t from, to; /* MIGRATION: processors */
	/* Private: */
	const struct pk_sched_format *format;
	struct pk_bytes raw;
};

/* Reads the raw bytes of a sample. raw is NULL if it has none. */
struct pk_sched_event pk_sched_event_read(const struct pk_sched_format *format,
					  const struct pk_bytes *raw);
/* The name that the task with the number event->tid, or event->next, had at that moment. Its size
 * is 0 if it is unknown. It is valid as long as the raw bytes. */
struct pk_bytes pk_sched_event_comm(const struct pk_sched_event *event);
struct pk_bytes pk_sched_event_next_comm(const struct pk_sched_event *event);

#endif
