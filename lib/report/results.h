/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The numbers of a report. Samples are counted in *rows*. Two rows differ in at least one field of
 * the groups. A table (a *sheet*) consists of *lines*. Usually a line is one row. With --group and
 * --diff, a line has several *sets* of numbers, one for each event or side. Then the line consists
 * of one row for each set. These rows differ only in the field that selects the set.
 */
#ifndef PK_REPORT_RESULTS_H
#define PK_REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_forest.h"
#include "differences.h"
#include "inclusive.h"
#include "renames.h"
#include "report_layout.h"
#include "row_blocks.h"
#include "task_names.h"
#include "wall_clock.h"

/* The rows, sorted by their fields. It is kept so that only new rows must be sorted. */
struct row_order {
	uint32_t *rows;	 /* all rows, sorted */
	uint32_t *ranks; /* position of each row in `rows`; the index is the number of the row */
	size_t count;	 /* number of rows, which are numbered from 1 on */
};

/* Compares two rows, which are of type uint32_t. The result for two different rows is never 0. */
typedef int row_order_compare(const void *left, const void *right, void *arg);

/* Adds the rows up to number `count` to the order. If rows got other numbers, free the order first.
 */
PK_MUST_CHECK enum pk_status pk_row_order_extend(struct row_order *order, size_t count,
						 row_order_compare *compare, void *arg);
void pk_row_order_free(struct row_order *order);

/* A set of a sheet, with the sums of all rows of the set. */
struct sheet_set {
	uint32_t event; /* number of the event's name in rows.texts; 0 means all events */
	uint64_t weight, samples, latency; /* `latency` is the sum of pk_view_latency() */
};

/* The table of one event, of the events of a group, or of all events. */
struct sheet {
	uint32_t event; /* number of the first event's name in rows.texts; 0 means all events */
	struct sheet_set *sets;
	unsigned int sets_count;
	bool recorded;	 /* the events were recorded as a group */
	uint32_t *lines; /* numbers of the lines, in the order of the table */
	size_t count, capacity;
	bool limited; /* lines are missing because there are more than results_options.limit */
};

/* The numbers of a report, as the comment above describes them. */
struct results {
	struct layout *layout; /* belongs to the caller */
	struct pk_rows rows;
	struct row_count {
		uint64_t weight, samples;
	} * counts; /* weights and numbers of samples, by row */
	size_t counts_count;
	uint64_t *latencies; /* sums of pk_view_latency(), by row */
	size_t latencies_count;
	size_t vanished; /* number of rows whose weights have decayed to 0 */
	bool live; /* set by the caller if samples are also counted after pk_results_finish() */
	struct pk_wall_clock wall; /* set by the caller, if the last recording has such a clock */
	struct task_names *tasks;  /* set by the caller, needed if layout.has_tasks is set */
	/* Set by pk_results_finish(). If the results are live, these are copies, which do not
	 * change until the next call. */
	struct {
		struct row_count *counts;
		uint64_t *latencies, *inclusive;
		size_t counts_count, latencies_count, inclusive_count;
	} shown;
	struct pk_inclusive inclusive;
	bool has_children; /* `inclusive` has weights */
	bool has_forest;   /* `forest` has stacks */
	struct forest forest;
	/* The events that have samples. `event` is the number that the name of the event has in
	 * rows.texts, or 0 for all events. */
	struct results_event {
		uint32_t event;
		uint64_t index; /* index of the event in its session, which sets the order of the
				 * sheets */
	} * events;
	size_t events_count, events_capacity;
	struct pk_table event_numbers; /* by number of the event's name: the index of the event in
					* `events`, plus 1 */
	struct pk_table leaders; /* For SETS_EVENTS: by event, the first event of its group. An
				    event is given by the number of its name in rows.texts. */
	uint32_t *above; /* by row and level: the row that summarizes this row on the upper level; 0
			  * if it is not made yet */
	size_t above_count;
	/* Set by pk_results_finish(): */
	struct sheet *sheets;
	size_t sheets_count, sheets_capacity;
	/* Used if lines have several sets: */
	/* The rows of each line. The index is (line - 1) * cells_sets + set. An entry is 0 if there
	 * is no row. The pointer is NULL if each line is one row. */
	uint32_t *cells;
	unsigned int cells_sets; /* number of entries of each line in `cells` */
	/* Used if there are levels. For each line, the line above it, or 0 if there is none. */
	uint32_t *lines_above;
	size_t lines_above_count;
	/* For --diff: the side of the current input, which is 0 for the new side, otherwise the
	 * number of the base. The caller sets it. */
	unsigned int side;
	/* Used if layout.has_differences is set. The caller sets the options and blocks.unit, and
	 * calls pk_row_blocks_end() after each recording. */
	struct row_blocks blocks;
	struct difference_options difference_options;
	bool counts_samples;		/* the weight of a sample is not its period */
	struct difference *differences; /* see pk_difference_of() */
	/* Used if the caller sets match_renamed, for one base: functions that have another name in
	 * the base. Functions are the numbers of their names in rows.texts. */
	bool match_renamed;
	struct renames calls;
	struct rename *renames; /* set by pk_results_finish() */
	size_t renames_count;
	struct row_order order; /* the order of the rows that were sorted so far; used if the
				 * results are live */
};

