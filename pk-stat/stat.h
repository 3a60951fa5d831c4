/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STAT_H
#define PK_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"
#include "views.h"
#include "metrics.h"
#include "stat_cells.h"

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_options {
	struct target_spec targets;
	struct event_list events;
	struct pk_views views; /* memory of the sets of events */
	struct metrics metrics;
	enum stat_by by;
	enum stat_format format;
	const char *separator;		   /* of STAT_CSV */
	char *const *command;		   /* NULL: none */
	char *const *inputs;		   /* recordings to print; NULL: count */
	const char *output;		   /* -o: the file; NULL: not given */
	const char *cgroups, *each_cgroup; /* -G, --for-each-cgroup */
	const char *before, *after; /* --pre, --post: shell commands before and after every run */
	const char *control;
	int argc; /* the program's arguments */
	char *const *argv;
	unsigned int detail;	 /* number of -d */
	uint64_t repeat;	 /* -r; 0: unlimited */
	uint64_t interval;	 /* ns; 0: only at the end */
	uint64_t intervals;	 /* --interval-count: number of intervals; 0: unlimited */
	uint64_t timeout, delay; /* ns; 0: none */
	bool start_disabled;	 /* -D -1: events start disabled, and --control enables them */
	bool no_inherit, null_run, no_metrics, no_scale, sync, stream;
	bool quiet_stdout; /* the stream is written to stdout: redirect stdout of the commands */
	bool summary, no_csv_summary, metric_only, no_big_numbers, no_merge, table, clear;
	bool all_user, all_kernel;
	bool default_events; /* no option selects events */
	FILE *out;
	int out_error;	    /* errno of the first failed write */
	size_t last_events; /* index of the first event of the last -e */
	size_t metric_names_count, metric_names_capacity;
	const char **metric_names; /* -M: names of metrics, which are selected after all files were
				    * loaded */
};

/* ---- Results ---- */

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

/* Counts and prints, or writes a stream. Returns the exit status. */
int stat_run(struct stat_options *options);
/* Prints the counts of recordings. Returns the exit status. */
int stat_read(struct stat_options *options);

#endif
