/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_CELLS_H
#define PK_STAT_CELLS_H

/* Stores counts by event and place, which is a CPU and a thread. Adds counts up by group. */

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "stat_topology.h"

/* ---- Cells ---- */

/* The criterion by which counts are added up. */
enum stat_by {
	STAT_ALL,
	STAT_CPU,
	STAT_CORE,
	STAT_CLUSTER,
	STAT_CACHE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_THREAD,
	STAT_BY_UNSET, /* No option selects a criterion. A recording then determines it. Without a
			* recording, it is STAT_ALL. */
};

/* The values of one counter. */
struct count {
	uint64_t value;
	/* Times in ns in which the counter was enabled, and in which it ran. `running` is less than
	 * `enabled` if the kernel multiplexed the counter. */
	uint64_t enabled, running;
	uint64_t counters; /* number of counters that were enabled; only set in sums */
};

/* Returns the estimated count for the enabled time, which is value * enabled / running. Returns
 * value if the counter never ran. */
double count_scaled(const struct count *count);
/* Returns the difference between two values of the same counter. */
struct count count_since(const struct count *now, const struct count *before);
void count_add(struct count *sum, const struct count *count);

/* Mean and variance of several runs, for -r. */
struct moments {
	uint64_t n;
	double mean, squares; /* `squares` is the sum of the squared distances from the mean */
};

void moments_add(struct moments *moments, double value);
/* Returns the standard error of the mean, or 0 for fewer than two values. */
double moments_deviation(const struct moments *moments);
/* Returns half of the length of the interval that contains the true mean with this probability in
 * percent, by Student's t distribution. With 0 percent, returns the standard error. */
double moments_interval(const struct moments *moments, double percent);

/* ---- Places: the CPU and thread of a counter ---- */

/* A thread that is counted. */
struct stat_thread {
	pid_t tid;
	char comm[64];
};

/* The CPUs and threads that are counted. Each pair of a CPU and a thread is a slot. The number of a
 * slot is the index of the CPU * threads_count + the index of the thread. */
struct stat_places {
	int *cpus;		  /* numbers of CPUs; -1 stands for any CPU */
	struct cpu_place *places; /* socket, die, core and node of each CPU; the index is the index
				   * in `cpus` */
	size_t cpus_count;
	int cache_level; /* the level of the caches of STAT_CACHE; 0: the last cache of each CPU */
	struct stat_thread *threads;
	size_t threads_count;
};

static inline size_t stat_slots(const struct stat_places *places)
{
	return places->cpus_count * places->threads_count;
}

/* Sets the places for targets on this machine. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status stat_places_init(struct stat_places *places,
					      const struct targets *targets);
void stat_places_free(struct stat_places *places);

/* ---- Groups: the sums of counts ---- */

/* A group of slots whose counts are added up. */
struct stat_group {
	char name[80]; /* name of the group in the text format: CPU0, S0-D0-C1, comm-123, or "" for
			* STAT_ALL */
	char number[80];   /* name of the group in JSON: 0, S0-D0-C1, comm-123 */
	int ahead, behind; /* number of blanks before and after the name in the text */
	unsigned int cpus; /* number of CPUs in the group; 0 for STAT_ALL and for threads */
};

/* The groups, and the group to which each slot belongs. */
struct stat_groups {
	enum stat_by by;
	struct stat_group *items;
	size_t count;
	/* For each slot, the index of the group to which it belongs. */
	size_t *of_slot;
};

/* Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status stat_groups_init(struct stat_groups *groups, enum stat_by by,
					      const struct stat_places *places);
void stat_groups_free(struct stat_groups *groups);

/* ---- Cells: all counts ---- */

/* All counts. */
struct stat_cells {
	const struct event_list *events;
	struct stat_places places;
	struct stat_groups groups;
	bool no_scale, no_merge;
	bool *hidden; /* For each event, true if its counts are added to those of the last event
			 before it that is not hidden. The hidden event is the same event of another
			 instance of the PMU. */
	struct count *now;    /* counts since the start, by event and slot; the caller sets them
			       * through stat_cell() */
	struct count *before; /* the values of `now` at the end of the last interval */
	struct count *counts; /* the counts of the groups, by event and group; they are scaled
			       * unless no_scale is set */
	struct count *sums;   /* sums of the results of all runs, by event and group */
	struct moments *moments;
	uint64_t runs;
};

/* Allocates the cells. The caller must have set places, no_scale and no_merge. stat_cells_free()
 * also frees places. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status stat_cells_init(struct stat_cells *cells,
					     const struct event_list *events, enum stat_by by);
void stat_cells_free(struct stat_cells *cells);
struct count *stat_cell(const struct stat_cells *cells, size_t event, size_t slot);
/* Calculates `counts` from `now`. The counts are those since the start or, with since_last, those
 * since the last call with since_last. */
void stat_cells_add_up(struct stat_cells *cells, bool since_last);
/* stat_cells_note_run() adds `counts` to `sums` and `moments`, as the counts of one run.
 * stat_cells_average() sets `counts` to the means of all runs. */
void stat_cells_note_run(struct stat_cells *cells);
void stat_cells_average(struct stat_cells *cells);

/* ---- Results ---- */

/* A result has counts that are complete and can be printed. They are the counts of a run, of an
 * interval, or of a recording. */

struct metrics;

/* A column of --metric-only. It is derived number `nth` of an event. */
struct stat_column {
	size_t event, nth;
	char name[160];
};

struct stat_columns {
	struct stat_column *items;
	size_t count, capacity;
	bool titled;
};

/* The results of all events and groups. The index in counts and moments is event * groups->count +
 * group. */
struct stat_result {
	const struct event_list *events;
	const struct stat_groups *groups;
	const struct count *counts; /* scaled to the enabled time, unless --no-scale is given */
	const bool *hidden; /* For each event, true if it has no line of its own because its counts
			     * were added to those of another event. */
	const struct moments *moments; /* mean and variance of several runs; NULL for one run */
	struct metrics *metrics;
	struct stat_columns *columns; /* the columns that were printed so far */
	double seconds; /* Seconds from the start to the end of the counting or, with -I, seconds of
			 * the interval. 0 if it is unknown. */
	double user, system; /* CPU time of the command in seconds */
	double at;    /* The end of the interval in seconds since the start. It is negative if the
		       * result is not that of an interval. */
	bool summary; /* the result is the summary after all intervals (--summary) */
	bool cgroups; /* true if some events count only a control group */
	bool named;   /* Numbers that are derived from counts have the names of perf's default
		       * metrics. This is so if the default events are counted. */
};

/* Returns the mean of several runs, or the count of one run. */
double stat_value(const struct stat_result *result, size_t event, size_t group);
/* Returns false if the event is not supported, or if its counter never ran. */
bool stat_is_counted(const struct stat_result *result, size_t event, size_t group);

/* Returns true if any event counts a control group. */
bool stat_has_cgroups(const struct event_list *events);
/* Returns true if a group can contain several CPUs. Then the number of CPUs is printed. */
bool stat_adds_cpus(enum stat_by by);
/* Returns true if the event is cpu-clock or task-clock. Their counts are in nanoseconds, and are
 * printed in milliseconds. */
bool event_is_clock(const struct event *event);

#endif
