/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_CELLS_H
#define PK_STAT_CELLS_H

/* Counts by event, place and group. */

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "stat_topology.h"

/* What counts are added up by. */
enum stat_by {
	STAT_ALL,
	STAT_CPU,
	STAT_CORE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_THREAD,
	STAT_BY_UNSET, /* nobody said: as it was recorded, or all */
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

/* ---- Places: where, and of whom, counters count ---- */

struct stat_thread {
	pid_t tid;
	char comm[64];
};

/* A counter's slot is that of event_slot: CPU after CPU, of each thread after thread. */
struct stat_places {
	int *cpus;		  /* -1: any */
	struct cpu_place *places; /* of each of the CPUs */
	size_t cpus_count;
	struct stat_thread *threads;
	size_t threads_count;
};

static inline size_t stat_slots(const struct stat_places *places)
{
	return places->cpus_count * places->threads_count;
}

/* Of what is counted here; false after a message. */
bool stat_places_init(struct stat_places *places, const struct targets *targets);
void stat_places_free(struct stat_places *places);

/* ---- Groups: what counts are added up into ---- */

struct stat_group {
	char name[80];	   /* as text has it: CPU0, S0-D0-C1, comm-123; "" for all */
	char number[80];   /* as JSON has it: 0, S0-D0-C1, comm-123 */
	int ahead, behind; /* so many blanks around the name, in columns */
	unsigned int cpus; /* that are in it */
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
	bool *hidden; /* by event: counted with the one before, which is the same of another PMU */
	struct count *now;    /* by event and slot, since the start: to be filled */
	struct count *before; /* likewise, at the last interval */
	struct count *counts; /* by event and group: results, scaled */
	struct count *sums;   /* likewise, of several runs */
	struct moments *moments;
	uint64_t runs;
};

/* Places are the caller's to set; they are freed by stat_cells_free. False after a message. */
bool stat_cells_init(struct stat_cells *cells, const struct event_list *events, enum stat_by by);
void stat_cells_free(struct stat_cells *cells);
struct count *stat_cell(const struct stat_cells *cells, size_t event, size_t slot);
/* Fills counts: since the start, or since the last time. */
void stat_cells_add_up(struct stat_cells *cells, bool since_last);
/* Notes counts as those of a run; then the means of all runs are to be had in counts. */
void stat_cells_note_run(struct stat_cells *cells);
void stat_cells_average(struct stat_cells *cells);

#endif
