/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_REPORT_H
#define PK_STAT_REPORT_H

/* Prints counts in the formats of perf stat: as text, as fields with a separator, or as lines of
 * JSON. */

#include "derived.h"
#include "stat.h"

/* Times that are printed after the counts in the text format. */
struct stat_times {
	struct moments elapsed; /* in seconds */
	double user, system;	/* CPU time of the command in seconds; `user` is negative if it is
				 * unknown */
	double *runs;		/* seconds of each run; NULL without --table */
	size_t capacity;	/* capacity of `runs` */
};

/* In the text format, prints the title or the names of columns. With --interval-clear, first clears
 * the screen, in all formats. of_what is the counted command. If it is NULL, the options determine
 * the text. */
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
	double value;	  /* the count, converted to `unit` */
	double deviation; /* moments_interval() of several runs, in percent of the mean.
			   * It is negative if there was only one run. */
	bool there;	  /* true if the event was counted for this group */
	bool fraction;	  /* true if the value can have decimals */
	int unit_width;
	const struct derived *derived;
	size_t derived_count;
};

/* Returns the text that is printed if there is no count. */
static inline const char *line_absence(const struct stat_line *line)
{
	return line->event->opened.error ? "<not supported>" : "<not counted>";
}

/* Returns the percentage of the enabled time in which the counter was running. */
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
