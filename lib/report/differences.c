// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "differences.h"
#include "discovery.h"
#include "result_lines.h"

/* A line with fewer samples on both sides together is not tested. It cannot be a finding, but would
 * raise the limit for all others. */
#define SAMPLES_LEAST 10
/* A line with fewer samples says nothing about the spread of the recordings. */
#define SPREAD_SAMPLES_LEAST 50

/* If each side has one recording, nothing shows how much recordings vary. The decision assumes that
 * their variance is this many times that of samples and blocks. docs/compare.md has measured
 * ratios. */
#define SPREAD_ASSUMED 2
/* All rows together are worth at most so many degrees of freedom for one row, because some rows
 * vary much more than the others. */
#define SPREAD_FREEDOM_MOST 10
/* If too few rows have samples, recordings are assumed to vary as their samples and blocks. This is
 * worth one degree of freedom. */
#define SPREAD_UNKNOWN ((struct pk_overdispersion){1, 1})

/* The comparison of all lines of a sheet with a base. */
struct comparing {
	struct results *results;
	const struct sheet *sheet;
	const struct row_event *event;
	unsigned int base;
	const size_t *first;   /* by row: the index of its first part in `parts` */
	const uint32_t *parts; /* indices in blocks.parts, sorted by row, then by recording */
	struct pk_rate_change *changes; /* by index of the line in the sheet */
	bool repeated;			/* at least one side has several recordings */
	double *probabilities;
	size_t recordings[2]; /* number of recordings of the base and of the new side */
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

/* Measures all lines, and lets them learn from each other how much recordings vary. */
static enum pk_status measure_lines(struct comparing *comparing)
{
	const struct results *results = comparing->results;
	const struct sheet *sheet = comparing->sheet;
	const bool share = results->blocks.unit == ROW_UNIT_SHARE;
	double *ratios = calloc(sheet->count + 1, 2 * sizeof(*ratios));
	double *freedoms = ratios + sheet->count;
	struct pk_overdispersion common;

	if (!ratios)
		return PK_NOMEM;
	for (size_t i = 0; i < sheet->count; i++) {
		const uint32_t line = sheet->lines[i];
		const struct pk_rate_side current = side_of(comparing,
							    results_row(results, line, 0), 0),
					  base = side_of(
						  comparing,
						  results_row(results, line, comparing->base), 1);
		struct pk_rate_change *change = &comparing->changes[i];

		pk_rate_change_measure(change, &base, &current, share);
		ratios[i] = change->spread;
		if (samples_of(comparing, line, 0) + samples_of(comparing, line, comparing->base) >=
		    SPREAD_SAMPLES_LEAST)
			freedoms[i] = change->spread_freedom;
	}
	common = pk_overdispersion_fit(ratios, freedoms, sheet->count);
	common = common.freedom > 0 ? common : SPREAD_UNKNOWN;
	common.freedom = fmin(common.freedom, SPREAD_FREEDOM_MOST);
	for (size_t i = 0; i < sheet->count && comparing->repeated; i++)
		pk_rate_change_spread(&comparing->changes[i], &common);
	free(ratios);
	return PK_OK;
}

/* Returns the comparison that decides whether a line has changed. Only several recordings of a side
 * show how much recordings vary. */
static struct pk_rate_change deciding(const struct comparing *comparing, size_t index)
{
	const struct pk_rate_change *change = &comparing->changes[index];

	return comparing->repeated ? *change : pk_rate_change_guarded(change, SPREAD_ASSUMED);
}

/* Sets the probabilities of the lines, as false discovery rates. Returns the probability up to
 * which a line is a finding in *limit. */
static enum pk_status test_lines(struct comparing *comparing, double rate, double *limit)
{
	const struct sheet *sheet = comparing->sheet;
	size_t tested = 0, found = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		const uint32_t line = sheet->lines[i];
		const bool enough = samples_of(comparing, line, 0) +
					    samples_of(comparing, line, comparing->base) >=
				    SAMPLES_LEAST;
		const struct pk_rate_change change = deciding(comparing, i);

