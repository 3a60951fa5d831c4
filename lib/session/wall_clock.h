/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WALL_CLOCK_H
#define PK_WALL_CLOCK_H

#include <time.h>

#include "pkstream.h"

/* Converts the times of a stream to the time of day. All members must be zero at the start of each
 * session. */
struct pk_wall_clock {
	bool known;	 /* the stream has CLOCK_DATA (pk-record -k, perf record -k) */
	uint64_t offset; /* The sum of a time of the stream and this offset, modulo 2^64, is the
			  * time in ns since 1970. */
};

/* Sets the clock if the record is a feature CLOCK_DATA. Ignores other records. */
void pk_wall_clock_record(struct pk_wall_clock *clock, const struct pk_reader *reader,
			  const struct pk_record *record);

/* Converts a time of the stream to local time. Sets *tm to the whole seconds, and *ns to the
 * remaining nanoseconds. Returns false if the stream has no CLOCK_DATA, or if the time cannot be
 * represented. */
bool pk_wall_clock_at(const struct pk_wall_clock *clock, uint64_t time, struct tm *tm,
		      uint32_t *ns);

#endif
