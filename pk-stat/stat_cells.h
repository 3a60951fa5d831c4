/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_CELLS_H
#define PK_STAT_CELLS_H

/* Stores counts by event and place (CPU and thread), and adds them up by group. */

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "stat_topology.h"

/* ---- Cells ---- */

/* How counts are added up. */
enum stat_by {
	STAT_ALL,
	STAT_CPU,
	STAT_CORE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_THREAD,
	STAT_BY_UNSET, /* no option selects it: as in the recording, or STAT_ALL */
};

/* The values of one counter. */
struct count {
	uint64_t value;
	uint64_t enabled, running; /* ns; running is less than enabled if the kernel multiplexed the
				    * counter */
};

/* The estimated count for the enabled time, value * enabled / running, or value if the counter
 * never ran. */
double count_scaled(const struct count *count);
/* The difference between two counts of one counter. */
struct count count_since(const struct count *now, const struct count *before);
void count_add(struct count *sum, const struct count *count);

/* Mean and variance of the runs of -r. */
struct moments {
	uint64_t n;
	double mean, squares; /* squares: sum of the squared distances from the mean */
};

void moments_add(struct moments *moments, double value);
/* The standard error of the mean, or 0 for fewer than two values. */
double moments_deviation(const struct moments *moments);

/* ---- Places: the CPU and thread of a counter ---- */

struct stat_thread {
	pid_t tid;
	char comm[64];
};

/* The CPUs and threads that are counted. The slot of a counter is CPU index * threads_count +
 * thread index. */
struct stat_places {
	int *cpus;		  /* -1: any */
	struct cpu_place *places; /* by index in cpus */
	size_t cpus_count;
	struct stat_thread *threads;
	size_t threads_count;
};

static inline size_t stat_slots(const struct stat_places *places)
{
	return places->cpus_count * places->threads_count;
}

/* Sets the places for targets on this machine. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status stat_places_init(struct stat_places *places,
					      const struct targets *targets);
void stat_places_free(struct stat_places *places);

/* ---- Groups: the sums of counts ---- */

struct stat_group {
	char name[80];	   /* for text: CPU0, S0-D0-C1, comm-123; "" for all */
	char number[80];   /* for JSON: 0, S0-D0-C1, comm-123 */
	int ahead, behind; /* number of blanks before and after the name in the text */
	unsigned int cpus; /* number of CPUs in the group; 0 for all and for threads */
};

struct stat_groups {
	enum stat_by by;
	struct stat_group *items;
	size_t count;
	/* By slot: index of its group. */
	size_t *of_slot;
};

/* Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status stat_groups_init(struct stat_groups *groups, enum stat_by by,
					      const struct stat_places *places);
void stat_groups_free(struct stat_groups *groups);

/* ---- Cells: all counts ---- */

struct stat_cells {
	const struct event_list *events;
	struct stat_places places;
	struct stat_groups groups;
	bool no_scale, no_merge;
	bool *hidden;	   /* by event: it is added to the previous one, the same event of another
			    * instance of the PMU */
	struct count *now; /* by event and slot: counts since the start, which the caller sets with
			    * stat_cell() */
	struct count *before; /* the same at the end of the last interval */
	struct count *counts; /* by event and group: the results, scaled unless no_scale */
	struct count *sums;   /* by event and group: sums of the results of all runs */
	struct moments *moments;
	uint64_t runs;
};

/* Allocates the cells. The caller has set places, no_scale and no_merge. stat_cells_free() frees
 * places, too. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status stat_cells_init(struct stat_cells *cells,
					     const struct event_list *events, enum stat_by by);
void stat_cells_free(struct stat_cells *cells);
struct count *stat_cell(const struct stat_cells *cells, size_t event, size_t slot);
/* Calculates counts from now: since the start or, with since_last, since the last such call. */
void stat_cells_add_up(struct stat_cells *cells, bool since_last);
/* stat_cells_note_run() adds counts to the sums and moments as those of one run.
 * stat_cells_average() sets counts to the means of all runs. */
void stat_cells_note_run(struct stat_cells *cells);
void stat_cells_average(struct stat_cells *cells);

/* ---- Results ---- */

/* Counts that are complete and can be printed: of a run, of an interval, of a recording. */

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
/* Returns false if the event is not supported, or was never running. */
bool stat_is_counted(const struct stat_result *result, size_t event, size_t group);

/* Whether any event counts a control group. */
bool stat_has_cgroups(const struct event_list *events);
/* Whether a group can contain several CPUs, so that their number is printed. */
bool stat_adds_cpus(enum stat_by by);
/* Whether it is cpu-clock or task-clock: such counts are in nanoseconds, and are printed in
 * milliseconds. */
bool event_is_clock(const struct event *event);

#endif
