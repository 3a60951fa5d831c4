/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_RESULT_H
#define PK_STAT_RESULT_H

/* Counts that are complete and can be printed: of a run, of an interval, of a recording. */

#include "event.h"
#include "stat_cells.h"

struct metrics;

/* A column of --metric-only: the nth derived number of an event. */
struct stat_column {
	size_t event, nth;
	char name[160];
};

struct stat_columns {
	struct stat_column *items;
	size_t count, capacity;
	bool titled;
};

/* Results of all events and groups. The index in counts and moments is event * groups->count +
 * group. */
struct stat_result {
	const struct event_list *events;
	const struct stat_groups *groups;
	const struct count *counts; /* scaled to the enabled time, unless --no-scale */
	const bool *hidden; /* by event: it has no line, because it was added to another one */
	const struct moments *moments; /* mean and variance of several runs; NULL: one run */
	struct metrics *metrics;
	struct stat_columns *columns; /* columns of all results so far */
	double seconds; /* elapsed time: since the start or, with -I, of the interval; 0: unknown */
	double user, system; /* CPU time of the command in seconds */
	double at;	     /* result of an interval: seconds since the start; else negative */
	bool summary;	     /* this is the summary after intervals (--summary) */
	bool cgroups;	     /* some events count a control group */
	bool named; /* derived numbers have the names of perf's default metrics, because the events
		     * are the default ones */
};

/* The mean of several runs, or the count of one. */
double stat_value(const struct stat_result *result, size_t event, size_t group);
/* False: the event is not supported, or was never running. */
bool stat_is_counted(const struct stat_result *result, size_t event, size_t group);

/* Whether any event counts a control group. */
bool stat_has_cgroups(const struct event_list *events);
/* Whether a group can contain several CPUs, so that their number is printed. */
bool stat_adds_cpus(enum stat_by by);
/* Whether it is cpu-clock or task-clock: such counts are in nanoseconds, and are printed in
 * milliseconds. */
bool event_is_clock(const struct event *event);

#endif
