// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "status.h"

/* ---- Counters ---- */

#define COMPARED_MAX 64

/* For PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE, the upper 32 bits of config are the type of the
 * PMU. */
#define PMU_SHIFT 32

#define MODES                                                                                      \
	(PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV |                \
	 PERF_ATTR_EXCLUDE_IDLE | PERF_ATTR_EXCLUDE_HOST | PERF_ATTR_EXCLUDE_GUEST)

/* The components of a name such as "cpu_core/cycles/P" or "cycles:P". */
struct parts {
	const char *pmu, *event, *modifiers;
	size_t pmu_size, event_size;
};

static struct parts parts_of(const char *name)
{
	const char *slash = strchr(name, '/'), *end = strrchr(name, '/');
	struct parts parts = {name, name, "", 0, strlen(name)};

	if (slash && slash != name && end != slash) {
		parts.pmu_size = (size_t)(slash - name);
		parts.event = slash + 1;
		parts.event_size = (size_t)(end - slash - 1);
		parts.modifiers = end + 1;
	} else if (!slash && (end = strrchr(name, ':')) && end != name) {
		parts.event_size = (size_t)(end - name);
		parts.modifiers = end + 1;
	}
	return parts;
}

static bool has_pmu_in_config(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
}

/* Returns the type of the PMU of CPU cores. Returns 0 if the event is not an event of a PMU, such
 * as a software event. */
static uint32_t pmu_of(const struct perf_attr *attr)
{
	if (has_pmu_in_config(attr))
		return attr->config >> PMU_SHIFT ? (uint32_t)(attr->config >> PMU_SHIFT)
						 : PERF_TYPE_RAW;
	return attr->type == PERF_TYPE_RAW || attr->type > PERF_TYPE_BREAKPOINT ? attr->type : 0;
}

/* Returns true for the PMUs of AMD's IBS. Their terms have the same names, but they sample
 * different things. */
static bool is_special(const struct parts *parts)
{
	return parts->pmu_size >= 4 && !memcmp(parts->pmu, "ibs_", 4);
}

static bool is_same_name(const struct pk_event *a, const struct pk_event *b)
{
	const struct parts x = parts_of(a->name), y = parts_of(b->name);

	return x.event_size == y.event_size && x.event_size &&
	       !memcmp(x.event, y.event, x.event_size) && !strcmp(x.modifiers, y.modifiers) &&
	       !is_special(&x) && !is_special(&y);
}

/* Returns true if both events count the same thing on different PMUs. Returns false for two
 * identical events. */
static bool pk_is_same_counter(const struct pk_event *a, const struct pk_event *b)
{
	const struct perf_attr *x = &a->attr, *y = &b->attr;
	const uint32_t pmu = pmu_of(x);

	if (!pmu || !pmu_of(y) || pmu == pmu_of(y) || ((x->flags ^ y->flags) & MODES))
		return false;
	if (has_pmu_in_config(x) && x->type == y->type &&
	    (uint32_t)x->config == (uint32_t)y->config)
		return true;
	return is_same_name(a, b);
}

const struct pk_event *pk_counter_of(const struct pk_events *events, const struct pk_event *event)
{
	if (!event->index || !pmu_of(&event->attr))
		return event;
	for (size_t i = 0; i < event->index && i < COMPARED_MAX; i++) {
		const struct pk_event *other = pk_events_at(events, i);

		if (pk_is_same_counter(other, event))
			return other;
	}
	return event;
}

static bool has_several(const struct pk_events *events, const struct pk_event *event)
{
	const size_t count = pk_events_count(events);

	for (size_t i = 0; i < count && i < COMPARED_MAX; i++)
		if (pk_is_same_counter(pk_events_at(events, i), event))
			return true;
	return false;
}

void pk_counter_name_add(struct buffer *name, const struct pk_events *events,
			 const struct pk_event *event)
{
	struct parts parts;

	if (!has_several(events, event)) {
		buffer_text(name, event->name);
		return;
	}
	parts = parts_of(pk_counter_of(events, event)->name);
	buffer_add(name, parts.event, parts.event_size);
	if (*parts.modifiers)
		buffer_format(name, ":%s", parts.modifiers);
}

/* ---- Groups ---- */

void pk_event_groups_clear(struct event_groups *groups)
{
	free(groups->list);
	*groups = (struct event_groups){0};
}

/* SPEC 6.2: u32 nr, nr x { string name, u32 leader, u32 members }. A string is its size as u32 and
 * its bytes. */
enum pk_status pk_event_groups_read(struct event_groups *groups,
				    const struct pk_feature_content *feature)
{
	const uint8_t *at = feature->data, *end = at + feature->size;
	uint32_t count, size;

	pk_event_groups_clear(groups);
	if (feature->size < 4)
		return PK_OK;
	count = pk_load_u32(at);
	at += 4;
	if (count > feature->size / 12)
		return PK_OK;
	groups->list = malloc((count + (size_t)1) * sizeof(*groups->list));
	if (!groups->list)
		return PK_NOMEM;
	while (count-- && (size_t)(end - at) >= 12) {
		size = pk_load_u32(at);
		if (size > (size_t)(end - at) - 12)
			break;
		at += 4 + size;
		groups->list[groups->count++] =
			(struct event_group){pk_load_u32(at), pk_load_u32(at + 4)};
		at += 8;
	}
	return PK_OK;
}

enum pk_status pk_event_groups_record(struct event_groups *groups, const struct pk_reader *reader,
				      const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (record->type == PK_RECORD_BEGIN) {
		pk_event_groups_clear(groups);
		return PK_OK;
	}
	if (record->type != PERF_RECORD_HEADER_FEATURE &&
	    pk_definition_of(record) != PK_FEATURE_PART)
		return PK_OK;
	return !pk_reader_feature(reader, record, &feature) || feature.id != PERF_FEATURE_GROUP_DESC
		       ? PK_OK
		       : pk_event_groups_read(groups, &feature);
}

static enum pk_status each_member(const struct event_group *group, const struct pk_events *events,
				  event_groups_fn *each, void *arg)
{
	const size_t count = pk_events_count(events);
	const struct pk_event *leader;

	if (group->leader >= count || group->members > count - group->leader)
		return PK_OK;
	leader = pk_events_at(events, group->leader);
	for (uint32_t i = 0; i < group->members; i++)
		PK_TRY(each(arg, leader, pk_events_at(events, group->leader + i)));
	return PK_OK;
}

enum pk_status pk_event_groups_each_member(const struct event_groups *groups,
					   const struct pk_events *events, event_groups_fn *each,
					   void *arg)
{
	size_t members = 0;

	/* Groups do not overlap. So if they have more members than there are events, the remaining
	 * groups are invalid and are skipped. */
	for (size_t i = 0; i < groups->count; i++) {
		members += groups->list[i].members;
		if (members > pk_events_count(events))
			break;
		PK_TRY(each_member(&groups->list[i], events, each, arg));
	}
	return PK_OK;
}
