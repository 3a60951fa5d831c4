// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "difference.h"
#include "discovery.h"

/* A row with fewer samples on both sides together is not tested. It cannot be a finding, but would
 * raise the limit for all others. */
#define SAMPLES_LEAST 10
/* A row with fewer samples says nothing about the spread of the recordings. */
#define SPREAD_SAMPLES_LEAST 50

/* If each side has one recording, nothing shows how much recordings vary. The decision assumes that
 * their variance is SPREAD_ASSUMED times that of samples and blocks. If blocks vary more than
 * samples explain, something outside of the program can be the reason, which recordings also differ
 * in. Then the variance grows with the ratio of the blocks, up to SPREAD_ASSUMED_MOST times.
 * docs/compare.md has measured ratios. */
#define SPREAD_ASSUMED	    2
#define SPREAD_ASSUMED_MOST 8
/* All rows together are worth at most so many degrees of freedom for one row, because some rows
 * vary much more than the others. */
#define SPREAD_FREEDOM_MOST 10
/* If too few rows have samples, recordings are assumed to vary as their samples and blocks. This is
 * worth one degree of freedom. */
#define SPREAD_UNKNOWN ((struct pk_overdispersion){1, 1})

/* Lets the rows learn from each other how much recordings vary. */
static enum pk_status spread_rows(const struct difference_table *table)
{
	double *ratios = calloc(table->count + 1, 2 * sizeof(*ratios));
	double *freedoms = ratios + table->count;
	struct pk_overdispersion common;

	if (!ratios)
		return PK_NOMEM;
	for (size_t i = 0; i < table->count; i++) {
		const struct difference_row *row = &table->rows[i];

		ratios[i] = row->change.spread;
		if (row->samples >= SPREAD_SAMPLES_LEAST)
			freedoms[i] = row->change.spread_freedom;
	}
	common = pk_overdispersion_fit(ratios, freedoms, table->count);
	common = common.freedom > 0 ? common : SPREAD_UNKNOWN;
	common.freedom = fmin(common.freedom, SPREAD_FREEDOM_MOST);
	for (size_t i = 0; i < table->count; i++)
		pk_rate_change_spread(&table->rows[i].change, &common);
	free(ratios);
	return PK_OK;
}

/* Returns whether a side has several recordings. */
static bool is_repeated(const struct difference_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].change.spread_freedom > 0)
			return true;
	return false;
}

/* Returns the comparison that decides whether a row has changed. Only several recordings of a side
 * show how much recordings vary. */
static struct pk_rate_change deciding(const struct difference_row *row, bool repeated)
{
	const double spread = SPREAD_ASSUMED * fmax(1, row->change.blocks);

	if (repeated)
		return row->change;
	return pk_rate_change_guarded(&row->change, fmin(spread, SPREAD_ASSUMED_MOST));
}

/* Sets results[].discovery. Returns the probability up to which a row is a finding in *limit. */
static enum pk_status test_rows(const struct difference_table *table, bool repeated, double rate,
				struct difference *results, double *limit)
{
	double *probabilities = calloc(table->count + 1, sizeof(*probabilities));
	size_t tested = 0, found = 0;
	enum pk_status status;

	if (!probabilities)
		return PK_NOMEM;
	for (size_t i = 0; i < table->count; i++) {
		const bool enough = table->rows[i].samples >= SAMPLES_LEAST;
		const struct pk_rate_change change = deciding(&table->rows[i], repeated);

		probabilities[i] = enough ? pk_rate_change_probability(&change) : NAN;
		tested += enough;
	}
	status = pk_discovery_adjust(probabilities, table->count);
	for (size_t i = 0; i < table->count; i++) {
		results[i].discovery = probabilities[i];
		found += probabilities[i] <= rate;
	}
	*limit = rate * fmax(1, (double)found) / fmax(1, (double)tested);
	free(probabilities);
	return status;
}

static void decide(const struct difference_table *table, const struct difference_row *row,
		   const struct pk_rate_change *decides, const struct difference_options *options,
		   double limit, struct difference *result)
{
	const struct pk_rate_change *change = &row->change;
	const struct pk_ratio_interval interval =
		pk_rate_change_interval(change, DIFFERENCE_OUTSIDE);
	const struct pk_ratio_interval wide = pk_rate_change_interval(decides, DIFFERENCE_OUTSIDE);
	const double percent = table->is_share ? 100 : 1;

	*result = (struct difference){
		.base = change->base * percent,
		.current = change->current * percent,
		.change = 100 * (change->current / change->base - 1),
		.low = 100 * (interval.low - 1),
		.high = 100 * (interval.high - 1),
		.discovery = result->discovery,
		.detectable = 100 * pk_rate_change_detectable(decides, limit),
		.needs = NAN,
		.mark = DIFFERENCE_UNKNOWN,
	};
	if (100 * (wide.low - 1) >= -options->tolerance &&
	    100 * (wide.high - 1) <= options->tolerance)
		result->mark = DIFFERENCE_UNCHANGED;
	else if (result->discovery <= options->discoveries / 100)
		result->mark = DIFFERENCE_CHANGED;
	else if (options->tolerance > 0)
		result->needs =
			ceil(table->samples * pow(result->detectable / options->tolerance, 2));
}

enum pk_status pk_differences_decide(const struct difference_table *table,
				     const struct difference_options *options,
				     struct difference *results)
{
	const bool repeated = is_repeated(table);
	double limit;

	if (repeated)
		PK_TRY(spread_rows(table));
	PK_TRY(test_rows(table, repeated, options->discoveries / 100, results, &limit));
	for (size_t i = 0; i < table->count; i++) {
		const struct pk_rate_change decides = deciding(&table->rows[i], repeated);

		decide(table, &table->rows[i], &decides, options, limit, &results[i]);
	}
	return PK_OK;
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
