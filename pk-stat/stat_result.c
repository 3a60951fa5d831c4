// SPDX-License-Identifier: BSD-2-Clause
#include "stat_result.h"

double stat_value(const struct stat_result *result, size_t event, size_t group)
{
	const size_t at = event * result->groups->count + group;

	return result->moments ? result->moments[at].mean : (double)result->counts[at].value;
}

bool stat_is_counted(const struct stat_result *result, size_t event, size_t group)
{
	const struct event *of = &result->events->items[event];
	const struct count *count = &result->counts[event * result->groups->count + group];

	return !of->error && (of->snapshot || (count->enabled && count->running));
}

bool stat_has_cgroups(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].cgroup)
			return true;
	return false;
}

bool stat_adds_cpus(enum stat_by by)
{
	return by == STAT_CORE || by == STAT_DIE || by == STAT_SOCKET || by == STAT_NODE;
}

bool event_is_clock(const struct event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}
