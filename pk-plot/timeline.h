/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIMELINE_H
#define PK_TIMELINE_H

/* The content of a timeline: spans as pieces of time in lanes, wakeups, and counts. */

#include "buffer.h"
#include "lanes.h"
#include "pieces.h"
#include "pkprivate.h"
#include "plot_options.h"
#include "plot_origin.h"
#include "table.h"

/* ---- Counts ---- */

/* The counts of pk-stat -I. Each event has one line that shows its rate over time. */

#define COUNTERS_MAX	   64	/* maximum number of lines; further events are not drawn */
#define COUNTER_POINTS_MAX 2000 /* maximum number of points of a line */

/* A point of a line of counts. It has the count of a range of time. */
struct counter_point {
	uint64_t start, end; /* In ns since the start of the counts. The times of each session
			      * continue those of the previous session. */
	double count;	     /* the count in the time from `start` to `end` */
};

/* The counts of one event over time. */
struct counter_line {
	struct buffer name;
	double now, before; /* sum of the event's counts in the current round (STAT_ROUND), and in
			     * the previous round */
	struct counter_point *points;
	size_t count, capacity;
	unsigned int join; /* number of rounds that each point contains */
	unsigned int open; /* number of rounds that the last point contains so far */
};

/* The counts of all events over time. */
struct counter_lines {
	struct counter_line *items;
	size_t count, capacity;
	/* Finds the number of an event's line by the address of the event. */
	struct pk_table of_event;
	uint64_t last; /* the time of the last round */
	uint64_t base; /* time of the last round of the previous session, in ns since the start of
			* the counts */
	uint64_t dropped; /* number of counts that are not drawn because there are too many lines */
};

/* ---- Reading ---- */

#define TIMELINE_KINDS 32 /* maximum number of kinds */

/* A kind is the set of all spans of one event. It has a row in each lane. */
struct timeline_kind {
	uint32_t name; /* number in timeline.names; the name is the event's name without its system
			*/
	uint16_t row;  /* number of the row that the spans have in each lane */
	bool is_state; /* all spans of the kind are drawn with the same name and colour */
	bool is_task;  /* The spans are states of a task: run, delay, or another state. If is_state
			  is false, the spans are drawn with the names of tasks. */
};

/* The sum of the spans of one event in a lane. */
struct timeline_sum {
	uint64_t time, count;
};

/* The options and the content of a timeline. */
struct timeline {
	/* Set by the options. */
	struct pk_common common;
	struct plot_options plot;
	struct pk_tail_options selection;
	struct lanes lanes; /* lane.data is an array of struct timeline_sum, one for each kind */
	unsigned int row_height;
	unsigned int lanes_most;

	/* Set by timeline_read(). */
	struct pieces pieces; /* piece.group is the number of the kind */
	/* The arrows from a waker to the woken thread. piece.lane is the lane of the waker.
	 * piece.name is the number of a text that names the lane of the woken thread. */
	struct pieces arrows;
	struct pk_texts names;
	struct timeline_kind kinds[TIMELINE_KINDS];
	unsigned int kinds_count, rows;
	struct counter_lines counters;
	uint64_t first, last; /* times in ns; `last` is 0 without data */
	struct plot_origin origin;
	struct pk_counted_samples samples;
	uint64_t spans, other; /* number of spans, and number of samples that are not spans */

	/* Private. */
	struct pk_tail tail;
	struct span_times times;
	struct pk_column woken, target, comm;
	uint16_t *kind_of_event; /* for each event, the number of its kind plus 1; 0 if it is
				  * unknown */
	size_t kind_of_event_count;
};

/* Reads the inputs of run. Returns the exit status. */
int timeline_read(struct timeline *timeline, struct pk_run *run);
int timeline_free(struct timeline *timeline, int status);
/* Returns the name of a kind. */
const char *timeline_kind_name(const struct timeline *timeline, unsigned int kind);

#endif
