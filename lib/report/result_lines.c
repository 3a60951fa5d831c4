// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "result_lines.h"
#include "vector.h"

/* ---- Levels ---- */

/* Returns true if the row belongs to an upper level that does not have the field. */
static bool is_above(const struct results *results, uint32_t row, unsigned int field)
{
	const struct pk_row_value value = pk_rows_value(&results->rows, row, field);

	return value.kind == PK_VALUE_NONE && value.number == PK_ROWS_ALL;
}

static unsigned int level_of(const struct results *results, uint32_t row)
{
	const struct layout *layout = results->layout;
	unsigned int level = 0;

	for (; level + 1 < layout->levels_count; level++) {
		const uint32_t next = layout->levels[level] & ~layout->levels[level + 1];

		if (is_above(results, row, (unsigned int)__builtin_ctz(next)))
			break;
	}
	return level;
}

unsigned int pk_results_level(const struct results *results, uint32_t line)
{
	return level_of(results, results_any_row(results, line));
}

bool pk_results_is_leaf(const struct results *results, uint32_t line)
{
	return pk_results_level(results, line) + 1 >= results->layout->levels_count;
}

uint32_t pk_results_line_above(const struct results *results, uint32_t line)
{
	return line < results->lines_above_count ? results->lines_above[line] : 0;
}

/* ---- Sheets ---- */

uint32_t pk_results_event_of(const struct results *results, uint32_t row)
{
	return results->layout->one_table ? 0
					  : (uint32_t)pk_rows_value(&results->rows, row, 0).number;
}

enum pk_status pk_results_add_event(struct results *results, uint32_t row, uint64_t index)
{
	const uint32_t event = pk_results_event_of(results, row);

	if (pk_table_get_u64(&results->event_numbers, event))
		return PK_OK;
	PK_TRY(pk_reserve(&results->events, &results->events_capacity, results->events_count, 1,
			  sizeof(*results->events)));
	PK_TRY(pk_table_set_u64(&results->event_numbers, event,
				results->events_count + UINT64_C(1)));
	results->events[results->events_count++] = (struct results_event){event, index};
	return PK_OK;
}

static int compare_events(const void *left, const void *right)
{
	const struct results_event *a = left, *b = right;

	return (a->index > b->index) - (a->index < b->index);
}

/* Returns the events in the order of the sheets, or NULL if memory is exhausted. */
static struct results_event *sort_events(const struct results *results)
{
	struct results_event *events = calloc(results->events_count + 1, sizeof(*events));

	if (events && results->events_count) {
		memcpy(events, results->events, results->events_count * sizeof(*events));
		qsort(events, results->events_count, sizeof(*events), compare_events);
	}
	return events;
}

/* Adds a set to a sheet. */
static enum pk_status add_set(struct sheet *sheet, uint32_t event)
{
	size_t capacity = sheet->sets_count;

	PK_TRY(pk_reserve(&sheet->sets, &capacity, capacity, 1, sizeof(*sheet->sets)));
	sheet->sets[sheet->sets_count++] = (struct sheet_set){.event = event};
	return PK_OK;
}

/* Returns the event that owns the sheet of `event`. Returns 0 if one sheet contains all events.
 * Sets *recorded if the events were recorded as a group. */
static uint32_t leader_of(const struct results *results, uint32_t event, bool *recorded)
{
	const uint32_t leader = (uint32_t)pk_table_get_u64(&results->leaders, event);

	*recorded = leader;
	if (results->layout->sets == SETS_EVENTS && !results->leaders.count)
		return 0;
	return leader ? leader : event;
}

/* The state while rows are distributed to lines and sheets. */
struct joining {
	struct results *results;
	struct pk_table sheet_of; /* by leader of the events of a sheet (leader_of()), plus 1: the
				   * index of the sheet, plus 1 */
	struct pk_table sheets;	  /* by number of an event, plus 1: the index of the sheet that
				   * contains it, plus 1 */
	struct pk_texts keys;	  /* keys of the lines */
	uint32_t *line_of;	  /* number of the line, by row */
	size_t cells_capacity;
};

