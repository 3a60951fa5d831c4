/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

struct pmu_json;

/*
 * --list: what can be recorded here, and what cannot and why, on stdout; with object the markers
 * (USDT) that it has. json: whose events are listed, too; NULL: none. glob: only names that match,
 * or contain it if it has no wildcards; NULL: all. The exit status: 1 if nothing matches.
 */
int list_events(const char *glob, const char *object, const struct pmu_json *json);

#endif
