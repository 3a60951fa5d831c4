/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_COUNTER_LINES_H
#define PK_COUNTER_LINES_H

/* The counts of pk-stat -I: one line of rates for each event. */

#include "buffer.h"
#include "pkprivate.h"
#include "table.h"

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

/* Evaluates a STAT or STAT_ROUND record; ignores others. False: out of memory. */
bool counter_lines_record(struct counter_lines *lines, const struct pk_events *events,
			  const struct pk_record *record);
/* Call it at the end of a session. */
void counter_lines_end_session(struct counter_lines *lines);
void counter_lines_free(struct counter_lines *lines);

#endif
