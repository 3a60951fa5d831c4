/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

struct pmu_json;

/* For --list: prints the events on stdout, each with the reason if it cannot be recorded on this
 * machine, and closes stdout. With object, prints the USDT probes of this ELF file instead. json
 * has further events and metrics, or is NULL. glob is a kind of events ("hw", "cache", "metric"
 * ..., as in perf list), a pattern for their names, or without wildcards a part of their names.
 * NULL means all. Returns the exit status, which is PK_EXIT_FAILED if no name matches. */
int pk_list_events(const char *glob, const char *object, const struct pmu_json *json);

#endif
