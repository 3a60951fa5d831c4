/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_EVENT_GROUPS_H
#define PK_ANNOTATE_EVENT_GROUPS_H

/* Which events were recorded as a group, as the feature GROUP_DESC tells it. */

#include "histogram.h"

/* Of a session. All zero: none. */
struct event_groups {
	struct event_group {
		uint32_t leader, members; /* index of an event; the members follow it */
	} * list;
	size_t count;
};

/* False: out of memory. What makes no sense is left out. */
bool event_groups_read(struct event_groups *groups, const struct pk_feature_content *feature);
/* When all names are known: sets the leaders in the histogram. False: out of memory. */
bool event_groups_tell(const struct event_groups *groups, const struct pk_events *events,
		       struct pk_histogram *histogram);
void event_groups_clear(struct event_groups *groups);

#endif
