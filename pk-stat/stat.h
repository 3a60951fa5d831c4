/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STAT_H
#define PK_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"
#include "metrics.h"
#include "presets.h"
#include "vector.h"
#include "stat_cells.h"

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

/* When, and how often, is counted. */
struct stat_run {
	const char *before, *after; /* --pre, --post: shell commands before and after every run */
	const char *control;
	uint64_t repeat;	 /* -r; 0: unlimited */
	uint64_t interval;	 /* ns; 0: only at the end */
	uint64_t intervals;	 /* --interval-count: number of intervals; 0: unlimited */
	uint64_t timeout, delay; /* ns; 0: none */
	bool start_disabled;	 /* -D -1: events start disabled, and --control enables them */
	bool no_inherit, null_run, sync;
};

/* How counts are printed. */
struct stat_print {
	enum stat_by by;
	enum stat_format format;
	const char *separator; /* of STAT_CSV */
	bool summary, no_csv_summary, metric_only, no_metrics, no_big_numbers, no_merge, no_scale;
	bool table, clear;
};

struct stat_options {
	struct target_spec targets;
	struct event_list events;
	struct pk_presets presets; /* memory of the sets of events */
	struct metrics metrics;
	struct pk_text_list metric_names; /* -M: selected after all files were loaded */
	struct stat_run run;
	struct stat_print print;
	char *const *command;		   /* NULL: none */
	char *const *inputs;		   /* recordings to print; NULL: count */
	const char *output;		   /* -o: the file; NULL: not given */
	const char *cgroups, *each_cgroup; /* -G, --for-each-cgroup */
	int argc;			   /* the program's arguments */
	char *const *argv;
	unsigned int detail; /* number of -d */
	bool all_user, all_kernel;
	bool stream;
	bool quiet_stdout;   /* the stream is written to stdout: redirect stdout of the commands */
	bool default_events; /* no option selects events */
	FILE *out;
	int out_error;	    /* errno of the first failed write */
	size_t last_events; /* index of the first event of the last -e */
};

/* Counts and prints, or writes a stream. Returns the exit status. */
int stat_run(struct stat_options *options);
/* Prints the counts of recordings. Returns the exit status. */
int stat_read(struct stat_options *options);

#endif
