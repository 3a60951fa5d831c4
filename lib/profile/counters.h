/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_COUNTERS_H
#define PK_COUNTERS_H

/* A counter is an event of the option -e. A processor with several kinds of cores has a PMU for
 * each kind. An event of -e is then opened once on each PMU, such as cpu_core/cycles/ and
 * cpu_atom/cycles/. A sample belongs to one of these events. Because the periods of these events
 * count the same thing, the events together are one counter. */

#include <stdbool.h>

#include "buffer.h"
#include "pkprivate.h"
#include "pkstream.h"

/* ---- Counters ---- */

/* Returns the first event of the counter to which the event belongs. Compares only the first 64
 * events of a session. */
const struct pk_event *pk_counter_of(const struct pk_events *events, const struct pk_event *event);
/* Appends the name of the counter, such as "cycles" or "cycles:P". It is the name of the event. If
 * the counter has several events, the name does not contain the PMU. */
void pk_counter_name_add(struct buffer *name, const struct pk_events *events,
			 const struct pk_event *event);

/* ---- Groups ---- */

/* The groups of events, from the feature GROUP_DESC. */

/* The groups of a session. If all members are zero, there are no groups. */
struct event_groups {
	struct event_group {
		uint32_t leader, members; /* leader is the index of an event. members is the number
					   * of events in the group, starting with the leader. */
	} * list;
	size_t count;
};

/* Evaluates a record. A new session removes the groups. A feature GROUP_DESC replaces them. */
PK_MUST_CHECK enum pk_status pk_event_groups_record(struct event_groups *groups,
						    const struct pk_reader *reader,
						    const struct pk_record *record);
/* Replaces the groups by the groups in the content of a feature GROUP_DESC. If the content is too
 * short, reads only the complete groups. */
PK_MUST_CHECK enum pk_status pk_event_groups_read(struct event_groups *groups,
						  const struct pk_feature_content *feature);
/* Calls each() for each member of each group. The leader is the first member. Skips groups with
 * members that are not events. Call this function at the end of a session, when the names of all
 * events are known. Returns the first error of each(). */
typedef enum pk_status event_groups_fn(void *arg, const struct pk_event *leader,
				       const struct pk_event *member);
PK_MUST_CHECK enum pk_status pk_event_groups_each_member(const struct event_groups *groups,
							 const struct pk_events *events,
							 event_groups_fn *each, void *arg);
void pk_event_groups_clear(struct event_groups *groups);

#endif
