// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "differences.h"
#include "result_lines.h"

/* The comparison of all lines of a sheet with a base. */
struct comparing {
	struct results *results;
	const struct sheet *sheet;
	const struct row_event *event;
	unsigned int base;
	const size_t *first;	     /* by row: the index of its first part in `parts` */
	const uint32_t *parts;	     /* indices in blocks.parts, sorted by row, then by recording */
	struct difference_row *rows; /* by index of the line in the sheet */
	struct difference *differences; /* the same */
	size_t recordings[2];		/* number of recordings of the base and of the new side */
};

/* ---- Sides ---- */

/* Calls pk_rate_side_add(), or if `spread` is true pk_rate_side_spread(), for all recordings of a
 * side. A recording without the row has a part with weight 0. */
static void each_part(const struct comparing *comparing, uint32_t row, unsigned int number,
		      struct pk_rate_side *side, bool spread)
{
	const struct row_blocks *blocks = &comparing->results->blocks;
	const struct row_event *event = comparing->event;
	size_t at = row ? comparing->first[row] : 0, end = row ? comparing->first[row + 1] : 0;

	for (size_t i = 0; i < blocks->recordings_count && i < event->units_capacity; i++) {
		struct pk_rate_part part = {.unit = event->units[i]};

		if (blocks->recordings[i].side != (number ? comparing->base : 0) ||
		    !(part.unit > 0))
			continue;
		while (at < end && blocks->parts[comparing->parts[at]].recording < i)
			at++;
		if (at < end && blocks->parts[comparing->parts[at]].recording == i) {
			part.weight = blocks->parts[comparing->parts[at]].weight;
			part.blocks = blocks->parts[comparing->parts[at]].variance;
		}
		if (spread)
			pk_rate_side_spread(side, &part, comparing->recordings[number]);
		else
			pk_rate_side_add(side, &part);
	}
}

static struct pk_rate_side side_of(const struct comparing *comparing, uint32_t row,
				   unsigned int number)
{
	const struct row_blocks *blocks = &comparing->results->blocks;
	const unsigned int set = number ? comparing->base : 0;
	struct pk_rate_side side = {0};

	if (row && row < blocks->squares_capacity)
		side.squares = blocks->squares[row];
	if (set < comparing->event->squares_capacity)
		side.all_squares = comparing->event->squares[set];
	each_part(comparing, row, number, &side, false);
	if (comparing->recordings[number] > 1)
		each_part(comparing, row, number, &side, true);
	return side;
}

/* Counts the recordings of a side in which the event has samples. */
static size_t count_recordings(const struct comparing *comparing, unsigned int number)
{
	const struct row_blocks *blocks = &comparing->results->blocks;
	size_t count = 0;

	for (size_t i = 0; i < blocks->recordings_count && i < comparing->event->units_capacity;
	     i++)
		count += blocks->recordings[i].side == (number ? comparing->base : 0) &&
			 comparing->event->units[i] > 0;
	return count;
}

/* ---- Lines ---- */

static uint64_t samples_of(const struct comparing *comparing, uint32_t line, unsigned int set)
{
	const uint32_t row = results_row(comparing->results, line, set);

	return row ? results_count(comparing->results, row).samples : 0;
}

static void measure_lines(struct comparing *comparing)
{
	const struct results *results = comparing->results;
	const struct sheet *sheet = comparing->sheet;

	for (size_t i = 0; i < sheet->count; i++) {
		const uint32_t line = sheet->lines[i];
		const struct pk_rate_side current = side_of(comparing,
							    results_row(results, line, 0), 0),
					  base = side_of(
						  comparing,
						  results_row(results, line, comparing->base), 1);

		pk_rate_change_measure(&comparing->rows[i].change, &base, &current,
				       results->blocks.unit == ROW_UNIT_SHARE);
		comparing->rows[i].samples = samples_of(comparing, line, 0) +
					     samples_of(comparing, line, comparing->base);
	}
}

static struct difference *difference_at(const struct comparing *comparing, size_t index)
{
	const struct results *results = comparing->results;
	const size_t line = comparing->sheet->lines[index];

	return &results->differences[(line - 1) * results->layout->bases + comparing->base - 1];
}

