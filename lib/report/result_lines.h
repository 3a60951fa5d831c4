/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_RESULT_LINES_H
#define PK_REPORT_RESULT_LINES_H

/* The steps from rows to the lines of each sheet, for pk_results_finish(). */

#include "results.h"

static inline struct row_count results_count(const struct results *results, uint32_t row)
{
	return row < results->shown.counts_count ? results->shown.counts[row]
						 : (struct row_count){0};
}

static inline uint64_t results_latency(const struct results *results, uint32_t row)
{
	return row < results->shown.latencies_count ? results->shown.latencies[row] : 0;
}

/* Whether a row has samples, or callees with samples. */
static inline bool results_has_row(const struct results *results, uint32_t row)
{
	return (row < results->counts_count &&
		(results->counts[row].samples || results->counts[row].weight)) ||
	       (row < results->inclusive.count && results->inclusive.weights[row]);
}

/* Frees the copies of live results. */
void pk_results_free_shown(struct results *results);
/* Adds the event of a row if it is new. index is that of the event. */
PK_MUST_CHECK enum pk_status pk_results_add_event(struct results *results, uint32_t row,
						  uint64_t index);
/* Frees what pk_results_make_lines() has made. */
void pk_results_free_lines(struct results *results);
/* Makes the lines and sets of all sheets, and their sums. */
PK_MUST_CHECK enum pk_status pk_results_make_lines(struct results *results);
/* The line of the level above that has the same fields, or 0 if there is none. */
uint32_t pk_results_line_above(const struct results *results, uint32_t line);
/* The order of two lines in a column that compares sides. */
int pk_results_compare(const struct results *results, const struct sheet *sheet,
		       const struct column *column, uint32_t a, uint32_t b);

#endif
