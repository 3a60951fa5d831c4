/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OPEN_EVENTS_H
#define PK_RECORD_OPEN_EVENTS_H

#include <stdbool.h>

#include "events.h"
#include "targets.h"

/*
 * Opens all events for all CPUs and tasks, without what this kernel turns out not to know, and gets
 * their ids. The attrs are then what the kernel was given. False after a message that says what to
 * do.
 */
bool events_open(struct event_list *events, const struct targets *targets);
void events_close(struct event_list *events, const struct targets *targets);
void events_ioctl(const struct event_list *events, const struct targets *targets,
		  unsigned long request);

static inline size_t event_slot(const struct targets *targets, size_t cpu, size_t task)
{
	return cpu * targets->tids_count + task;
}

/* Says why an event could not be opened, and what to do about it. */
void explain_open(const struct event *event, const struct targets *targets, int cpu, pid_t tid,
		  int error);
/* kernel.perf_event_paranoid; 2 where that cannot be read. */
int paranoid_level(void);

#endif
