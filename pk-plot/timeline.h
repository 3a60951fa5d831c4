/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIMELINE_H
#define PK_TIMELINE_H

/* The content of a timeline: spans as pieces of time in lanes, wakeups, and counts. */

#include "buffer.h"
#include "lanes.h"
#include "pieces.h"
#include "pkprivate.h"
#include "plot_options.h"
#include "table.h"

/* ---- Counts ---- */

/* The counts of pk-stat -I. Each event has one line that shows its rate over time. */

#define COUNTERS_MAX	   64	/* lines; further events are not drawn */
#define COUNTER_POINTS_MAX 2000 /* points of a line; then neighbours are joined */

struct counter_point {
	uint64_t start, end; /* ns since the start of the counts; the times of a session follow
			      * those of the previous session */
	double count;	     /* count from `start` to `end` */
};

struct counter_line {
	struct buffer name;
	double now, before; /* the sums of the current round and of the previous one */
	struct counter_point *points;
	size_t count, capacity;
	unsigned int join; /* number of rounds that a point contains */
	unsigned int open; /* number of rounds that the last point contains so far */
};

struct counter_lines {
	struct counter_line *items;
	size_t count, capacity;
	struct pk_table of_event; /* number of the line, by address of the event */
	uint64_t last;		  /* the time of the last round */
	uint64_t base;		  /* time of the last round of the previous session */
	uint64_t dropped;	  /* number of counts that are not drawn */
};

/* ---- Reading ---- */

#define TIMELINE_KINDS 32 /* kinds; further events share the last kind */

/* A kind is the spans of one event. */
struct timeline_kind {
	uint32_t name; /* number in timeline.names of the event without its system */
	uint16_t row;  /* number of the row in each lane */
	bool is_state; /* all pieces of the kind have the same name and colour */
	bool is_task;  /* The kind is run, delay or another state. If is_state is false, its pieces
			* have the names of tasks. */
};

/* The sum of the spans of one event in a lane. */
struct timeline_sum {
	uint64_t time, count;
};

struct timeline {
	/* Set by the options. */
	struct pk_common common;
	struct plot_options plot;
	struct pk_tail_options selection;
	struct lanes lanes; /* lane.data is an array of sums by kind */
	unsigned int row_height;
	unsigned int lanes_most;

	/* Set by timeline_read(). */
	struct pieces pieces; /* piece.group is the number of the kind */
	struct pieces arrows; /* Wakeups. piece.lane is the lane of the waker. piece.name is the
			       * text that names the other lane. */
	struct pk_texts names;
	struct timeline_kind kinds[TIMELINE_KINDS];
	unsigned int kinds_count, rows;
	struct counter_lines counters;
	uint64_t first, last;  /* times in ns; `last` is 0 without data */
	uint64_t spans, other; /* numbers of spans, and of other samples */

	/* Private. */
	struct pk_tail tail;
	struct span_times times;
	struct pk_column woken, target, comm;
	uint16_t *kind_of_event; /* number of the kind + 1, or 0 if unknown */
	size_t kind_of_event_count;
};

/* Reads the inputs of run. Returns the exit status. */
int timeline_read(struct timeline *timeline, struct pk_run *run);
int timeline_free(struct timeline *timeline, int status);
/* Returns the name of a kind. */
const char *timeline_kind_name(const struct timeline *timeline, unsigned int kind);

#endif