/* Counts a sample that belongs to a group of samples. */
PK_MUST_CHECK enum pk_status pk_results_add(struct results *results, const struct pk_groups *groups,
					    uint32_t group, struct pk_view *view, uint64_t weight);

/* Notes that the events `leader` and `member` were recorded as a group. */
PK_MUST_CHECK enum pk_status pk_results_set_leader(struct results *results,
						   const struct pk_events *events,
						   const struct pk_event *leader,
						   const struct pk_event *member);

/* The limits for the lines of a sheet. */
struct results_options {
	double percent_limit; /* in percent; lines with a smaller share are hidden */
	uint64_t limit;	      /* greatest number of lines of a sheet; 0 means no limit */
};

/* Distributes the rows to sheets and lines, and sorts the lines. Call it before the functions
 * below. If the results are live, more samples can be counted later. They have an effect after the
 * next call. */
PK_MUST_CHECK enum pk_status pk_results_finish(struct results *results,
					       const struct results_options *options);
/* Sorts the lines again, after a change of layout.order or layout.ascending. */
PK_MUST_CHECK enum pk_status pk_results_sort(struct results *results,
					     const struct results_options *options);
/* Multiplies the weight and the number of all samples that were counted before the last
 * pk_results_finish() by 7/8, as perf top does at each refresh. Call it only for live results,
 * before pk_inclusive_gather() and pk_forest_gather(). A row whose weights become 0 vanishes.
 * Further samples with its values get a new row. Aggregates of fields do not change. */
void pk_results_decay(struct results *results);
/* Whether so many rows, or so many nodes of the forest, have vanished that pk_results_compact() is
 * worth its time. */
bool pk_results_are_sparse(const struct results *results);
/* Frees the rows and nodes that have vanished. The other rows, events and nodes get new numbers.
 * Call it after pk_inclusive_gather() and pk_forest_gather(), and before pk_results_finish(). If
 * memory is exhausted, forgets all samples and returns PK_NOMEM. */
PK_MUST_CHECK enum pk_status pk_results_compact(struct results *results);
/* Forgets all samples, and frees the memory of the rows. The caller must also forget the groups. */
void pk_results_clear(struct results *results);
void pk_results_free(struct results *results);

/* Returns the row that contains the numbers of a line for a set. Returns 0 if there is none. */
static inline uint32_t results_row(const struct results *results, uint32_t line, unsigned int set)
{
	return results->cells ? results->cells[(line - 1) * (size_t)results->cells_sets + set]
			      : line;
}

/* Returns the first row of a line with several sets. */
uint32_t pk_results_first_row(const struct results *results, uint32_t line);

/* Returns a row that has the values of the line's fields. */
static inline uint32_t results_any_row(const struct results *results, uint32_t line)
{
	return results->cells ? pk_results_first_row(results, line) : line;
}

/* Returns the level of a line, from 0 on. Lines of the deepest level have all fields. */
unsigned int pk_results_level(const struct results *results, uint32_t line);
/* Returns whether a line is on the deepest level. This is always true if there are no levels. */
bool pk_results_is_leaf(const struct results *results, uint32_t line);
/* Returns the weight of a row. It includes the weight of callees if has_children is set. */
uint64_t pk_results_weight(const struct results *results, uint32_t row);
const char *pk_results_event(const struct results *results, uint32_t event, size_t *size);
/* Returns the number of sets that a column shows. It is 1 for fields and for numbers that compare
 * sets. */
unsigned int pk_results_sets(const struct results *results, const struct sheet *sheet,
			     const struct column *column);
/* Returns the value of a column in a line. Shares are in percent. */
struct pk_amount pk_results_value(const struct results *results, const struct sheet *sheet,
				  const struct column *column, uint32_t line, unsigned int set);
/* Returns the kind of the numbers of a column, or PK_VALUE_NUMBER if the kind is unknown. */
enum pk_value_kind pk_results_kind(const struct results *results, const struct column *column,
				   uint32_t line);

#endif
