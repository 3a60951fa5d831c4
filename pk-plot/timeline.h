/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIMELINE_H
#define PK_TIMELINE_H

/* What a timeline shows: spans as pieces of time in lanes, wakeups, and counts. */

#include "buffer.h"
#include "lanes.h"
#include "pieces.h"
#include "pkprivate.h"
#include "plot_options.h"
#include "table.h"

/* ---- Counts ---- */

/* The counts of pk-stat -I: one line of rates for each event. */

#define COUNTERS_MAX	   64	/* lines; further events are not drawn */
#define COUNTER_POINTS_MAX 2000 /* of a line; neighbours are joined when there are more */

struct counter_point {
	uint64_t start,
		end;  /* ns since the start of the counts; a session continues the last one */
	double count; /* in this time */
};

struct counter_line {
	struct buffer name;
	double now, before; /* the sums of the current round and of the last one */
	struct counter_point *points;
	size_t count, capacity;
	unsigned int join; /* number of rounds in a point */
	unsigned int open; /* number of rounds in the last point */
};

struct counter_lines {
	struct counter_line *items;
	size_t count, capacity;
	struct pk_table of_event; /* line by the address of the event */
	uint64_t last;		  /* the time of the last round */
	uint64_t base;		  /* that of the last round of the last session */
	uint64_t dropped;	  /* counts that are not drawn */
};

/* ---- Reading ---- */

#define TIMELINE_KINDS 32 /* further events share the last one */

/* Spans of one event. */
struct timeline_kind {
	uint32_t name; /* of timeline.names; the event without its system */
	uint16_t row;  /* in each lane */
	bool is_state; /* all its pieces have the same colour */
	bool is_task;  /* run, delay ...: if it is no state, its pieces have the names of tasks */
};

/* The spans of an event in a lane. */
struct timeline_sum {
	uint64_t time, count;
};

struct timeline {
	/* Set by the options. */
	struct pk_common common;
	struct plot_options plot;
	struct pk_tail_options selection;
	struct lanes lanes; /* data: an array of sums, by kind */
	unsigned int row_height;
	unsigned int lanes_most;

	/* Set by timeline_read(). */
	struct pieces pieces; /* group: the kind */
	struct pieces arrows; /* lane: the waker's; name: of the text that names the other lane */
	struct pk_texts names;
	struct timeline_kind kinds[TIMELINE_KINDS];
	unsigned int kinds_count, rows;
	struct counter_lines counters;
	uint64_t first, last;  /* the extent; last 0: there is nothing */
	uint64_t spans, other; /* samples that are spans; those that are not drawn */

	/* Private. */
	struct pk_tail tail;
	struct span_times times;
	struct pk_column woken, target, comm;
	uint16_t *kind_of_event; /* plus 1; 0: unknown */
	size_t kind_of_event_count;
};

/* Reads the inputs of run. Returns the exit status. */
int timeline_read(struct timeline *timeline, struct pk_run *run);
int timeline_free(struct timeline *timeline, int status);
/* The name of a kind. */
const char *timeline_kind_name(const struct timeline *timeline, unsigned int kind);

#endif
