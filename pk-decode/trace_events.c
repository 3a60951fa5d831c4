// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "trace_events.h"

/* perf chooses the ids in the same way. */
#define ID_DISTANCE UINT64_C(1000000000)

const struct pk_event *trace_recorded_event(const struct pk_events *events, uint32_t pmu_type)
{
	for (size_t i = 0; i < pk_events_count(events); i++)
		if (pk_events_at(events, i)->attr.type == pmu_type)
			return pk_events_at(events, i);
	return pk_events_at(events, 0);
}

struct perf_attr trace_attr(const struct pk_events *events, const struct pk_event *recorded,
			    uint64_t sample_type)
{
	const uint64_t flags = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL |
			       PERF_ATTR_EXCLUDE_HV | PERF_ATTR_SAMPLE_ID_ALL |
			       PERF_ATTR_USE_CLOCKID | PERF_ATTR_EXCLUDE_HOST |
			       PERF_ATTR_EXCLUDE_GUEST;
	const struct perf_attr *from = &recorded->attr;
	struct perf_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = from->size < sizeof(*from) ? from->size : sizeof(*from),
		.sample_type = sample_type | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD,
		.read_format = from->read_format,
		.flags = from->flags & flags,
		.clockid = from->clockid,
	};

	if (attr.size < PERF_ATTR_SIZE_VER7)
		attr.size = PERF_ATTR_SIZE_VER7;
	for (size_t i = 0; i < pk_events_count(events); i++)
		attr.sample_type |= pk_events_at(events, i)->attr.sample_type & PERF_SAMPLE_TIME;
	return attr;
}

void trace_choose_ids(const struct pk_events *events, const struct pk_event *recorded,
		      uint64_t *ids, size_t count)
{
	uint64_t id = (recorded->ids_count ? recorded->ids[0] : 0) + ID_DISTANCE;

	for (size_t i = 0; i < count; i++, id++) {
		while (pk_events_by_id(events, id))
			id++;
		ids[i] = id;
	}
}

void trace_write_event(struct pk_writer *writer, const struct perf_attr *attr, uint64_t id,
		       const char *name)
{
	char text[16] = "";

	memcpy(text, name, strlen(name));
	pk_writer_attr(writer, attr, &id, 1);
	pk_writer_update(writer, PERF_EVENT_UPDATE_NAME, id, text, sizeof(text));
}