static enum pk_status compare_lines(struct comparing *comparing)
{
	const struct results *results = comparing->results;
	const struct sheet *sheet = comparing->sheet;
	const struct difference_table table = {
		.rows = comparing->rows,
		.count = sheet->count,
		.is_share = results->blocks.unit == ROW_UNIT_SHARE,
		.samples = fmax((double)sheet->sets[0].samples,
				(double)sheet->sets[comparing->base].samples),
	};

	for (unsigned int i = 0; i < 2; i++)
		comparing->recordings[i] = count_recordings(comparing, i);
	for (size_t i = 0; i < sheet->count; i++)
		comparing->differences[i] = DIFFERENCE_UNTESTED;
	if (comparing->recordings[0] && comparing->recordings[1] &&
	    !pk_differences_refused(results, comparing->event)) {
		measure_lines(comparing);
		PK_TRY(pk_differences_decide(&table, &results->difference_options,
					     comparing->differences));
	}
	for (size_t i = 0; i < sheet->count; i++)
		*difference_at(comparing, i) = comparing->differences[i];
	return PK_OK;
}

static enum pk_status compare_sheet(struct comparing *comparing)
{
	enum pk_status status = PK_OK;

	comparing->event =
		pk_row_blocks_event(&comparing->results->blocks, comparing->sheet->event);
	comparing->rows = calloc(comparing->sheet->count + 1, sizeof(*comparing->rows));
	comparing->differences =
		calloc(comparing->sheet->count + 1, sizeof(*comparing->differences));
	if (!comparing->rows || !comparing->differences)
		status = PK_NOMEM;
	for (comparing->base = 1; comparing->base <= comparing->results->layout->bases &&
				  comparing->event && status == PK_OK;
	     comparing->base++)
		status = compare_lines(comparing);
	free(comparing->rows);
	free(comparing->differences);
	return status;
}

const char *pk_differences_refused(const struct results *results, const struct row_event *event)
{
	const struct row_blocks *blocks = &results->blocks;
	const double most = results->difference_options.tolerance / 100;

	if (event->mixed)
		return "the recordings count different modes of the processor (such as :u), or "
		       "have different sampling rates";
	for (size_t i = 0; i < blocks->recordings_count; i++)
		if (blocks->recordings[i].lost > fmax(most, 0.01))
			return "a recording has lost more samples than the tolerance: record again "
			       "with larger buffers (pk-record -m) or fewer samples";
	if (blocks->unit == ROW_UNIT_EVENT && !blocks->unit_event)
		return "no recording has samples of the event of --per";
	return NULL;
}

/* Sorts the parts by row. Within a row, they keep the order of the recordings. */
static void sort_parts(const struct row_blocks *blocks, uint32_t rows, size_t *first,
		       uint32_t *parts)
{
	for (size_t i = 0; i < blocks->parts_count; i++)
		first[blocks->parts[i].row + 1]++;
	for (uint32_t row = 1; row <= rows; row++)
		first[row + 1] += first[row];
	/* first[row] is now the end of the previous row. It moves to the end of its own row. */
	for (size_t i = 0; i < blocks->parts_count; i++)
		parts[first[blocks->parts[i].row]++] = (uint32_t)i;
	for (uint32_t row = rows + 1; row; row--)
		first[row] = first[row - 1];
}

enum pk_status pk_differences_make(struct results *results)
{
	const struct row_blocks *blocks = &results->blocks;
	const uint32_t rows = pk_rows_count(&results->rows);
	size_t *first = calloc(rows + (size_t)2, sizeof(*first)), lines = 0;
	uint32_t *parts = calloc(blocks->parts_count + 1, sizeof(*parts));
	struct comparing comparing = {.results = results, .first = first, .parts = parts};
	enum pk_status status = PK_NOMEM;

	for (size_t i = 0; i < results->sheets_count; i++)
		lines += results->sheets[i].count;
	free(results->differences);
	results->differences =
		calloc(lines * results->layout->bases + 1, sizeof(*results->differences));
	if (first && parts && results->differences) {
		status = PK_OK;
		sort_parts(blocks, rows, first, parts);
	}
	for (size_t i = 0; i < results->sheets_count && status == PK_OK; i++) {
		comparing.sheet = &results->sheets[i];
		status = compare_sheet(&comparing);
	}
	free(first);
	free(parts);
	return status;
}

const struct difference *pk_difference_of(const struct results *results, uint32_t line,
					  unsigned int base)
{
	return &results->differences[(line - 1) * (size_t)results->layout->bases + base - 1];
}
