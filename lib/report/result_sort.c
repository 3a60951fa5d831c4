// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result_lines.h"
#include "vector.h"

/* What is needed to compare two lines of a sheet. */
struct sorting {
	const struct results *results;
	const struct sheet *sheet;
};

/* ---- Order of two lines ---- */

/* Returns true if a quick check shows that two lines have the same value in a column. Returns false
 * if the values differ or if the quick check cannot decide. */
static bool is_same(const struct results *results, const struct column *column, uint32_t a,
		    uint32_t b)
{
	if (column->kind == COLUMN_FIELD)
		return pk_rows_same(&results->rows, results_any_row(results, a),
				    results_any_row(results, b), column->field);
	if (results->cells)
		return false;
	switch (column->kind) {
	case COLUMN_SHARE:
	case COLUMN_PERIOD:
		return results_count(results, a).weight == results_count(results, b).weight;
	case COLUMN_SAMPLES:
		return results_count(results, a).samples == results_count(results, b).samples;
	case COLUMN_CHILDREN: return pk_results_weight(results, a) == pk_results_weight(results, b);
	default: return false;
	}
}

static int compare_values(const struct sorting *sorting, const struct column *column, uint32_t a,
			  uint32_t b, unsigned int set)
{
	const struct pk_amount left =
		pk_results_value(sorting->results, sorting->sheet, column, a, set);
	const struct pk_amount right =
		pk_results_value(sorting->results, sorting->sheet, column, b, set);

	return pk_amount_compare(&left, &right);
}

static int compare_column(const struct sorting *sorting, const struct column *column, uint32_t a,
			  uint32_t b)
{
	const struct results *results = sorting->results;
	const unsigned int sets = pk_results_sets(results, sorting->sheet, column);
	int order = 0;

	if (is_same(results, column, a, b))
		return 0;
	if (column->base)
		return pk_results_compare(results, sorting->sheet, column, a, b);
	for (unsigned int set = 0; set < sets && !order; set++)
		order = compare_values(sorting, column, a, b, set);
	return order;
}

/* Compares two lines by all fields if `fields` is set. Otherwise compares them by all numbers, so
 * that the largest number comes first. Returns 0 if the compared values are equal. */
static int compare_columns(const struct sorting *sorting, uint32_t a, uint32_t b, bool fields)
{
	const struct layout *layout = sorting->results->layout;
	int order = 0;

	for (unsigned int i = 0; i < layout->columns_count && !order; i++) {
		const struct column *column = &layout->columns[i];

		if ((column->kind == COLUMN_FIELD) == fields)
			order = compare_column(sorting, column, a, b);
	}
	return fields ? order : -order;
}

static int compare_rows(const void *left, const void *right, void *arg)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const int order = compare_columns(arg, a, b, true);

	return order ? order : (a > b) - (a < b);
}

/* Compares two lines: first by --order, then by all numbers so that the largest comes first, then
 * by all fields. */
static int compare_lines(const struct sorting *sorting, uint32_t a, uint32_t b)
{
	const struct layout *layout = sorting->results->layout;
	const struct row_order *ranks = &sorting->results->order;
	int order = 0;

	if (layout->order >= 0) {
		order = compare_column(sorting, &layout->columns[layout->order], a, b);
		if (order)
			return layout->ascending ? order : -order;
	}
	order = compare_columns(sorting, a, b, false);
	if (order)
		return order;
	if (ranks->count)
		return ranks->ranks[a] < ranks->ranks[b] ? -1 : 1;
	return compare_rows(&a, &b, (void *)sorting);
}

/* ---- Sorting ---- */

/* A line, with approximate values of the columns that it is sorted by. If two approximate values
 * differ, they decide. If all are equal, the exact values are compared. */
struct sorted {
	double number;	/* approximates the first number */
	uint64_t field; /* approximates the first field */
	uint32_t line;
	uint32_t rank; /* type of `field`, in this order: missing, negative, other numbers, texts */
};

static int compare_sorted(const void *left, const void *right, void *arg)
{
	const struct sorted *a = left, *b = right;

	if (a->number != b->number)
		return a->number > b->number ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->field != b->field)
		return a->field < b->field ? -1 : 1;
	return compare_lines(arg, a->line, b->line);
}

/* Returns the column that rows are sorted by first, or NULL if this column is a field. */
static const struct column *first_column(const struct layout *layout)
{
	if (layout->order >= 0)
		return layout->columns[layout->order].kind == COLUMN_FIELD
			       ? NULL
			       : &layout->columns[layout->order];
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind != COLUMN_FIELD)
			return &layout->columns[i];
	return NULL;
}

