/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INTERVALS_H
#define PK_INTERVALS_H

/* Intervals of a stream's clock, for programs that print repeatedly. In a live stream, the times of
 * samples advance like the wall clock. */

#include "json.h"
#include "wall_clock.h"

struct pk_intervals {
	uint64_t step;	  /* set by the caller: ns */
	uint64_t next;	  /* end of the interval; 0: no sample yet */
	uint64_t start;	  /* with a heading: the time that it shows, in ns */
	char heading[64]; /* "# 12:34:56": the start of the interval; empty: no sample yet */
	struct pk_wall_clock wall;
};

/* Evaluates a record that is not a SAMPLE, also PK_RECORD_BEGIN. */
void pk_intervals_record(struct pk_intervals *intervals, const struct pk_reader *reader,
			 const struct pk_record *record);
/* Whether a SAMPLE is the first one, or the first one after the end of the interval. Then the
 * caller prints, except before the first sample of a session (next is 0), and calls
 * pk_intervals_start() with *time. */
bool pk_intervals_over(const struct pk_intervals *intervals, const struct pk_record *record,
		       uint64_t *time);
/* Starts an interval. Sets the heading if it is empty: the caller empties it after printing. */
void pk_intervals_start(struct pk_intervals *intervals, uint64_t time);
/* Adds the heading as members of a JSON object: "time":5000000000,"wall_time": ... */
void pk_intervals_json(const struct pk_intervals *intervals, struct json *json);

#endif
