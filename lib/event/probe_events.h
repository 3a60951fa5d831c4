/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes in tracefs. Some probes need none: perf_event_open(2) creates them, and they end with
 * their file descriptors. Others are inherited by new tasks, or the kernel reads their arguments:
 * they need a definition in uprobe_events or kprobe_events. Their group is "pk_PID_INDEX_" and the
 * name of the event's group, so that definitions of ended processes are recognized.
 */
#ifndef PK_PROBE_EVENTS_H
#define PK_PROBE_EVENTS_H

#include "event.h"

/* Whether an event needs a definition in tracefs. */
bool pk_probe_events_wanted(const struct event_list *events);
/* Defines the events that need it, which become tracepoints. inherited means that new tasks inherit
 * the events. If a task with a probe of perf_event_open(2) forks, the kernel reads the path of the
 * object again, in the memory of that task, which does not have it: the fork fails. So the probes
 * are defined. If that is not possible, they are not inherited, which a message reports. Before,
 * removes the definitions of processes that have ended. Returns PK_FAILED after a message. Call
 * pk_probe_events_remove() in any case. */
PK_MUST_CHECK enum pk_status pk_probe_events_define(struct event_list *events, bool inherited);
/* Removes the definitions of a process, or with 0 of all processes that have ended. Returns the
 * number of definitions that are still in use. */
size_t pk_probe_events_remove(pid_t pid, struct pk_failures *failures);
/* The part of a system's name after "pk_PID_INDEX_". The name itself, if it has another form. */
const char *pk_probe_events_system(const char *system);

#endif
