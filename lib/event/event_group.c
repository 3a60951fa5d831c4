// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "event_parser.h"

/* Those of one kind of processors, or of one uncore unit, which others cannot be counted with. */
static bool is_apart(const struct event *event)
{
	return event->pmu && event->cpus;
}

/* The first of its PMU. */
static size_t leader_of(const struct event_list *list, size_t first, size_t index)
{
	const struct event *event = &list->items[index];
	const char *pmu = NULL; /* that of the group that the first is in */

	if (!is_apart(event))
		return first;
	for (size_t i = first; i < index && !pmu; i++)
		if (is_apart(&list->items[i]))
			pmu = list->items[i].pmu;
	if (!pmu || !strcmp(pmu, event->pmu))
		return first;
	for (size_t i = first; i < index; i++)
		if (is_apart(&list->items[i]) && !strcmp(list->items[i].pmu, event->pmu))
			return i;
	return index;
}

void group_events(struct event_list *list, size_t first)
{
	bool split = false;

	/* Tools are in no group. */
	while (first < list->count && list->items[first].tool)
		first++;
	for (size_t i = first; i < list->count; i++) {
		if (list->items[i].tool)
			continue;
		list->items[i].leader = leader_of(list, first, i);
		split |= list->items[i].leader != first;
	}
	if (split)
		pk_messages_info(&list->messages,
				 "events of several PMUs are a group for each of these");
}
