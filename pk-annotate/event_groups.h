/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_EVENT_GROUPS_H
#define PK_ANNOTATE_EVENT_GROUPS_H

/* The events that were recorded as a group, from the feature GROUP_DESC. */

#include "histogram.h"

/* The groups of a session. All zero: none. */
struct event_groups {
	struct event_group {
		uint32_t leader, members; /* leader: index of an event; members: number of events in
					   * the group from the leader on */
	} * list;
	size_t count;
};

/* Replaces the groups by those in the content of a GROUP_DESC feature. Reads as many as its size
 * allows. False: out of memory. */
bool event_groups_read(struct event_groups *groups, const struct pk_feature_content *feature);
/* Sets the leaders in the histogram. Skips groups with members that are not events. Call it at the
 * end of a session, when the names of all events are known. False: out of memory. */
bool event_groups_tell(const struct event_groups *groups, const struct pk_events *events,
		       struct pk_histogram *histogram);
void event_groups_clear(struct event_groups *groups);

#endif
