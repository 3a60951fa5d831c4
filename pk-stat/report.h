/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_REPORT_H
#define PK_STAT_REPORT_H

/* Counts as text in the format of perf stat, as fields with a separator, and as JSON lines. */

#include "derived.h"
#include "stat.h"

/* The values around the counts, for the text only. */
struct stat_times {
	struct moments elapsed; /* seconds */
	double user, system;	/* seconds of the command; negative: unknown */
	double *runs;		/* seconds of each run; NULL: not requested */
	size_t capacity;	/* of runs */
};

/* Titles; of_what: the counted command or task in the text; NULL: from the options. */
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
	double value;	  /* in that unit */
	double deviation; /* percent; negative: only one run */
	bool there;	  /* it was counted */
	bool fraction;	  /* the value is not an integer */
	int unit_width;
	const struct derived *derived;
	size_t derived_count;
};

const char *line_absence(const struct stat_line *line);
double line_percent_running(const struct stat_line *line);
void line_number(char *text, size_t size, const struct stat_line *line);
/* Whether some events are of a control group. */
bool stat_has_cgroups(const struct event_list *events);
/* Whether groups are sets of CPUs. */
bool stat_adds_cpus(enum stat_by by);
void report_json_string(FILE *out, const char *text);
/* The start of an object: the time and the group. */
void report_json_group(const struct stat_options *options, const struct stat_result *result,
		       const struct stat_group *group);
void report_text_group(const struct stat_options *options, const struct stat_result *result,
		       const struct stat_group *group);
void report_csv_group(const struct stat_options *options, const struct stat_result *result,
		      const struct stat_group *group);

void report_text_line(const struct stat_line *line);
void report_csv_line(const struct stat_line *line);
void report_json_line(const struct stat_line *line);
void report_text_start(const struct stat_options *options, const struct stat_result *result,
		       const char *of_what, int unit_width);
/* The names of the columns before counts, in the text. */
void report_text_columns(const struct stat_options *options, enum stat_by by);
/* --metric-only: a row for each group; before them the names, if there are new columns. */
void report_metrics(const struct stat_options *options, const struct stat_result *result);
void stat_columns_free(struct stat_columns *columns);

#endif
