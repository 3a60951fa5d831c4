// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "report.h"

static const char *unit_of(const struct event *event)
{
	return event_is_clock(event) ? "msec" : event->unit;
}

static void print_line(const struct stat_options *options, const struct stat_result *result,
		       size_t event, size_t group, int unit_width, struct derived *derived)
{
	const size_t at = event * result->groups->count + group;
	struct stat_line line = {
		.options = options,
		.result = result,
		.event = &result->events->items[event],
		.group = &result->groups->items[group],
		.count = &result->counts[at],
		.deviation = -1,
		.there = stat_is_counted(result, event, group),
		.unit_width = unit_width,
		.derived = derived,
	};
	const double scale = event_is_clock(line.event) ? 1e-6 : line.event->scale;

	line.unit = unit_of(line.event);
	line.value = stat_value(result, event, group) * scale;
	if (result->moments) {
		const struct moments *moments = &result->moments[at];

		line.deviation = moments->mean != 0
					 ? fabs(100 * moments_deviation(moments) / moments->mean)
					 : 0;
	}
	line.fraction = floor(scale) != scale;
	if (!options->no_metrics && line.there)
		line.derived_count = derive(result, event, group, derived, derived_most(result));
	switch (options->format) {
	case STAT_CSV: report_csv_line(&line); break;
	case STAT_JSON: report_json_line(&line); break;
	default: report_text_line(&line); break;
	}
}

static int widest_unit(const struct event_list *events)
{
	size_t width = strlen("unit");

	for (size_t i = 0; i < events->count; i++)
		if (strlen(unit_of(&events->items[i])) > width)
			width = strlen(unit_of(&events->items[i]));
	return (int)width;
}

/* Whether to print no line for an event in a group: only some CPUs have the event, or it is a clock
 * of pk-stat, and it was not counted in the group. */
static bool is_elsewhere(const struct stat_result *result, size_t event, size_t group)
{
	const struct event *of = &result->events->items[event];
	const struct count *count = &result->counts[event * result->groups->count + group];

	return (of->cpus || of->tool) && !count->enabled && result->groups->by != STAT_ALL;
}

/* The value of an event in a group, for the order of threads. */
struct rank {
	double value;
	size_t group;
};

static int by_value(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Prints all groups of an event, then those of the next one. Threads are sorted by their values,
 * the largest first. */
static void print_by_event(const struct stat_options *options, const struct stat_result *result,
			   int width, struct derived *derived, struct rank *ranks)
{
	const size_t groups = result->groups->count;

	for (size_t event = 0; event < result->events->count; event++) {
		if (result->hidden[event])
			continue;
		for (size_t i = 0; i < groups; i++)
			ranks[i] = (struct rank){stat_value(result, event, i), i};
		if (result->groups->by == STAT_THREAD)
			qsort(ranks, groups, sizeof(*ranks), by_value);
		for (size_t i = 0; i < groups; i++)
			if (!is_elsewhere(result, event, ranks[i].group))
				print_line(options, result, event, ranks[i].group, width, derived);
	}
}

static void print_by_group(const struct stat_options *options, const struct stat_result *result,
			   int width, struct derived *derived)
{
	for (size_t group = 0; group < result->groups->count; group++)
		for (size_t event = 0; event < result->events->count; event++)
			if (!result->hidden[event] && !is_elsewhere(result, event, group))
				print_line(options, result, event, group, width, derived);
}

void report_counts(const struct stat_options *options, const struct stat_result *result)
{
	const int width = widest_unit(result->events);
	struct derived *derived = calloc(derived_most(result), sizeof(*derived));
	struct rank *ranks = calloc(result->groups->count + 1, sizeof(*ranks));

	if (!derived || !ranks)
		pk_no_memory();
	else if (options->metric_only)
		report_metrics(options, result);
	else if (result->groups->by == STAT_CPU || result->groups->by == STAT_THREAD)
		print_by_event(options, result, width, derived, ranks);
	else
		print_by_group(options, result, width, derived);
	free(derived);
	free(ranks);
	fflush(options->out);
}

void report_start(const struct stat_options *options, const struct stat_result *result,
		  const char *of_what)
{
	if (options->clear && result->at >= 0)
		fputs("\033[H\033[2J", options->out);
	if (options->format == STAT_TEXT)
		report_text_start(options, result, of_what, widest_unit(result->events));
}
