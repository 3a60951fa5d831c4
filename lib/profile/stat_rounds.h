/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_ROUNDS_H
#define PK_STAT_ROUNDS_H

/* The counts of pk-stat -I and perf stat record in a stream: the count of each event in each
 * interval, on all processors and threads together. */

#include "pkprivate.h"
#include "texts.h"

struct pk_stat_count {
	const char *event;
	uint32_t number;     /* of the event's name, from 1 on; equal in all sessions */
	uint64_t start, end; /* of the interval: ns since the start of the counts */
	uint64_t count;	     /* scaled if the event was not always on the processor */
};

/* Zeroed, it is empty. */
struct pk_stat_rounds {
	/* Set by the caller. Called at the end of each interval, for each event with counts. */
	enum pk_status (*count)(void *arg, const struct pk_stat_count *count);
	void *arg;
	/* Private: */
	struct pk_texts names;
	struct pk_stat_sum {
		uint64_t now, before; /* in this round, and up to the last one */
		bool counted;	      /* in this round */
	} * sums;		      /* by number of the name */
	size_t sums_count;
	uint32_t *of_events; /* number, by index of the event */
	size_t of_events_count;
	uint64_t base, last; /* time of the last round: of earlier sessions, and of all */
};

/* Evaluates a record. Those that are not STAT or STAT_ROUND are ignored. PK_RECORD_BEGIN starts a
 * session, whose times continue those of the last one. */
PK_MUST_CHECK enum pk_status pk_stat_rounds_record(struct pk_stat_rounds *rounds,
						   const struct pk_events *events,
						   const struct pk_record *record);
void pk_stat_rounds_free(struct pk_stat_rounds *rounds);

#endif