/* Adds an event to the sheet of its group. Adds the sheet if it is new. */
static enum pk_status add_event(struct joining *joining, uint32_t event)
{
	struct results *results = joining->results;
	const struct layout *layout = results->layout;
	const unsigned int sets = layout->sets == SETS_SIDES ? layout->bases + 1 : 1;
	bool recorded;
	const uint64_t leader = leader_of(results, event, &recorded) + UINT64_C(1);
	uint64_t number = pk_table_get_u64(&joining->sheet_of, leader);

	if (!number || results->sheets[number - 1].sets_count == LAYOUT_EVENTS) {
		number = results->sheets_count + UINT64_C(1);
		PK_TRY(pk_reserve(&results->sheets, &results->sheets_capacity,
				  results->sheets_count, 1, sizeof(*results->sheets)));
		PK_TRY(pk_table_set_u64(&joining->sheet_of, leader, number));
		results->sheets[results->sheets_count++] =
			(struct sheet){.event = event, .recorded = recorded};
	}
	for (unsigned int set = 0; set < sets; set++)
		PK_TRY(add_set(&results->sheets[number - 1], event));
	return pk_table_set_u64(&joining->sheets, event + UINT64_C(1), number);
}

/* Makes the sheets and their sets. */
static enum pk_status make_sheets(struct joining *joining)
{
	const struct results *results = joining->results;
	struct results_event *events = sort_events(results);
	enum pk_status status = events ? PK_OK : PK_NOMEM;

	for (size_t i = 0; i < results->events_count && status == PK_OK; i++)
		status = add_event(joining, events[i].event);
	free(events);
	return status;
}

/* ---- Lines ---- */

/* Returns the set of numbers that a row belongs to. */
static unsigned int set_of(const struct results *results, const struct sheet *sheet, uint32_t row)
{
	const struct layout *layout = results->layout;
	uint64_t value;
	unsigned int set = 0;

	if (layout->sets == SETS_ONE)
		return 0;
	value = pk_rows_value(&results->rows, row, (unsigned int)layout->set_field).number;
	if (layout->sets == SETS_SIDES)
		return (unsigned int)value;
	while (set + 1 < sheet->sets_count && sheet->sets[set].event != value)
		set++;
	return set;
}

static enum pk_status add_line(struct sheet *sheet, uint32_t line)
{
	PK_TRY(pk_reserve(&sheet->lines, &sheet->capacity, sheet->count, 1, sizeof(*sheet->lines)));
	sheet->lines[sheet->count++] = line;
	return PK_OK;
}

/* Replaces the name of a function in a key of the base by its name on the new side. */
static void rename_key(const struct results *results, uint64_t *key)
{
	const struct layout *layout = results->layout;

	for (unsigned int i = 0; i < results->rows.columns_count; i++) {
		if (!layout->shown[i] || strcmp(layout->shown[i]->name, "symbol") != 0)
			continue;
		for (size_t j = 0; j < results->renames_count; j++)
			if (key[i] == results->renames[j].from) {
				key[i] = results->renames[j].to;
				break;
			}
	}
}

/* Adds a row as the set `set` of the line that has the key of the row. Adds the line if it is new.
 * Returns the line, or 0 if memory is exhausted. */
static uint32_t join_row(struct joining *joining, struct sheet *sheet, unsigned int set,
			 uint32_t row)
{
	struct results *results = joining->results;
	const size_t sets = results->cells_sets, before = joining->keys.count;
	uint64_t key[PK_GROUP_COLUMNS + 1];
	const size_t size = pk_rows_key_without(&results->rows, row,
						UINT32_C(1) << results->layout->set_field, key);
	uint32_t line;

	if (results->layout->sets == SETS_EVENTS)
		key[0] = (uint64_t)(sheet - results->sheets) + 1;
	if (set && results->renames_count)
		rename_key(results, key);
	line = pk_texts_add(&joining->keys, (const char *)key, size);
	if (!line || pk_reserve(&results->cells, &joining->cells_capacity, before * sets, sets,
				sizeof(*results->cells)) != PK_OK)
		return 0;
	if (joining->keys.count > before) {
		memset(results->cells + before * sets, 0, sets * sizeof(*results->cells));
		if (add_line(sheet, line) != PK_OK)
			return 0;
	}
	results->cells[(line - 1) * sets + set] = row;
	return line;
}

