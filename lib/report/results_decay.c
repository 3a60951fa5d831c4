// SPDX-License-Identifier: BSD-2-Clause
#include "result_lines.h"

/* The result is rounded down: it must reach 0. */
static void decay(uint64_t *number)
{
	*number -= *number / 8 + (*number % 8 != 0);
}

/* before: the part of the number that decays. */
static void decay_part(uint64_t *number, uint64_t before)
{
	*number -= before;
	decay(&before);
	*number += before;
}

static void decay_at(uint64_t *numbers, size_t count, const uint64_t *before, size_t before_count,
		     uint32_t row)
{
	if (row < count && row < before_count)
		decay_part(&numbers[row], before[row]);
}

static void decay_row(struct results *results, uint32_t row)
{
	struct row_count *count = &results->counts[row];
	const struct row_count before = results_count(results, row);

	decay_at(results->latencies, results->latencies_count, results->shown.latencies,
		 results->shown.latencies_count, row);
	decay_at(results->inclusive.weights, results->inclusive.count, results->shown.inclusive,
		 results->shown.inclusive_count, row);
	if (!before.samples && !before.weight)
		return;
	/* Samples vanish with their weight. */
	if (before.weight < 2)
		count->samples -= before.samples;
	else
		decay_part(&count->samples, before.samples);
	decay_part(&count->weight, before.weight);
}

void pk_results_decay(struct results *results)
{
	const uint32_t rows = pk_rows_count(&results->rows);

	for (uint32_t row = 1; row <= rows; row++) {
		if (!results_has_row(results, row))
			continue;
		decay_row(results, row);
		if (results_has_row(results, row))
			continue;
		pk_rows_retire(&results->rows, row);
		results->vanished++;
	}
	pk_forest_decay(&results->forest, decay);
}
