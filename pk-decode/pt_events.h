/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_EVENTS_H
#define PK_PT_EVENTS_H

/* The events that pk-decode makes of an Intel PT trace, and their samples. */

#include "pkstream.h"
#include "pt_flow.h"

enum pt_event_number {
	PT_EVENT_BRANCHES,     /* all branches that were taken */
	PT_EVENT_CALLS,	       /* calls and returns, also those of the kernel and interrupts */
	PT_EVENT_INSTRUCTIONS, /* one of many instructions */
	PT_EVENTS
};

const char *pt_event_name(enum pt_event_number event);

/* The events of a session. */
struct pt_events {
	bool wanted[PT_EVENTS]; /* set by the caller */
	uint64_t every;		/* set by the caller; the period of instructions */
	struct perf_attr attr;	/* of all events, except for the differences below */
	uint64_t ids[PT_EVENTS];
	uint64_t samples[PT_EVENTS]; /* number of samples in all sessions */
};

enum pk_status pt_events_write(struct pt_events *made, const struct pk_events *events,
			       uint32_t pmu_type, struct pk_writer *writer);

/* Where and when a sample was made. */
struct pt_place {
	uint64_t time;
	uint32_t pid, tid, cpu;
	bool trailer; /* the samples of the session have stack trailers */
};

/* Write the samples of a branch and of an instruction, of the events that are wanted. */
enum pk_status pt_events_branch(struct pt_events *made, const struct pt_place *place,
				const struct pt_branch *branch, struct pk_writer *writer);
enum pk_status pt_events_instruction(struct pt_events *made, const struct pt_place *place,
				     uint64_t ip, struct pk_writer *writer);

#endif