		comparing->probabilities[i] = enough ? pk_rate_change_probability(&change) : NAN;
		tested += enough;
	}
	PK_TRY(pk_discovery_adjust(comparing->probabilities, sheet->count));
	for (size_t i = 0; i < sheet->count; i++)
		found += comparing->probabilities[i] <= rate;
	*limit = rate * fmax(1, (double)found) / fmax(1, (double)tested);
	return PK_OK;
}

static double larger_samples(const struct comparing *comparing)
{
	const struct sheet_set *sets = comparing->sheet->sets;

	return fmax((double)sets[0].samples, (double)sets[comparing->base].samples);
}

static struct difference difference(const struct comparing *comparing, size_t index,
				    const struct difference_options *options, double limit)
{
	const struct pk_rate_change *change = &comparing->changes[index];
	const struct pk_rate_change decides = deciding(comparing, index);
	const struct pk_ratio_interval interval =
		pk_rate_change_interval(change, DIFFERENCE_OUTSIDE);
	const struct pk_ratio_interval wide = pk_rate_change_interval(&decides, DIFFERENCE_OUTSIDE);
	const double percent = comparing->results->blocks.unit == ROW_UNIT_SHARE ? 100 : 1;
	struct difference result = {
		.base = change->base * percent,
		.current = change->current * percent,
		.change = 100 * (change->current / change->base - 1),
		.low = 100 * (interval.low - 1),
		.high = 100 * (interval.high - 1),
		.discovery = comparing->probabilities[index],
		.detectable = 100 * pk_rate_change_detectable(&decides, limit),
		.needs = NAN,
		.mark = DIFFERENCE_UNKNOWN,
	};

	if (100 * (wide.low - 1) >= -options->tolerance &&
	    100 * (wide.high - 1) <= options->tolerance)
		result.mark = DIFFERENCE_UNCHANGED;
	else if (result.discovery <= options->discoveries / 100)
		result.mark = DIFFERENCE_CHANGED;
	else if (options->tolerance > 0)
		result.needs = ceil(larger_samples(comparing) *
				    pow(result.detectable / options->tolerance, 2));
	return result;
}

static struct difference *difference_at(const struct comparing *comparing, size_t index)
{
	const struct results *results = comparing->results;
	const size_t line = comparing->sheet->lines[index];

	return &results->differences[(line - 1) * results->layout->bases + comparing->base - 1];
}

static enum pk_status compare_lines(struct comparing *comparing)
{
	struct results *results = comparing->results;
	const struct difference_options *options = &results->difference_options;
	double limit;

	for (unsigned int i = 0; i < 2; i++)
		comparing->recordings[i] = count_recordings(comparing, i);
	for (size_t i = 0; i < comparing->sheet->count; i++)
		*difference_at(comparing, i) = (struct difference){
			NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, DIFFERENCE_UNKNOWN};
	if (!comparing->recordings[0] || !comparing->recordings[1] ||
	    pk_differences_refused(results, comparing->event))
		return PK_OK;
	comparing->repeated = comparing->recordings[0] > 1 || comparing->recordings[1] > 1;
	PK_TRY(measure_lines(comparing));
	PK_TRY(test_lines(comparing, options->discoveries / 100, &limit));
	for (size_t i = 0; i < comparing->sheet->count; i++)
		*difference_at(comparing, i) = difference(comparing, i, options, limit);
	return PK_OK;
}

static enum pk_status compare_sheet(struct comparing *comparing)
{
	enum pk_status status = PK_OK;

	comparing->event =
		pk_row_blocks_event(&comparing->results->blocks, comparing->sheet->event);
	comparing->changes = calloc(comparing->sheet->count + 1, sizeof(*comparing->changes));
	comparing->probabilities =
		calloc(comparing->sheet->count + 1, sizeof(*comparing->probabilities));
	if (!comparing->changes || !comparing->probabilities)
		status = PK_NOMEM;
	for (comparing->base = 1; comparing->base <= comparing->results->layout->bases &&
				  comparing->event && status == PK_OK;
	     comparing->base++)
		status = compare_lines(comparing);
	free(comparing->changes);
	free(comparing->probabilities);
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

const char *pk_difference_word(enum difference_mark mark)
{
	static const char *const words[] = {
		[DIFFERENCE_UNCHANGED] = "unchanged",
		[DIFFERENCE_UNKNOWN] = "unknown",
		[DIFFERENCE_CHANGED] = "changed",
	};

	return words[mark];
}
