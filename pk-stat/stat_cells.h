/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_CELLS_H
#define PK_STAT_CELLS_H

/* Counts by event, place and group. */

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "stat_topology.h"

/* The aggregation of counts. */
enum stat_by {
	STAT_ALL,
	STAT_CPU,
	STAT_CORE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_THREAD,
	STAT_BY_UNSET, /* not selected: as recorded, or all */
};

/* The values of one counter. */
struct count {
	uint64_t value;
	uint64_t enabled, running; /* ns: running is less than enabled if the counter was shared */
};

/* The estimated count for the whole time. */
double count_scaled(const struct count *count);
struct count count_since(const struct count *now, const struct count *before);
void count_add(struct count *sum, const struct count *count);

/* Mean and variance of the runs of -r. */
struct moments {
	uint64_t n;
	double mean, squares; /* squares: sum of the squared distances from the mean */
};

void moments_add(struct moments *moments, double value);
/* Standard deviation of the mean; 0 for fewer than two. */
double moments_deviation(const struct moments *moments);

/* ---- Places: the CPU and thread of a counter ---- */

struct stat_thread {
	pid_t tid;
	char comm[64];
};

/* A counter's slot is that of event_slot: CPU after CPU, and all threads of each. */
struct stat_places {
	int *cpus;		  /* -1: any */
	struct cpu_place *places; /* by CPU */
	size_t cpus_count;
	struct stat_thread *threads;
	size_t threads_count;
};

static inline size_t stat_slots(const struct stat_places *places)
{
	return places->cpus_count * places->threads_count;
}

/* The places of this machine; false after a message. */
bool stat_places_init(struct stat_places *places, const struct targets *targets);
void stat_places_free(struct stat_places *places);

/* ---- Groups: the sums of counts ---- */

struct stat_group {
	char name[80];	   /* for text: CPU0, S0-D0-C1, comm-123; "" for all */
	char number[80];   /* for JSON: 0, S0-D0-C1, comm-123 */
	int ahead, behind; /* columns of blanks around the name */
	unsigned int cpus; /* number of CPUs in it */
};

struct stat_groups {
	enum stat_by by;
	struct stat_group *items;
	size_t count;
	size_t *of_slot;
};

/* False after a message. */
bool stat_groups_init(struct stat_groups *groups, enum stat_by by,
		      const struct stat_places *places);
void stat_groups_free(struct stat_groups *groups);

/* ---- Cells: all counts ---- */

struct stat_cells {
	const struct event_list *events;
	struct stat_places places;
	struct stat_groups groups;
	bool no_scale, no_merge;
	bool *hidden; /* by event: it is added to the previous one, the same event of another PMU */
	struct count *now;    /* by event and slot, since the start: set by the caller */
	struct count *before; /* the same, at the last interval */
	struct count *counts; /* by event and group: results, scaled */
	struct count *sums;   /* the same, of several runs */
	struct moments *moments;
	uint64_t runs;
};

/* The caller sets the places; stat_cells_free frees them. False after a message. */
bool stat_cells_init(struct stat_cells *cells, const struct event_list *events, enum stat_by by);
void stat_cells_free(struct stat_cells *cells);
struct count *stat_cell(const struct stat_cells *cells, size_t event, size_t slot);
/* Fills counts: since the start, or since the last call. */
void stat_cells_add_up(struct stat_cells *cells, bool since_last);
/* Adds counts as those of a run; then counts has the means of all runs. */
void stat_cells_note_run(struct stat_cells *cells);
void stat_cells_average(struct stat_cells *cells);

#endif
