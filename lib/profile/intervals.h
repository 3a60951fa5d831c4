/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INTERVALS_H
#define PK_INTERVALS_H

/* Intervals of the clock of a stream, for programs that print repeatedly. In a live stream, the
 * times of samples advance like the wall clock. */

#include "json.h"
#include "wall_clock.h"

/* The current interval of the clock of a stream. */
struct pk_intervals {
	uint64_t step; /* the length of an interval in ns, set by the caller */
	uint64_t next; /* the end of the current interval; 0 if there was no sample yet */
	/* The time that the heading shows, in ns; not set if the heading is empty. */
	uint64_t start;
	char heading[64]; /* The start of the interval, such as "# 12:34:56". It is empty if there
			   * was no sample yet. */
	struct pk_wall_clock wall;
};

/* Evaluates a record, including PK_RECORD_BEGIN, but not a SAMPLE. */
void pk_intervals_record(struct pk_intervals *intervals, const struct pk_reader *reader,
			 const struct pk_record *record);
/* Returns true if a SAMPLE is the first one of the session, or the first one after the end of the
 * interval. Then the caller prints the interval, and calls pk_intervals_start() with *time. The
 * caller does not print before the first sample of a session, when `next` is 0. */
bool pk_intervals_over(const struct pk_intervals *intervals, const struct pk_record *record,
		       uint64_t *time);
/* Starts an interval. Sets the heading if it is empty. The caller must set it to "" after printing.
 */
void pk_intervals_start(struct pk_intervals *intervals, uint64_t time);
/* Adds the time of the heading as members of a JSON object: "time":5000000000,"wall_time": ... */
void pk_intervals_json(const struct pk_intervals *intervals, struct json *json);

#endif
