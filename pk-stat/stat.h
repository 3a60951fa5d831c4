/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STAT_H
#define PK_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"
#include "metrics.h"
#include "stat_cells.h"

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_options {
	struct target_spec targets;
	struct event_list events;
	struct metrics metrics;
	enum stat_by by;
	enum stat_format format;
	const char *separator;		   /* of STAT_CSV */
	char *const *command;		   /* NULL: none */
	char *const *inputs;		   /* recordings to print; NULL: count */
	const char *output;		   /* of stream; NULL: stdout */
	const char *cgroups, *each_cgroup; /* -G, --for-each-cgroup */
	const char *before, *after;	   /* commands around every run */
	const char *control;
	int argc; /* how we were called */
	char *const *argv;
	unsigned int detail;	 /* -d, so many */
	uint64_t repeat;	 /* -r; 0: without end */
	uint64_t interval;	 /* ns; 0: only at the end */
	uint64_t intervals;	 /* so many, then the end; 0: no limit */
	uint64_t timeout, delay; /* ns; 0: none */
	bool start_disabled;	 /* until --control says otherwise */
	bool no_inherit, null_run, no_metrics, no_scale, sync, stream;
	bool quiet_stdout; /* of commands: ours is the stream */
	bool summary, no_csv_summary, metric_only, no_big_numbers, no_merge, table, clear;
	bool all_user, all_kernel;
	bool default_events; /* nobody has said which */
	FILE *out;
	int out_error;	    /* errno, when something could not be written to it */
	size_t last_events; /* those of the last -e begin here */
	size_t metric_names_count, metric_names_capacity;
	const char **metric_names; /* -M: to be chosen when all files are known */
};

/* ---- Results ---- */

/* --metric-only: one of the metrics beside an event. */
struct stat_column {
	size_t event, nth;
	char name[160];
};

struct stat_columns {
	struct stat_column *items;
	size_t count, capacity;
	bool titled;
};

/* Of all events and groups; counts[event * groups->count + group]. */
struct stat_result {
	const struct event_list *events;
	const struct stat_groups *groups;
	const struct count *counts;    /* scaled */
	const bool *hidden;	       /* by event: no line of its own */
	const struct moments *moments; /* likewise, of several runs; NULL: one */
	struct metrics *metrics;
	struct stat_columns *columns; /* of all results so far */
	double seconds;	     /* elapsed: since the start, or of the interval's length; 0: unknown */
	double user, system; /* seconds of the command */
	double at;	     /* intervals: seconds since the start; else negative */
	bool summary;	     /* behind intervals */
	bool cgroups;	     /* some events are of a control group */
	bool named;	     /* what is derived has the names of perf's metrics */
};

/* A mean of several runs, or the count of one. */
double stat_value(const struct stat_result *result, size_t event, size_t group);
bool stat_is_counted(const struct stat_result *result, size_t event, size_t group);

/* The exit status. */
int stat_run(struct stat_options *options);
/* The same for recordings. */
int stat_read(struct stat_options *options);

#endif
