/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

#include <stdbool.h>

struct pmu_json;

/* The option --list. Prints the events on stdout, and closes stdout. If an event cannot be recorded
 * on this machine, also prints the reason. If `object` is not NULL, prints the USDT probes of this
 * ELF file, and no other events. `json` has further events and metrics, or is NULL.
 *
 * `value` is the glob, or NULL: then the first of `operands` is the glob. as_json, and the word
 * --json among the operands, select lines of JSON. The glob selects what is printed. It is a kind
 * of events ("hw", "cache", "metric" ..., as in perf list), or a pattern for names of events. A
 * pattern without wildcards selects all names that contain it. NULL selects all events.
 *
 * Returns the exit status, which is PK_EXIT_FAILED if no name matches. */
int pk_list_events(const char *value, char *const *operands, bool as_json, const char *object,
		   struct pmu_json *json);

#endif
