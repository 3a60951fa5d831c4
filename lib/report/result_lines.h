/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_RESULT_LINES_H
#define PK_REPORT_RESULT_LINES_H

/* The steps from the rows to the lines of each sheet. pk_results_finish() calls them. */

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

/* Returns whether a row has samples of its own or callees with samples. */
static inline bool results_has_row(const struct results *results, uint32_t row)
{
	return (row < results->counts_count &&
		(results->counts[row].samples || results->counts[row].weight)) ||
	       (row < results->inclusive.count && results->inclusive.weights[row]);
}

/* Returns the event of the sheet of a row, or 0 if one sheet contains all events. */
uint32_t pk_results_event_of(const struct results *results, uint32_t row);
/* Frees the copies in results->shown, which exist only for live results. */
void pk_results_free_shown(struct results *results);
/* Adds the event of a row if the event is new. `index` is the index of the event in its session. */
PK_MUST_CHECK enum pk_status pk_results_add_event(struct results *results, uint32_t row,
						  uint64_t index);
/* Frees the lines and sheets of pk_results_make_lines(). */
void pk_results_free_lines(struct results *results);
/* Makes the lines and sets of all sheets, and calculates the sums of the sets. */
PK_MUST_CHECK enum pk_status pk_results_make_lines(struct results *results);
/* Returns the line above `line` in the hierarchy, or 0 if there is none. The line above has the
 * same values in the fields that its level has. */
uint32_t pk_results_line_above(const struct results *results, uint32_t line);
/* Compares two lines by a column that compares sides. */
int pk_results_compare(const struct results *results, const struct sheet *sheet,
		       const struct column *column, uint32_t a, uint32_t b);

#endif
