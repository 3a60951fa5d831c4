/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_COUNTERS_H
#define PK_COUNTERS_H

/* A processor with several kinds of cores has a PMU for each kind. One event of -e is then opened
 * once on each PMU, such as cpu_core/cycles/ and cpu_atom/cycles/. A sample is of one of them, and
 * their periods count the same thing: they are one counter. */

#include <stdbool.h>

#include "buffer.h"
#include "pkprivate.h"
#include "pkstream.h"

/* ---- Counters ---- */

/* The first event of the counter that the event is part of: the event itself if it is the first or
 * only one. Compares the first 64 events of a session. */
const struct pk_event *pk_counter_of(const struct pk_events *events, const struct pk_event *event);
/* Adds the name of the counter: that of the event, or without its PMU if the counter has several
 * events: "cycles", "cycles:P". */
void pk_counter_name_add(struct buffer *name, const struct pk_events *events,
			 const struct pk_event *event);

/* ---- Groups ---- */

/* The events that were recorded as a group, from the feature GROUP_DESC. */

/* The groups of a session. Zeroed, there are none. */
struct event_groups {
	struct event_group {
		uint32_t leader, members; /* leader: index of an event; members: number of events in
					   * the group from the leader on */
	} * list;
	size_t count;
};

/* Evaluates a record: a new session has no groups, a GROUP_DESC feature replaces them. */
PK_MUST_CHECK enum pk_status pk_event_groups_record(struct event_groups *groups,
						    const struct pk_reader *reader,
						    const struct pk_record *record);
/* Replaces the groups by those in the content of a GROUP_DESC feature. Reads as many as its size
 * allows. */
PK_MUST_CHECK enum pk_status pk_event_groups_read(struct event_groups *groups,
						  const struct pk_feature_content *feature);
/* Calls each() for each member of each group, the leader first. Skips groups with members that are
 * not events. Call it at the end of a session, when the names of all events are known. Returns
 * false if each() returned false. */
typedef enum pk_status event_groups_fn(void *arg, const struct pk_event *leader,
				       const struct pk_event *member);
PK_MUST_CHECK enum pk_status pk_event_groups_each_member(const struct event_groups *groups,
							 const struct pk_events *events,
							 event_groups_fn *each, void *arg);
void pk_event_groups_clear(struct event_groups *groups);

#endif
