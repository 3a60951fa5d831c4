/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_METRICS_H
#define PK_STAT_METRICS_H

/*
 * Metrics from JSON files: selected by name, with their events and values.
 *
 *     metrics_load(&metrics, "DIRECTORY", &messages) once or more
 *     metrics_choose(&metrics, "ipc,Memory")          names and groups
 *     metrics_add_events(&metrics, &events)           or metrics_find_events
 *     metrics_value(&metrics, metric, &result, group)
 */

#include "event.h"
#include "metric_expr.h"
#include "pmu_json.h"

struct stat_result;

#define METRIC_NONE SIZE_MAX

/* The events of a name in a metric. */
struct metric_use {
	size_t id;	     /* in metrics.ids */
	size_t first, count; /* in the event list */
};

struct metric {
	char *name; /* safe for a terminal */
	const struct pmu_json_metric *from;
	struct metric_expr expr; /* link of names: index in metrics.ids */
	bool *needed;		 /* by node of the expression */
	double scale;
	const char *unit; /* NULL: none; scale is 1 then */
	/* For requested metrics: */
	bool shown;
	size_t *order; /* the metrics that it refers to, in order of calculation; itself is last */
	size_t order_count;
	struct metric_use *uses; /* by id */
	size_t uses_count;
	size_t event; /* the event on whose line it is printed */
};

/* A name in expressions. */
struct metric_id {
	char *text;
	size_t metric; /* METRIC_NONE: an event */
	int has_event; /* -1: unknown */
};

struct metrics {
	struct pmu_json *json;
	struct metric *items;
	size_t count, capacity, shown;
	struct metric_id *ids;
	size_t ids_count, ids_capacity;
	void *by_text; /* tree of ids, see tsearch(3) */
	/* set before metrics_choose */
	bool no_group, no_merge, system_wide;
	double *scratch; /* of metrics_value */
};

/* All return false after a message. */
bool metrics_load(struct metrics *metrics, const char *path, struct pk_messages *messages);
/* Names of metrics or groups, or "all", separated by commas. */
bool metrics_choose(struct metrics *metrics, const char *names);
/* Appends the events of the selected metrics. The events of each metric form a weak group; events
 * in another metric's group are not counted twice. */
bool metrics_add_events(struct metrics *metrics, struct event_list *events);
/* The same for events that have been counted already, by name. */
bool metrics_find_events(struct metrics *metrics, const struct event_list *events);
void metrics_free(struct metrics *metrics);

/* In its unit; NaN: unknown. */
double metrics_value(struct metrics *metrics, const struct metric *metric,
		     const struct stat_result *result, size_t group);

/* ---- Shared by the parts of metrics ---- */

/* NaN: no such literal. */
double metric_literal(const char *name, bool system_wide);
/* The value of has_event, strcmp_cpuid_str, literals; for struct metric_values, with struct metrics
 * as arg. */
double metric_known(void *arg, const struct metric_node *node);

#endif
