/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PACE_H
#define PK_RECORD_PACE_H

/* Changes the frequency of open events. */

#include "event.h"
#include "pkstream.h"
#include "table.h"

/* The events whose frequency can change. */
struct pace {
	struct event_list *events;
	const struct targets *targets;
	uint64_t *first;    /* for each event its frequency at the start in Hz; 0 if it has none */
	uint64_t most;	    /* the largest of these frequencies */
	uint64_t frequency; /* the largest frequency now */
	/* The samples whose periods are wrong, because the kernel continues to write the old period
	 * of an event that a timer drives. The key is the id of the event, and the value is a
	 * struct pace_period. */
	struct pk_table periods;
};

struct pace_period {
	size_t offset; /* in the sample, in bytes */
	uint64_t ns;   /* the period */
};

/* Call it after the events were opened. pace->most is 0 if no event has a frequency. */
PK_MUST_CHECK enum pk_status pace_init(struct pace *pace, struct event_list *events,
				       const struct targets *targets);
void pace_free(struct pace *pace);
/* Returns the event with the largest frequency. */
const struct event *pace_leader(const struct pace *pace);
/* Calls ioctl(ENABLE or DISABLE) for the events. */
void pace_switch(const struct pace *pace, unsigned long request);
/* Sets the frequency of all events that had a higher frequency at the start. The events must be
 * disabled, and their samples must have been read. Writes a RATE record for each event. */
PK_MUST_CHECK enum pk_status pace_set(struct pace *pace, uint64_t frequency, uint32_t cause,
				      struct pk_writer *writer);

#endif
