/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_ROUNDS_H
#define PK_STAT_ROUNDS_H

/* The counts that pk-stat -I and perf stat record write to a stream. There is a count for each
 * event in each interval. It includes all processors and threads. */

#include "pkprivate.h"
#include "texts.h"

/* The count of an event in one interval. */
struct pk_stat_count {
	const char *event;
	uint32_t number; /* number of the name of the event, from 1 on; it is the same in all
			  * sessions */
	uint64_t start,
		end;	/* start and end of the interval, in ns since the start of the counts */
	uint64_t count; /* the count of the event; it is scaled if the PMU counted the event only
			 * for a part of the time */
};

/* All members except count and arg must be zero at first. */
struct pk_stat_rounds {
	/* Called at the end of each interval, for each event with a count. The caller sets this
	 * member. */
	enum pk_status (*count)(void *arg, const struct pk_stat_count *count);
	void *arg;
	/* The following members are private. */
	struct pk_texts names;
	struct pk_stat_sum {
		uint64_t now, before; /* `now` is the sum of the event in this round, `before` is
				       * the highest sum of the previous rounds */
		bool counted;	      /* the event was counted in this round */
	} * sums; /* one entry for each name of an event, by number of the name */
	size_t sums_count;
	uint32_t *of_events; /* by index of the event: the number of the name of the event */
	size_t of_events_count;
	/* `base` is the time at which the current session starts, which is the time of the last
	 * round of the previous session. `last` is the time of the last round so far. In ns. */
	uint64_t base, last;
};

/* Evaluates a record. Only STAT, STAT_ROUND and PK_RECORD_BEGIN have an effect. PK_RECORD_BEGIN
 * starts a session. Its times continue those of the previous session. */
PK_MUST_CHECK enum pk_status pk_stat_rounds_record(struct pk_stat_rounds *rounds,
						   const struct pk_events *events,
						   const struct pk_record *record);
void pk_stat_rounds_free(struct pk_stat_rounds *rounds);

#endif
