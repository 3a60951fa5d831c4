/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STAT_H
#define PK_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

/* What counts are added up by. */
enum stat_by { STAT_ALL, STAT_CPU, STAT_CORE, STAT_SOCKET, STAT_THREAD };

struct stat_options {
	struct target_spec targets;
	struct event_list events;
	enum stat_by by;
	enum stat_format format;
	const char *separator;	 /* of STAT_CSV */
	char *const *command;	 /* NULL: none */
	unsigned int detail;	 /* -d, so many */
	uint64_t repeat;	 /* -r; 0 or 1: once */
	uint64_t interval;	 /* ns; 0: only at the end */
	uint64_t intervals;	 /* so many, then the end; 0: no limit */
	uint64_t timeout, delay; /* ns; 0: none */
	bool no_inherit, null_run, no_metrics;
	FILE *out;
};

/* What one counter has counted. */
struct count {
	uint64_t value;
	uint64_t enabled, running; /* ns: less running than enabled is a share of a counter */
};

/* The count that it would have been, had it run all the time. */
double count_scaled(const struct count *count);
struct count count_since(const struct count *now, const struct count *before);
void count_add(struct count *sum, const struct count *count);

/* A mean and how sure it is, of the runs of -r. */
struct moments {
	uint64_t n;
	double mean, squares; /* of the distances from the mean */
};

void moments_add(struct moments *moments, double value);
/* Standard deviation of the mean; 0 of fewer than two. */
double moments_deviation(const struct moments *moments);

/* ---- Groups: what counts are added up into ---- */

struct stat_group {
	char name[80];	   /* as text has it: CPU0, S0-D0-C1, comm-123; "" for all */
	char number[80];   /* as JSON has it: 0, S0-D0-C1, comm-123 */
	unsigned int cpus; /* that are in it */
};

struct stat_groups {
	enum stat_by by;
	struct stat_group *items;
	size_t count;
	size_t *of_slot; /* see event_slot */
};

/* False after a message. */
bool stat_groups_init(struct stat_groups *groups, enum stat_by by, const struct targets *targets);
void stat_groups_free(struct stat_groups *groups);

/* ---- Results ---- */

/* Of all events and groups; counts[event * groups->count + group]. */
struct stat_result {
	const struct event_list *events;
	const struct stat_groups *groups;
	const struct count *counts;
	const struct moments *moments; /* likewise, of several runs; NULL: one */
	double seconds;		       /* elapsed: since the start, or of the interval's length */
	double at;		       /* intervals: seconds since the start; else negative */
};

/* The exit status. */
int stat_run(struct stat_options *options);

#endif
