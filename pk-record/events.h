/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_EVENTS_H
#define PK_RECORD_EVENTS_H

/* What to record: the events that -e names, and their attrs. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf_abi.h"

struct event {
	struct perf_attr attr;
	char *name;	  /* as the stream shall call it */
	char *tracepoint; /* "system/event" below tracefs/events; NULL for others */
	bool tracking;	  /* the dummy that only follows tasks and maps, on all CPUs */
	bool precise_max; /* P: the highest precision that works */
	bool sample_read; /* S: counter values with each sample */
	/* Set by opening: one for each pair of CPU and task, CPU-major; fd -1 where there is none.
	 */
	int *fds;
	uint64_t *ids;
};

struct event_list {
	struct event *items;
	size_t count;
};

/*
 * Appends the events that a list names: "cycles:u,sched:*". False after a message; what came before
 * the error stays in the list.
 */
bool events_parse(struct event_list *list, const char *text);
/* A zeroed event at the end, with a copy of the name. NULL without memory, after a message. */
struct event *events_add(struct event_list *list, const char *name);
void events_free(struct event_list *list);
/* Both keep the old name where there is no memory for a new one. */
void event_rename(struct event *event, const char *name);
/* Appends a letter to the event's name ("u" or ":u"), so that it tells what was recorded. */
void event_append_modifier(struct event *event, char modifier);

/* The type and config of a name without modifiers; false if it is none of these kinds. */
bool event_by_name(const char *name, struct perf_attr *attr);

#endif