/* Adds a row to the lines and sums of its sheet. */
static enum pk_status distribute(struct joining *joining, uint32_t row)
{
	struct results *results = joining->results;
	const uint64_t number =
		pk_table_get_u64(&joining->sheets, pk_results_event_of(results, row) + UINT64_C(1));
	struct sheet *sheet = &results->sheets[number - 1];
	unsigned int set;

	if (!number) /* memory was exhausted when the row was added, so it has no sheet */
		return PK_OK;
	set = set_of(results, sheet, row);
	if (level_of(results, row) + 1 >= results->layout->levels_count) {
		struct sheet_set *sum = &sheet->sets[set];

		sum->weight += results_count(results, row).weight;
		sum->samples += results_count(results, row).samples;
		sum->latency += results_latency(results, row);
	}
	if (!results->cells_sets)
		return add_line(sheet, row);
	joining->line_of[row] = join_row(joining, sheet, set, row);
	return joining->line_of[row] ? PK_OK : PK_NOMEM;
}

/* Sets lines_above: for each line, the line of the level above. */
static enum pk_status link_levels(struct joining *joining)
{
	struct results *results = joining->results;
	const struct layout *layout = results->layout;
	const uint32_t rows = pk_rows_count(&results->rows);

	if (layout->levels_count < 2)
		return PK_OK;
	results->lines_above = calloc(rows + (size_t)1, sizeof(*results->lines_above));
	results->lines_above_count = results->lines_above ? rows + (size_t)1 : 0;
	for (uint32_t row = 1; row <= rows && results->lines_above; row++) {
		const unsigned int level = level_of(results, row);
		const uint32_t line = results->cells ? joining->line_of[row] : row;
		uint32_t above;

		if (!level || !results_has_row(results, row))
			continue;
		above = pk_rows_above(&results->rows, row, layout->levels[level - 1]);
		if (!above)
			return PK_NOMEM;
		results->lines_above[line] = results->cells ? joining->line_of[above] : above;
	}
	return results->lines_above ? PK_OK : PK_NOMEM;
}

/* Returns the greatest number of sets of a line, or 0 if each line is one row. */
static unsigned int cells_sets(const struct results *results)
{
	unsigned int most = 0;

	for (size_t i = 0; i < results->sheets_count && results->layout->sets != SETS_ONE; i++)
		if (results->sheets[i].sets_count > most)
			most = results->sheets[i].sets_count;
	return most;
}

enum pk_status pk_results_make_lines(struct results *results)
{
	const uint32_t rows = pk_rows_count(&results->rows);
	struct joining joining = {.results = results};
	enum pk_status status = make_sheets(&joining);

	free(results->renames);
	status = status
			 ?: pk_renames_find(&results->calls, &results->renames,
					    &results->renames_count);
	results->cells_sets = cells_sets(results);
	if (results->cells_sets) {
		joining.line_of = calloc(rows + (size_t)1, sizeof(*joining.line_of));
		status = status ?: (joining.line_of ? PK_OK : PK_NOMEM);
	}
	for (uint32_t row = 1; row <= rows && status == PK_OK; row++)
		if (results_has_row(results, row))
			status = distribute(&joining, row);
	status = status ?: link_levels(&joining);
	pk_table_free(&joining.sheet_of);
	pk_table_free(&joining.sheets);
	pk_texts_free(&joining.keys);
	free(joining.line_of);
	return status;
}

uint32_t pk_results_first_row(const struct results *results, uint32_t line)
{
	const uint32_t *cells;
	unsigned int set = 0;

	cells = &results->cells[(line - 1) * (size_t)results->cells_sets];
	while (set + 1 < results->cells_sets && !cells[set])
		set++;
	return cells[set];
}

void pk_results_free_lines(struct results *results)
{
	for (size_t i = 0; i < results->sheets_count; i++) {
		free(results->sheets[i].lines);
		free(results->sheets[i].sets);
	}
	free(results->cells);
	free(results->lines_above);
	results->cells = results->lines_above = NULL;
	results->sheets_count = results->lines_above_count = 0;
	results->cells_sets = 0;
}
