/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct event;
struct pmu_json;

/* Returns the reason why a metric cannot be calculated on this machine, or NULL. `nth` is its index
 * in pk_pmu_json_metrics(). */
typedef const char *pk_metric_obstacle(struct pmu_json *json, size_t nth);

/* The option --list. Prints the events on stdout, and closes stdout. If an event cannot be recorded
 * on this machine, also prints the reason. If `object` is not NULL, prints the USDT probes of this
 * ELF file, and no other events. `json` has further events and metrics, or is NULL. A program that
 * cannot calculate metrics has no metric_obstacle: then a message names the program that lists
 * them.
 *
 * `value` is the glob, or NULL: then the first of `operands` is the glob. as_json, and the word
 * --json among the operands, select lines of JSON. The glob selects what is printed. It is a kind
 * of events ("hw", "cache", "metric", "metricgroup" ..., as in perf list), or a pattern for names
 * of events. A pattern without wildcards selects all names that contain it. NULL selects all
 * events.
 *
 * Returns the exit status, which is PK_EXIT_FAILED if no name matches. */
int pk_list_events(const char *value, char *const *operands, bool as_json, const char *object,
		   struct pmu_json *json, pk_metric_obstacle *metric_obstacle);
/* Returns the reason why an event cannot be counted on this machine, or NULL. */
const char *pk_count_obstacle(const struct event *event);

#endif
