// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "event_groups.h"

void pk_event_groups_clear(struct event_groups *groups)
{
	free(groups->list);
	*groups = (struct event_groups){0};
}

/* SPEC 6.2: u32 nr, nr x { string name, u32 leader, u32 members }; a string is its size and its
 * bytes. */
bool pk_event_groups_read(struct event_groups *groups, const struct pk_feature_content *feature)
{
	const uint8_t *at = feature->data, *end = at + feature->size;
	uint32_t count, size;

	pk_event_groups_clear(groups);
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

bool pk_event_groups_record(struct event_groups *groups, const struct pk_reader *reader,
			    const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (record->type == PK_RECORD_BEGIN) {
		pk_event_groups_clear(groups);
		return true;
	}
	if (record->type != PERF_RECORD_HEADER_FEATURE &&
	    pk_definition_of(record) != PK_FEATURE_PART)
		return true;
	return !pk_reader_feature(reader, record, &feature) ||
	       feature.id != PERF_FEATURE_GROUP_DESC || pk_event_groups_read(groups, &feature);
}

static bool each_member(const struct event_group *group, const struct pk_events *events,
			event_groups_fn *each, void *arg)
{
	const size_t count = pk_events_count(events);
	const struct pk_event *leader;

	if (group->leader >= count || group->members > count - group->leader)
		return true;
	leader = pk_events_at(events, group->leader);
	for (uint32_t i = 0; i < group->members; i++)
		if (!each(arg, leader, pk_events_at(events, group->leader + i)))
			return false;
	return true;
}

bool pk_event_groups_each_member(const struct event_groups *groups, const struct pk_events *events,
				 event_groups_fn *each, void *arg)
{
	size_t members = 0;

	/* Groups do not overlap. If they have more members than there are events, the rest is
	 * skipped. */
	for (size_t i = 0; i < groups->count; i++) {
		members += groups->list[i].members;
		if (members > pk_events_count(events))
			break;
		if (!each_member(&groups->list[i], events, each, arg))
			return false;
	}
	return true;
}
