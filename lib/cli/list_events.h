/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

struct pmu_json;

/* --list: prints on stdout the events that can be recorded here, and the reason for the others;
 * with object, its USDT probes. json: further events; NULL: none. glob: only names that match or,
 * without wildcards, contain it; NULL: all. Returns the exit status: 1 if no name matches. */
int list_events(const char *glob, const char *object, const struct pmu_json *json);

#endif
