/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_REPORT_H
#define PK_STAT_REPORT_H

/* Prints counts as text, as fields with a separator, or as lines of JSON, in the formats of perf
 * stat. */

#include "derived.h"
#include "stat.h"

/* Times that the text format prints after the counts. */
struct stat_times {
	struct moments elapsed; /* seconds */
	double user, system;	/* seconds of the command; negative: unknown */
	double *runs;		/* seconds of each run; NULL: no --table */
	size_t capacity;	/* of runs */
};

/* Prints the title or the names of columns, in the text format only. With --interval-clear, clears
 * the screen before, in all formats. of_what is the counted command. With NULL, the options
 * determine the text. */
void report_start(const struct stat_options *options, const struct stat_result *result,
		  const char *of_what);
void report_counts(const struct stat_options *options, const struct stat_result *result);
void report_end(const struct stat_options *options, const struct stat_times *times);

/* ---- Shared by the parts of the report ---- */

/* One count to print. */
struct stat_line {
	const struct stat_options *options;
	const struct stat_result *result;
	const struct event *event;
	const struct stat_group *group;
	const struct count *count;
	const char *unit;
	double value;	  /* the count in that unit */
	double deviation; /* standard error of the mean of several runs, in percent of the mean;
			   * negative: only one run */
	/* Whether the event was counted in the group. */
	bool there;    /* it was counted */
	bool fraction; /* the value is not an integer */
	int unit_width;
	const struct derived *derived;
	size_t derived_count;
};

/* The text for a count that is not there. */
static inline const char *line_absence(const struct stat_line *line)
{
	return line->event->opened.error ? "<not supported>" : "<not counted>";
}

/* The percentage of the enabled time in which the counter was running. */
static inline double line_percent_running(const struct stat_line *line)
{
	if (!line->count->enabled)
		return 100;
	return 100.0 * (double)line->count->running / (double)line->count->enabled;
}

static inline void line_number(char *text, size_t size, const struct stat_line *line)
{
	snprintf(text, size, line->fraction ? "%.2f" : "%.0f", line->value);
}

void stat_columns_free(struct stat_columns *columns);

#endif
