/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_METRICS_H
#define PK_STAT_METRICS_H

/*
 * Metrics from JSON files. They are selected by name; their events are counted, and their values
 * calculated.
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

/* The events for a name in a metric: one name can be an event of several PMUs. */
struct metric_use {
	size_t id;	     /* in metrics.ids */
	size_t first, count; /* in the event list */
};

/* A metric that was selected, or that another one refers to. */
struct metric {
	char *name; /* name without control bytes */
	const struct pmu_json_metric *from;
	struct metric_expr expr; /* the link of nodes with a name is an index in metrics.ids */
	bool *needed;		 /* by node of the expression: see metric_expr_needed() */
	double scale;
	const char *unit; /* NULL: the metric has no ScaleUnit, and scale is 1 */
	/* For selected metrics (shown): */
	bool shown;
	size_t *order; /* indexes of the metrics that it refers to, in order of calculation; its own
			* index is last */
	size_t order_count;
	struct metric_use *uses; /* sorted by id */
	size_t uses_count;
	size_t event; /* index of the event on whose line it is printed */
};

/* A name in expressions, equal for all its occurrences. */
struct metric_id {
	char *text;
	size_t metric; /* index of the metric with this name; METRIC_NONE: the name is that of an
			* event */
	int has_event; /* whether the event exists here; -1: not yet checked */
};

struct metrics {
	struct pmu_json *json;
	struct metric *items;
	/* `shown` is the number of selected metrics. */
	size_t count, capacity, shown;
	struct metric_id *ids;
	size_t ids_count, ids_capacity;
	void *by_text; /* tree of ids, see tsearch(3) */
	/* set before metrics_choose */
	bool no_group, no_merge, system_wide;
	bool cpus;	 /* counts processors, not tasks: system_wide, or some of them */
	double *scratch; /* of metrics_value */
};

/* Functions that return bool return false after a message. */
PK_MUST_CHECK enum pk_status metrics_load(struct metrics *metrics, const char *path,
					  struct pk_messages *messages);
/* Selects metrics by the names of metrics or groups, or by "all". Names are separated by commas. */
PK_MUST_CHECK enum pk_status metrics_choose(struct metrics *metrics, const char *names);
/* Appends the events of the selected metrics. The events of each metric form a weak group, unless
 * no_group is set or the metric forbids it. A metric uses the events of another one if that has all
 * of them, unless no_merge is set. */
PK_MUST_CHECK enum pk_status metrics_add_events(struct metrics *metrics, struct event_list *events);
/* Instead of metrics_add_events(): finds the events of the selected metrics, by name, among those
 * that a recording contains. */
bool metrics_find_events(struct metrics *metrics, const struct event_list *events);
void metrics_free(struct metrics *metrics);

/* The value of a metric in its unit, or NaN if it is unknown. */
double metrics_value(struct metrics *metrics, const struct metric *metric,
		     const struct stat_result *result, size_t group);

/* ---- Shared by the parts of metrics ---- */

/* The value of a literal such as "#num_cpus", or NaN if there is no such literal, or it is unknown
 * on this machine. */
double metric_literal(const char *name, bool system_wide, bool cpus);
/* The value of has_event, strcmp_cpuid_str or a literal, for metric_values.known. arg is the struct
 * metrics. */
double metric_known(void *arg, const struct metric_node *node);

#endif
