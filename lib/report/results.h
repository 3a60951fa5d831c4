/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The numbers of a report. Samples are counted in *rows*, which differ in at least one field of the
 * groups. A *line* of a table is a row. With --group and --diff, it is the rows that differ only in
 * the set: it has a row for each set of numbers.
 */
#ifndef PK_REPORT_RESULTS_H
#define PK_REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_forest.h"
#include "inclusive.h"
#include "report_layout.h"
#include "task_names.h"

struct row_order {
	uint32_t *rows;	 /* sorted */
	uint32_t *ranks; /* by row */
	size_t count;	 /* of rows, which are numbered from 1 on */
};

/* Compares two rows, which are uint32_t. The result is never 0 for two different ones. */
typedef int row_order_compare(const void *left, const void *right, void *arg);

/* Adds the rows up to `count`. If rows got other numbers, free the order before. */
PK_MUST_CHECK enum pk_status pk_row_order_extend(struct row_order *order, size_t count,
						 row_order_compare *compare, void *arg);
void pk_row_order_free(struct row_order *order);

/* The sums of all rows of a set of a sheet. */
struct sheet_set {
	uint32_t event;			   /* the number of its name in rows.texts; 0: all events */
	uint64_t weight, samples, latency; /* latency: of pk_view_latency() */
};

/* The table of an event, of the events of a group, or of all events. */
struct sheet {
	uint32_t event; /* the first one; the number of its name in rows.texts; 0: all events */
	struct sheet_set *sets;
	unsigned int sets_count;
	bool recorded;	 /* the events were recorded as a group */
	uint32_t *lines; /* in the order of the table */
	size_t count, capacity;
	bool limited; /* lines are missing because of results_options.limit */
};

struct results {
	struct layout *layout; /* the caller's */
	struct pk_rows rows;
	struct row_count {
		uint64_t weight, samples;
	} * counts; /* by row */
	size_t counts_count;
	uint64_t *latencies; /* by row; sums of pk_view_latency() */
	size_t latencies_count;
	size_t vanished; /* number of rows whose weights have decayed to 0 */
	bool live;	 /* set by the caller: samples are counted after pk_results_finish() */
	struct task_names *tasks; /* set by the caller; used if layout.has_tasks */
	/* Set by pk_results_finish(). If live, copies, which do not change until the next call. */
	struct {
		struct row_count *counts;
		uint64_t *latencies, *inclusive;
		size_t counts_count, latencies_count, inclusive_count;
	} shown;
	struct pk_inclusive inclusive;
	bool has_children; /* inclusive has weights */
	bool has_forest;   /* forest has stacks */
	struct forest forest;
	/* The events of the samples. Their names are numbers in rows.texts, or 0 for all events. */
	struct results_event {
		uint32_t event;
		uint64_t index; /* of the event in its session, for the order of sheets */
	} * events;
	size_t events_count, events_capacity;
	struct pk_table event_numbers; /* index + 1 in events, by event */
	struct pk_table leaders; /* SETS_EVENTS: the first event of its group, by event; numbers of
				  * names in rows.texts */
	uint32_t *above;	 /* rows of the upper levels, by row and level; 0: unknown */
	size_t above_count;
	/* Set by pk_results_finish(): */
	struct sheet *sheets;
	size_t sheets_count, sheets_capacity;
	/* If lines have several sets: */
	uint32_t *cells;	 /* rows by line - 1 and set; 0: none. NULL: a line is a row */
	unsigned int cells_sets; /* sets of each line in `cells` */
	/* If there are levels: the line above each line, or 0 if there is none. */
	uint32_t *lines_above;
	size_t lines_above_count;
	struct row_order order; /* if live */
};

/* Counts a sample with its group. */
PK_MUST_CHECK enum pk_status pk_results_add(struct results *results, const struct pk_groups *groups,
					    uint32_t group, struct pk_view *view, uint64_t weight);

/* Events that were recorded as a group. */
PK_MUST_CHECK enum pk_status pk_results_set_leader(struct results *results,
						   const struct pk_events *events,
						   const struct pk_event *leader,
						   const struct pk_event *member);

struct results_options {
	double percent_limit; /* hide lines below this share */
	uint64_t limit;	      /* print only so many lines of a sheet; 0: all */
};

/* Distributes the rows to lines and sheets and sorts them, for the functions below. If the results
 * are live, further samples can be counted. They have an effect after the next call. */
PK_MUST_CHECK enum pk_status pk_results_finish(struct results *results,
					       const struct results_options *options);
/* If the results are live, before pk_inclusive_gather() and pk_forest_gather(): multiplies the
 * weights and numbers of all samples before the last pk_results_finish() by 7/8, as perf top does
 * at each refresh. A row whose weights become 0 vanishes: further samples with its values get a new
 * row. Aggregates of fields do not change. */
void pk_results_decay(struct results *results);
/* Whether most rows, or most nodes of the forest, have vanished. */
PK_MUST_CHECK enum pk_status pk_results_are_sparse(const struct results *results);
/* Frees the rows and nodes that have vanished. Rows, events and nodes get other numbers. Call it
 * after pk_inclusive_gather() and pk_forest_gather(), before pk_results_finish(). Returns PK_NOMEM
 * if memory is exhausted. All samples are forgotten then. */
PK_MUST_CHECK enum pk_status pk_results_compact(struct results *results);
/* Forgets all samples, and frees the memory of the rows. The groups must be forgotten, too. */
void pk_results_clear(struct results *results);
void pk_results_free(struct results *results);

/* The row of a line for a set, or 0 if there is none. */
static inline uint32_t results_row(const struct results *results, uint32_t line, unsigned int set)
{
	return results->cells ? results->cells[(line - 1) * (size_t)results->cells_sets + set]
			      : line;
}

/* The first row of a line with several sets. */
uint32_t pk_results_first_row(const struct results *results, uint32_t line);

/* A row that has the values of the line's fields. */
static inline uint32_t results_any_row(const struct results *results, uint32_t line)
{
	return results->cells ? pk_results_first_row(results, line) : line;
}

/* The level of a line, from 0 on. The deepest one has all fields. */
unsigned int pk_results_level(const struct results *results, uint32_t line);
/* Whether it is the level of the samples. It always is without levels. */
bool pk_results_is_leaf(const struct results *results, uint32_t line);
/* The weight of a row, with callees if the results have these. */
uint64_t pk_results_weight(const struct results *results, uint32_t row);
const char *pk_results_event(const struct results *results, uint32_t event, size_t *size);
/* The number of sets of a column: 1 for fields, and for numbers that compare sets. */
unsigned int pk_results_sets(const struct results *results, const struct sheet *sheet,
			     const struct column *column);
/* The value of a column in a line: shares are percentages. */
struct pk_amount pk_results_value(const struct results *results, const struct sheet *sheet,
				  const struct column *column, uint32_t line, unsigned int set);
/* The kind of the numbers of a column, or NUMBER if it is unknown. */
enum pk_value_kind pk_results_kind(const struct results *results, const struct column *column,
				   uint32_t line);

#endif