static double number_of(const struct sorting *sorting, const struct column *first, uint32_t line)
{
	const struct layout *layout = sorting->results->layout;
	struct pk_amount amount;

	if (!first || first->base)
		return 0;
	amount = pk_results_value(sorting->results, sorting->sheet, first, line, 0);
	if (amount.kind == PK_AMOUNT_TEXT || amount.kind == PK_AMOUNT_NONE)
		amount.real = amount.kind == PK_AMOUNT_TEXT ? INFINITY : -INFINITY;
	return layout->order >= 0 && layout->ascending ? -amount.real : amount.real;
}

/* Returns the field that decides between rows with the same first number. Returns NULL if other
 * columns are compared before a field. */
static const struct column *second_column(const struct layout *layout)
{
	const struct column *field = NULL;
	unsigned int numbers = 0;

	for (unsigned int i = layout->columns_count; i--;) {
		numbers += layout->columns[i].kind != COLUMN_FIELD;
		if (layout->columns[i].kind == COLUMN_FIELD)
			field = &layout->columns[i];
	}
	return layout->order >= 0 || numbers > 1 || layout->sets != SETS_ONE ? NULL : field;
}

/* Sets `field` and `rank` to approximate the value of a field. */
static void set_field(struct sorted *sorted, const struct results *results,
		      const struct column *column)
{
	const struct pk_amount value = pk_results_value(results, NULL, column, sorted->line, 0);

	switch (value.kind) {
	case PK_AMOUNT_INTEGER:
		sorted->rank = value.integer.high < 0 ? 1 : 2;
		sorted->field = value.integer.low;
		break;
	case PK_AMOUNT_TEXT:
		sorted->rank = 3;
		for (size_t i = 0; i < sizeof(sorted->field); i++)
			sorted->field = sorted->field << 8 |
					(i < value.size ? (unsigned char)value.text[i] : 0);
		break;
	default: break;
	}
}

/* If the results are live, sorts their rows by their fields. */
static enum pk_status order_rows(struct results *results, const struct sheet *sheet)
{
	struct sorting sorting = {results, sheet};

	return !results->live || results->cells
		       ? PK_OK
		       : pk_row_order_extend(&results->order, pk_rows_count(&results->rows),
					     compare_rows, &sorting);
}

static enum pk_status sort_lines(const struct results *results, const struct sheet *sheet)
{
	struct sorting sorting = {results, sheet};
	const struct column *first = first_column(results->layout);
	const struct column *second = second_column(results->layout);
	struct sorted *list = calloc(sheet->count + 1, sizeof(*list));

	if (!list)
		return PK_NOMEM;
	for (size_t i = 0; i < sheet->count; i++) {
		list[i].line = sheet->lines[i];
		list[i].number = number_of(&sorting, first, list[i].line);
		if (second)
			set_field(&list[i], results, second);
	}
	if (sheet->count)
		qsort_r(list, sheet->count, sizeof(*list), compare_sorted, &sorting);
	for (size_t i = 0; i < sheet->count; i++)
		sheet->lines[i] = list[i].line;
	free(list);
	return PK_OK;
}

/* ---- Levels ---- */

/* A line with the line above it. Arrays of branches are sorted by `parent`. */
struct branch {
	uint32_t parent, line;
	size_t rank; /* position of the line when all lines are sorted */
};

