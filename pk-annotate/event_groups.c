// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "event_groups.h"

void event_groups_clear(struct event_groups *groups)
{
	free(groups->list);
	*groups = (struct event_groups){0};
}

/* SPEC 6.2: u32 nr, nr x { string name, u32 leader, u32 members }; a string is its size and its
 * bytes. */
bool event_groups_read(struct event_groups *groups, const struct pk_feature_content *feature)
{
	const uint8_t *at = feature->data, *end = at + feature->size;
	uint32_t count, size;

	event_groups_clear(groups);
	if (feature->size < 4)
		return true;
	count = pk_load_u32(at);
	at += 4;
	if (count > feature->size / 12)
		return true;
	groups->list = malloc((count + (size_t)1) * sizeof(*groups->list));
	if (!groups->list)
		return false;
	while (count-- && (size_t)(end - at) >= 12) {
		size = pk_load_u32(at);
		if (size > (size_t)(end - at) - 12)
			break;
		at += 4 + size;
		groups->list[groups->count++] =
			(struct event_group){pk_load_u32(at), pk_load_u32(at + 4)};
		at += 8;
	}
	return true;
}

static bool tell_group(const struct event_group *group, const struct pk_events *events,
		       struct pk_histogram *histogram)
{
	const size_t count = pk_events_count(events);
	uint32_t leader, member;

	if (group->leader >= count || group->members > count - group->leader)
		return true;
	leader = pk_histogram_event(histogram, pk_events_at(events, group->leader)->name);
	for (uint32_t i = 0; leader && i < group->members; i++) {
		member = pk_histogram_event(histogram,
					    pk_events_at(events, group->leader + i)->name);
		if (!member)
			return false;
		pk_histogram_set_leader(histogram, member, leader);
	}
	return leader;
}

bool event_groups_tell(const struct event_groups *groups, const struct pk_events *events,
		       struct pk_histogram *histogram)
{
	size_t members = 0;

	/* Groups do not overlap. If they have more members than there are events, the rest is
	 * skipped. */
	for (size_t i = 0; i < groups->count; i++) {
		members += groups->list[i].members;
		if (members > pk_events_count(events))
			break;
		if (!tell_group(&groups->list[i], events, histogram))
			return false;
	}
	return true;
}
