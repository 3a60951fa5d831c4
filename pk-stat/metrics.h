/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_METRICS_H
#define PK_STAT_METRICS_H

/*
 * Metrics from JSON files. They are selected by name. Their events are counted, and their values
 * are calculated from the counts.
 *
 *     metrics_load(&metrics, "DIRECTORY", &messages)  one or more times
 *     metrics_choose(&metrics, "ipc,Memory")          names and groups
 *     metrics_add_events(&metrics, &events)           or metrics_find_events()
 *     metrics_value(&metrics, metric, &result, group)
 */

#include "event.h"
#include "metric_expr.h"
#include "pmu_json.h"

struct stat_result;

#define METRIC_NONE SIZE_MAX

/* The events that belong to a name in a metric. There can be several, because one name can be an
 * event of several PMUs. */
struct metric_use {
	size_t id;	     /* index in metrics.ids */
	size_t first, count; /* first index in the event list, and number of events */
};

/* A metric that was selected, or that another metric refers to. */
struct metric {
	char *name; /* name without control characters */
	const struct pmu_json_metric *from;
	struct metric_expr expr; /* the expression; for a node with a name, metric_node.link is the
				  * index of the name in metrics.ids */
	bool *needed; /* the result of metric_expr_needed(); the index is the index of the node */
	double scale;
	const char *unit; /* unit of the value; NULL if the metric has no ScaleUnit, and `scale` is
			   * then 1 */
	/* The following members are set for selected metrics, whose `shown` is true: */
	bool shown;
	/* The indexes of the metrics to which this metric refers, directly or not, in the order in
	 * which they must be calculated. The last one is the index of this metric. */
	size_t *order;
	size_t order_count;
	/* The events of the names in the expression; sorted by metric_use.id. */
	struct metric_use *uses;
	size_t uses_count;
	size_t event; /* index of the event on whose line the metric is printed */
};

/* A name in expressions. All occurrences of the name use the same entry. */
struct metric_id {
	char *text;
	size_t metric; /* Index of the metric that has this name. METRIC_NONE if the name is the
			* name of an event. */
	int has_event; /* 1 if the event exists on this machine, 0 if it does not, and -1 if it was
			* not looked up yet */
};

/* All metrics that were selected, and the names in their expressions. */
struct metrics {
	struct pmu_json *json;
	struct metric *items;
	/* `count` is the number of metrics, and `shown` is the number of selected ones. */
	size_t count, capacity, shown;
	struct metric_id *ids;
	size_t ids_count, ids_capacity;
	void *by_text; /* tree of `ids`, see tsearch(3) */
	/* Set by the caller before metrics_choose(). */
	bool no_group, no_merge, system_wide;
	bool cpus;  /* Processors are counted, and not tasks. If system_wide is set, these are all
		     * processors; otherwise, some processors. */
	bool quiet; /* print no messages about metrics that cannot be used */
	double *scratch; /* memory for metrics_value() */
};

/* The following functions print a message before they return an error. */
PK_MUST_CHECK enum pk_status metrics_load(struct metrics *metrics, const char *path,
					  struct pk_messages *messages);
/* Selects metrics. Each name is the name of a metric or of a group, or "all". Names are separated
 * by commas. */
PK_MUST_CHECK enum pk_status metrics_choose(struct metrics *metrics, const char *names);
/* Appends the events of the selected metrics. The events of each metric form a weak group, unless
 * no_group is set or the metric forbids groups. If a metric has all events of another metric, the
 * two share these events, unless no_merge is set. */
PK_MUST_CHECK enum pk_status metrics_add_events(struct metrics *metrics, struct event_list *events);
/* Finds the events of the selected metrics in a recording, by their names. It is called instead of
 * metrics_add_events(). */
bool metrics_find_events(struct metrics *metrics, const struct event_list *events);
void metrics_free(struct metrics *metrics);

/* Returns the reason why the metric with the index `nth` in pk_pmu_json_metrics() cannot be
 * calculated on this machine, or NULL. */
const char *metrics_obstacle(struct pmu_json *json, size_t nth);
/* Returns the value of a metric in its unit, or NaN if it is unknown. */
double metrics_value(struct metrics *metrics, const struct metric *metric,
		     const struct stat_result *result, size_t group);

/* ---- Shared by the parts of metrics ---- */

/* Returns the value of a literal such as "#num_cpus". Returns NaN if there is no such literal, or
 * if its value is unknown on this machine. */
double metric_literal(const char *name, bool system_wide, bool cpus);
/* The callback metric_values.known. It returns the value of has_event, of strcmp_cpuid_str, or of a
 * literal. arg is the struct metrics. */
double metric_known(void *arg, const struct metric_node *node);

#endif
