// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "result_lines.h"
#include "results.h"
#include "vector.h"

/* ---- Removing rows ---- */

/* Rows are removed if at least VANISHED_MIN rows have vanished, and if more than half of all rows
 * have vanished. The same rule is used for nodes. So the time for removing is proportional to the
 * time for adding. */
#define VANISHED_MIN 1000

static bool is_most(size_t vanished, size_t all)
{
	return vanished >= VANISHED_MIN && vanished > all / 2;
}

bool pk_results_are_sparse(const struct results *results)
{
	const struct pk_tree *tree = results->forest.tree;

	return is_most(results->vanished, pk_rows_count(&results->rows)) ||
	       (tree && is_most(results->forest.vanished, tree->count));
}

/* Copies the rows that have weight to `rows`, and sets to[row] to their new numbers. */
static bool copy_rows(struct results *results, struct pk_rows *rows, uint32_t *to)
{
	const uint32_t count = pk_rows_count(&results->rows);
	bool done = true;

	for (uint32_t row = 1; done && row <= count; row++) {
		if (!results_has_row(results, row))
			continue;
		to[row] = pk_rows_copy(rows, &results->rows, row);
		done = to[row];
	}
	return done;
}

/* Adds the name of an event to other rows. Returns its number there, or 0 if memory is exhausted.
 */
static uint32_t copy_event(const struct results *results, struct pk_rows *rows, uint32_t event)
{
	size_t size;
	const char *text = pk_results_event(results, event, &size);

	return pk_texts_add(&rows->texts, text, size);
}

/* Returns the number that the name of an event has in other rows, or 0 if they do not have the
 * name. */
static uint32_t find_event(const struct results *results, const struct pk_rows *rows,
			   uint32_t event)
{
	size_t size;
	const char *text = pk_results_event(results, event, &size);

	return pk_texts_find(&rows->texts, text, size);
}

/* Removes the events that have no rows. Call it after the rows got their new numbers. */
static enum pk_status copy_events(struct results *results, const struct pk_rows *rows)
{
	struct results_event *events = results->events;
	const size_t count = results->events_count;
	enum pk_status status = PK_OK;

	pk_table_clear(&results->event_numbers);
	results->events_count = 0;
	for (size_t i = 0; status == PK_OK && i < count; i++) {
		struct results_event event = events[i];

		if (!results->layout->one_table) {
			event.event = find_event(results, rows, event.event);
			if (!event.event)
				continue;
		}
		events[results->events_count++] = event;
		status = pk_table_set_u64(&results->event_numbers, event.event,
					  results->events_count);
	}
	return status;
}

static enum pk_status copy_leaders(struct results *results, struct pk_rows *rows)
{
	struct pk_table leaders = {0};
	const struct pk_table_slot *slot;
	size_t cursor = 0;
	enum pk_status status = PK_OK;

	while (status == PK_OK && (slot = pk_table_next(&results->leaders, &cursor))) {
		const uint32_t event = copy_event(results, rows, (uint32_t)slot->key);
		const uint32_t leader =
			event ? copy_event(results, rows, (uint32_t)slot->value) : 0;

		status = leader ? pk_table_set_u64(&leaders, event, leader) : PK_NOMEM;
	}
	pk_table_free(&results->leaders);
	results->leaders = leaders;
	return status;
}

/* Moves all numbers of the rows to the places of the new row numbers. */
static enum pk_status move_numbers(struct results *results, const uint32_t *to, uint32_t count)
{
	struct layout *layout = results->layout;
	enum pk_status status = PK_OK;

	pk_renumber(&results->counts, &results->counts_count, sizeof(*results->counts), to, count);
	pk_renumber(&results->latencies, &results->latencies_count, sizeof(*results->latencies), to,
		    count);
	pk_inclusive_renumber(&results->inclusive, to, count);
	for (unsigned int i = 0; status == PK_OK && i < layout->measures_count; i++)
		status = pk_measure_renumber(&layout->measures[i], to, count);
	pk_row_order_free(&results->order);
	free(results->above);
	results->above = NULL;
	results->above_count = 0;
	return status;
}

static enum pk_status compact(struct results *results)
{
	const uint32_t count = pk_rows_count(&results->rows);
	struct pk_rows rows = {.columns_count = results->rows.columns_count};
	uint32_t *to = calloc(count + (size_t)1, sizeof(*to));
	enum pk_status status = to && copy_rows(results, &rows, to) ? PK_OK : PK_NOMEM;

	status = status ?: copy_events(results, &rows);
	status = status ?: copy_leaders(results, &rows);
	status = status ?: move_numbers(results, to, count);
	status = status ?: pk_forest_compact(&results->forest, &rows, &results->rows, to);
	free(to);
	pk_rows_free(&results->rows);
	results->rows = rows;
	results->vanished = 0;
	pk_results_free_shown(results);
	return status;
}

enum pk_status pk_results_compact(struct results *results)
{
	pk_results_free_lines(results);
	if (compact(results) == PK_OK)
		return PK_OK;
	pk_results_clear(results);
	return PK_NOMEM;
}

/* ---- Decay ---- */

/* Multiplies a number by 7/8. The result is rounded down, so that it reaches 0 after some calls. */
static void decay(uint64_t *number)
{
	*number -= *number / 8 + (*number % 8 != 0);
}

/* Lets only a part of the number decay. `before` is the size of this part. */
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
	/* If the weight becomes 0, the number of samples becomes 0, too. */
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