static int compare_branches(const void *left, const void *right)
{
	const struct branch *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Returns the index of the first branch of a parent, or `count` if the parent has no branches. */
static size_t find_branch(const struct branch *branches, size_t count, uint32_t parent)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (branches[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && branches[low].parent == parent ? low : count;
}

/* Replaces the lines of the sheet. Each line of the first level is followed by the lines below it.
 */
static void add_branches(struct sheet *sheet, const struct branch *branches, size_t count)
{
	size_t open[PK_GROUP_COLUMNS + 1], below;
	unsigned int depth = 1;

	open[0] = find_branch(branches, count, 0);
	sheet->count = 0;
	while (depth) {
		const size_t at = open[depth - 1];

		if (at >= count) {
			depth--;
			continue;
		}
		open[depth - 1] = at + 1 < count && branches[at + 1].parent == branches[at].parent
					  ? at + 1
					  : count;
		sheet->lines[sheet->count++] = branches[at].line;
		below = find_branch(branches, count, branches[at].line);
		if (below < count)
			open[depth++] = below;
	}
}

/* Reorders the sorted lines of all levels as a tree. */
static enum pk_status sort_levels(const struct results *results, struct sheet *sheet)
{
	struct branch *branches = calloc(sheet->count + 1, sizeof(*branches));

	if (!branches)
		return PK_NOMEM;
	for (size_t i = 0; i < sheet->count; i++)
		branches[i] =
			(struct branch){.parent = pk_results_line_above(results, sheet->lines[i]),
					.line = sheet->lines[i],
					.rank = i};
	if (sheet->count)
		qsort(branches, sheet->count, sizeof(*branches), compare_branches);
	add_branches(sheet, branches, sheet->count);
	free(branches);
	return PK_OK;
}

/* Returns the share of a line that --percent-limit compares with its limit. With --group, it is the
 * share of the first event. With --diff, it is the larger share of the two sides. */
static double share_of(const struct results *results, const struct sheet *sheet, uint32_t line)
{
	const unsigned int sets = results->layout->sets == SETS_SIDES ? sheet->sets_count : 1;
	double share = 0;

	for (unsigned int set = 0; set < sets; set++) {
		const uint64_t weight = pk_results_weight(results, results_row(results, line, set));
		const uint64_t total = sheet->sets[set].weight;

		share = fmax(share, total ? 100.0 * (double)weight / (double)total : 0);
	}
	return share;
}

/* Hides the lines of a sheet that are below the limits, and sorts the lines that are not hidden. */
static enum pk_status sort_sheet(struct results *results, struct sheet *sheet,
				 const struct results_options *options)
{
	size_t n = 0;

	for (size_t i = 0; i < sheet->count; i++)
		if (share_of(results, sheet, sheet->lines[i]) >= options->percent_limit)
			sheet->lines[n++] = sheet->lines[i];
	sheet->count = n;
	PK_TRY(order_rows(results, sheet));
	PK_TRY(sort_lines(results, sheet));
	if (results->layout->levels_count > 1)
		PK_TRY(sort_levels(results, sheet));
	sheet->limited = options->limit && sheet->count > options->limit;
	if (sheet->limited)
		sheet->count = options->limit;
	return PK_OK;
}

/* ---- All ---- */

/* Sets the array pointer at `to` to `from`. If the results are live, sets it to a copy of `from`.
 */
static enum pk_status show(const struct results *results, void *to, size_t *to_count, void *from,
			   size_t count, size_t size)
{
	void *copy;

	if (!results->live) {
		memcpy(to, &from, sizeof(from));
		*to_count = count;
		return PK_OK;
	}
	if (!count)
		return PK_OK;
	if (count > *to_count)
		PK_TRY(pk_extend_array(to, to_count, count - 1, size));
	memcpy(&copy, to, sizeof(copy));
	memcpy(copy, from, count * size);
	return PK_OK;
}

/* Sets results->shown. The numbers are copied if they can change later. */
static enum pk_status show_numbers(struct results *results)
{
	PK_TRY(show(results, &results->shown.counts, &results->shown.counts_count, results->counts,
		    results->counts_count, sizeof(*results->counts)));
	PK_TRY(show(results, &results->shown.latencies, &results->shown.latencies_count,
		    results->latencies, results->latencies_count, sizeof(*results->latencies)));
	return show(results, &results->shown.inclusive, &results->shown.inclusive_count,
		    results->inclusive.weights, results->inclusive.count,
		    sizeof(*results->inclusive.weights));
}

enum pk_status pk_results_sort(struct results *results, const struct results_options *options)
{
	for (size_t i = 0; i < results->sheets_count; i++)
		PK_TRY(sort_sheet(results, &results->sheets[i], options));
	return PK_OK;
}

enum pk_status pk_results_finish(struct results *results, const struct results_options *options)
{
	struct layout *layout = results->layout;

	PK_TRY(show_numbers(results));
	for (unsigned int i = 0; i < layout->measures_count; i++)
		PK_TRY(pk_measure_finish(&layout->measures[i]));
	pk_results_free_lines(results);
	PK_TRY(pk_results_make_lines(results));
	if (layout->has_differences)
		PK_TRY(pk_differences_make(results));
	PK_TRY(pk_results_sort(results, options));
	return results->has_forest
		       ? pk_forest_index(&results->forest, pk_rows_count(&results->rows))
		       : PK_OK;
}
