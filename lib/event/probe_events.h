/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes in tracefs. Some probes need no definition in tracefs: perf_event_open(2) creates them,
 * and they end when their file descriptors are closed. Other probes need a definition in
 * uprobe_events or kprobe_events, because new tasks inherit them, or because the kernel reads their
 * arguments. The group of a definition is "pk_PID_INDEX_" and the name of the event's group. The
 * PID shows whether the process of a definition has ended.
 */
#ifndef PK_PROBE_EVENTS_H
#define PK_PROBE_EVENTS_H

#include "event.h"

/* Returns true if an event needs a definition in tracefs. */
bool pk_probe_events_wanted(const struct event_list *events);
/* Defines the events that need a definition. They become tracepoints. First removes the definitions
 * of processes that have ended.
 *
 * inherited means that new tasks inherit the events. Then all probes need a definition. The reason:
 * if a task with a probe of perf_event_open(2) forks, the kernel reads the path of the object
 * again, in the memory of that task. That memory does not contain the path, and the fork fails. If
 * the definition is not possible, the probes are not inherited, and a message reports it.
 *
 * Returns PK_FAILED after a message. Call pk_probe_events_remove() also after a failure. */
PK_MUST_CHECK enum pk_status pk_probe_events_define(struct event_list *events, bool inherited);
/* Removes the definitions of a process. If pid is 0, removes the definitions of all processes that
 * have ended. Returns the number of definitions that could not be removed because they are in use.
 */
size_t pk_probe_events_remove(pid_t pid, struct pk_failures *failures);
/* Returns the name of a system without its prefix "pk_PID_INDEX_". Returns the whole name if it
 * does not have this prefix. */
const char *pk_probe_events_system(const char *system);

#endif
