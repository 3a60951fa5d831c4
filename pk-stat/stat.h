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

/* How often pk-stat counts, and when. */
struct stat_run {
	const char *before, *after; /* shell commands that are run before and after each run (--pre
				     * and --post) */
	const char *control;
	uint64_t repeat;    /* argument of -r; 0 if the number of runs is not limited */
	uint64_t interval;  /* time between two outputs in ns; 0 to print only at the end */
	uint64_t intervals; /* argument of --interval-count; 0 if the number of intervals is not
			     * limited */
	uint64_t timeout,
		delay;	     /* arguments of --timeout and of -D in ns; 0 if they are not given */
	bool start_disabled; /* -D -1 is given: events are disabled at the start, until --control
			      * enables them */
	bool no_inherit, null_run, sync;
};

/* How counts are printed. */
struct stat_print {
	enum stat_by by;
	int cache_level; /* argument of --per-cache; 0: the last cache of each CPU */
	enum stat_format format;
	const char *separator; /* the separator of STAT_CSV */
	bool summary, no_csv_summary, metric_only, no_metrics, no_big_numbers, no_merge, no_scale;
	bool table, clear;
	double confidence; /* argument of --confidence in percent; 0 if it is not given */
};

/* The options of pk-stat. */
struct stat_options {
	struct target_spec targets;
	struct event_list events;
	struct pk_presets presets; /* owns the memory of event sets that options have expanded */
	struct metrics metrics;
	struct pk_text_list metric_names; /* arguments of -M; the metrics are selected after all
					   * files with metrics were loaded */
	struct stat_run run;
	struct stat_print print;
	char *const *command; /* the words of the command, which end with NULL; NULL if there is no
			       * command */
	char *const
		*inputs;    /* recordings whose counts are printed; NULL if pk-stat itself counts */
	const char *output; /* the file of -o, or NULL */
	const char *cgroups, *each_cgroup; /* arguments of -G and --for-each-cgroup */
	int argc;			   /* number of the program's arguments */
	char *const *argv;
	unsigned int detail; /* how often -d is given */
	bool all_user, all_kernel;
	bool stream;
	bool quiet_stdout; /* The stream is written to stdout, so the stdout of the commands must be
			    * redirected. */
	bool default_events; /* true if no option selects events, so that the default events are
			      * counted */
	FILE *out;
	int out_error; /* errno of the first write to `out` that has failed; 0 if none has failed */
	size_t last_events; /* Index of the first event that the last -e has added. --filter applies
			     * to the events from this index. */
};

/* Counts, and prints the counts or writes a stream. Returns the exit status. */
int stat_run(struct stat_options *options);
/* Prints the counts of recordings. Returns the exit status. */
int stat_read(struct stat_options *options);

#endif
