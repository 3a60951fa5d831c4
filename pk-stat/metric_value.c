// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "metrics.h"
#include "stat.h"

/* A metric that is being calculated. */
struct working {
	struct metrics *metrics;
	const struct metric *shown;
	const struct stat_result *result;
	size_t group;
	double *metric_values; /* by index of a metric: its value, if it was calculated */
};

static int by_id(const void *a, const void *b)
{
	const struct metric_use *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static const struct metric_use *find_use(const struct working *working, size_t id)
{
	const struct metric_use key = {.id = id};

	return working->shown->uses_count ? bsearch(&key, working->shown->uses,
						    working->shown->uses_count, sizeof(key), by_id)
					  : NULL;
}

/* The value of an event in the group; NaN: not counted. The clocks of pk-stat are in seconds, and
 * equal for all groups. */
static double event_value(const struct working *working, size_t index)
{
	const struct stat_result *result = working->result;

	switch (result->events->items[index].tool) {
	case EVENT_TOOL_DURATION: return result->seconds;
	case EVENT_TOOL_USER: return result->user;
	case EVENT_TOOL_SYSTEM: return result->system;
	default: break;
	}
	if (!stat_is_counted(result, index, working->group))
		return NAN;
	return stat_value(result, index, working->group);
}

static double id_value(void *arg, const struct metric_node *node)
{
	const struct working *working = arg;
	const size_t metric = working->metrics->ids[node->link].metric;
	const struct metric_use *use;
	double sum = 0;

	if (metric != METRIC_NONE)
		return working->metric_values[metric];
	use = find_use(working, node->link);
	for (size_t i = 0; use && i < use->count; i++)
		if (!working->result->hidden[use->first + i])
			sum += event_value(working, use->first + i);
	return use ? sum : NAN;
}

static double source_count(void *arg, const struct metric_node *node)
{
	const struct metric_use *use = find_use(arg, node->link);

	return use ? (double)use->count : NAN;
}

static double known(void *arg, const struct metric_node *node)
{
	const struct working *working = arg;

	return metric_known(working->metrics, node);
}

double metrics_value(struct metrics *metrics, const struct metric *metric,
		     const struct stat_result *result, size_t group)
{
	struct working working = {
		.metrics = metrics,
		.shown = metric,
		.result = result,
		.group = group,
		.metric_values = metrics->scratch,
	};
	const struct metric_values values = {id_value, source_count, known, &working};
	double *scratch = metrics->scratch + metrics->count, value = NAN;

	for (size_t i = 0; i < metric->order_count; i++) {
		value = metric_expr_value(&metrics->items[metric->order[i]].expr, &values, scratch);
		working.metric_values[metric->order[i]] = value;
	}
	return value * metric->scale;
}
