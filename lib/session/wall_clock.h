/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WALL_CLOCK_H
#define PK_WALL_CLOCK_H

#include <time.h>

#include "pkstream.h"

/* Converts times of a stream into the time of day. Zero it at the start of each session. */
struct pk_wall_clock {
	bool known;	 /* the stream has CLOCK_DATA: pk-record -k, perf record -k */
	uint64_t offset; /* added to a time of the stream, modulo 2^64: ns since 1970 */
};

/* Reads CLOCK_DATA; ignores other records. */
void pk_wall_clock_record(struct pk_wall_clock *clock, const struct pk_reader *reader,
			  const struct pk_record *record);

/* The local time in whole seconds; *ns are the nanoseconds since. False: it is not known. */
bool pk_wall_clock_at(const struct pk_wall_clock *clock, uint64_t time, struct tm *tm,
		      uint32_t *ns);

#endif
