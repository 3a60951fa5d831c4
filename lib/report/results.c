// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_names.h"
#include "report_layout.h"
#include "result_lines.h"
#include "results.h"
#include "vector.h"
#include "weights.h"

/* Merges the rows of `order`, which are sorted, with the sorted rows in `added`. */
static void merge(const struct row_order *order, const uint32_t *added, size_t added_count,
		  uint32_t *out, row_order_compare *compare, void *arg)
{
	size_t old = 0, new = 0;

	while (old < order->count || new < added_count) {
		const bool first =
			new == added_count ||
			(old < order->count && compare(&order->rows[old], &added[new], arg) < 0);

		*out++ = first ? order->rows[old++] : added[new ++];
	}
}

enum pk_status pk_row_order_extend(struct row_order *order, size_t count,
				   row_order_compare *compare, void *arg)
{
	size_t more;
	uint32_t *added, *rows, *ranks;

	if (count < order->count)
		pk_row_order_free(order);
	more = count - order->count;
	if (!more)
		return PK_OK;
	added = calloc(more, sizeof(*added));
	rows = calloc(count, sizeof(*rows));
	ranks = calloc(count + 1, sizeof(*ranks));
	if (!added || !rows || !ranks) {
		free(added);
		free(rows);
		free(ranks);
		return PK_NOMEM;
	}
	for (size_t i = 0; i < more; i++)
		added[i] = (uint32_t)(order->count + i + 1);
	qsort_r(added, more, sizeof(*added), compare, arg);
	merge(order, added, more, rows, compare, arg);
	for (size_t i = 0; i < count; i++)
		ranks[rows[i]] = (uint32_t)i;
	free(added);
	pk_row_order_free(order);
	*order = (struct row_order){rows, ranks, count};
	return PK_OK;
}

void pk_row_order_free(struct row_order *order)
{
	free(order->rows);
	free(order->ranks);
	*order = (struct row_order){0};
}

/* ---- Comparisons ---- */

/* The numbers of --diff. As in perf diff, they are calculated from the weights that a line has on
 * the two sides. */

struct comparison {
	struct comparison_side {
		bool present;		/* the line has samples on this side */
		uint64_t weight, total; /* weight of the line, and weight of the table */
	} current, base;
};

static double percent_of(const struct comparison_side *side)
{
	return side->total ? 100.0 * (double)side->weight / (double)side->total : 0;
}

static struct pk_wide times(uint64_t weight, int64_t factor)
{
	return pk_wide_multiply(pk_wide_of_u64(weight), pk_wide_of(factor));
}

static struct pk_wide weighted(const struct comparison *comparison, const struct column *column)
{
	return pk_wide_subtract(times(comparison->current.weight, column->new_weight),
				times(comparison->base.weight, column->base_weight));
}

/* Returns 2 if the value is known. Returns 1 if it is unknown because the base has no samples, and
 * 0 if it is unknown because the new side has none. */
static int rank(const struct comparison *comparison, enum column_kind kind)
{
	switch (kind) {
	case COLUMN_BASELINE: return comparison->base.present ? 2 : 1;
	case COLUMN_BASE_PERIOD: return 2;
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS: return comparison->current.present ? 2 : 0;
	default: break;
	}
	if (!comparison->current.present)
		return 0;
	return comparison->base.present ? 2 : 1;
}

/* Returns the value of a column that compares two sides. The value is NONE if a side that is needed
 * for the value has no samples. */
static struct pk_amount comparison_value(const struct comparison *comparison,
					 const struct column *column)
{
	const struct comparison_side *base = &comparison->base, *current = &comparison->current;

	if (rank(comparison, column->kind) < 2)
		return (struct pk_amount){0};
	switch (column->kind) {
	case COLUMN_BASELINE: return pk_amount_real(percent_of(base));
	case COLUMN_BASE_PERIOD: return pk_amount_of_u64(base->weight);
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS: return pk_amount_real(percent_of(current) - percent_of(base));
	case COLUMN_RATIO:
		if (!base->weight)
			return (struct pk_amount){0};
		return pk_amount_real((double)current->weight / (double)base->weight);
	case COLUMN_WDIFF: return pk_amount_of(weighted(comparison, column));
	default: return (struct pk_amount){0};
	}
}

/* Compares two values. If the value needs samples on both sides, lines without samples on the new
 * side are the smallest, then lines without samples on the base. All other lines are greater. */
static int comparison_compare(const struct comparison *a, const struct comparison *b,
			      const struct column *column)
{
	const int left_rank = rank(a, column->kind), right_rank = rank(b, column->kind);
	struct pk_amount left = comparison_value(a, column), right = comparison_value(b, column);

	if (left_rank != right_rank)
		return left_rank < right_rank ? -1 : 1;
	if (column->kind == COLUMN_DELTA_ABS && left_rank == 2) {
		left.real = fabs(left.real);
		right.real = fabs(right.real);
	}
	return pk_amount_compare(&left, &right);
}

/* ---- Counting ---- */

/* Adds the sample to the measures. Only the event of the sample is counted here, because the other
 * events of its group have no fields of their own. */
static enum pk_status add_measures(struct results *results, uint32_t row, struct pk_view *view)
{
	struct layout *layout = results->layout;

	for (unsigned int i = 0; i < layout->measures_count && view->counted == view->event; i++)
		PK_TRY(pk_measure_add(&layout->measures[i], row, view));
	return PK_OK;
}

static enum pk_status add_latency(struct results *results, uint32_t row, const struct pk_view *view)
{
	PK_TRY(pk_extend(&results->latencies, &results->latencies_count, row));
	results->latencies[row] += pk_view_latency(view);
	return PK_OK;
}

/* Returns what two recordings must have in common so that the weights of an event can be compared.
 * If the weight is not the period, the sampling rate must be the same, except for shares. */
static uint64_t sampling_method(const struct results *results, const struct perf_attr *attr)
{
	const uint64_t flags = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL |
			       PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_IDLE |
			       PERF_ATTR_EXCLUDE_HOST | PERF_ATTR_EXCLUDE_GUEST;
	const bool rate = results->counts_samples && results->blocks.unit != ROW_UNIT_SHARE;

	return (attr->flags & flags) ^ (rate ? attr->sample_period * 2 + 1 : 0) << 32;
}

/* Adds a sample to the blocks of its row. `leaf` says that the row is on the deepest level. */
static enum pk_status add_to_block(struct results *results, uint32_t row,
				   const struct pk_view *view, uint64_t weight, bool leaf)
{
	const uint16_t at = view->event->layout.time;
	struct row_sample sample = {.row = row,
				    .event = pk_results_event_of(results, row),
				    .weight = weight,
				    .squares = (double)weight * (double)weight,
				    .summary = !leaf};

	sample.method = sampling_method(results, &view->counted->attr);
	sample.has_time = at && at + 8u <= view->record->size;
	if (sample.has_time)
		sample.time = pk_load_u64(view->record->data + at);
	return pk_row_blocks_add(&results->blocks, results->side, &sample);
}

/* Counts a sample in a row. Returns PK_NOMEM if memory is exhausted. `row` is 0 if memory was
 * exhausted when the caller made the row. */
static enum pk_status count_in_row(struct results *results, uint32_t row, struct pk_view *view,
				   uint64_t weight, bool leaf)
{
	if (!row)
		return PK_NOMEM;
	PK_TRY(pk_extend(&results->counts, &results->counts_count, row));
	results->counts[row].weight += weight;
	results->counts[row].samples++;
	PK_TRY(add_measures(results, row, view));
	if (results->layout->has_differences)
		PK_TRY(add_to_block(results, row, view, weight, leaf));
	return results->layout->has_latency ? add_latency(results, row, view) : PK_OK;
}

/* The number of frames of a stack whose calls are counted, from the innermost one on. */
#define CALLS_MOST 128

/* Counts the calls of a stack. */
static enum pk_status add_calls(struct results *results, struct pk_view *view, uint64_t weight)
{
	const struct pk_stack_source *source = &view->context->stacks;
	struct pk_stack_walk walk = pk_source_frames(source, pk_view_stack(view));
	uint32_t stack[CALLS_MOST];
	size_t count = 0, size;

	while (count < CALLS_MOST && pk_stack_next(&walk)) {
		const char *name = walk.kind == PK_FRAME_IS_CODE
					   ? pk_dictionary_get_string(walk.dictionary,
								      walk.frame->function, &size)
					   : NULL;

		if (!name)
			continue;
		stack[count] = pk_texts_add(&results->rows.texts, name, size);
		if (!stack[count++])
			return PK_NOMEM;
	}
	return pk_renames_add(&results->calls, !results->side, stack, count, weight);
}

/* Returns the row of an upper level that summarizes `row`, or 0 if memory is exhausted. */
static uint32_t row_above(struct results *results, uint32_t row, unsigned int level)
{
	const struct layout *layout = results->layout;
	const size_t at = (size_t)row * (layout->levels_count - 1) + level;

	if (pk_extend(&results->above, &results->above_count, at) != PK_OK)
		return 0;
	if (!results->above[at])
		results->above[at] = pk_rows_above(&results->rows, row, layout->levels[level]);
	return results->above[at];
}

enum pk_status pk_results_add(struct results *results, const struct pk_groups *groups,
			      uint32_t group, struct pk_view *view, uint64_t weight)
{
	const uint32_t row = pk_rows_of(&results->rows, groups, group, pk_view_mode(view));

	PK_TRY(count_in_row(results, row, view, weight, true));
	if (results->counts[row].samples == 1)
		PK_TRY(pk_results_add_event(results, row, view->counted->index));
	if (results->match_renamed)
		PK_TRY(add_calls(results, view, weight));
	for (unsigned int level = 0; level + 1 < results->layout->levels_count; level++)
		PK_TRY(count_in_row(results, row_above(results, row, level), view, weight, false));
	return results->layout->has_tasks ? pk_task_names_sample(results->tasks, view) : PK_OK;
}

static uint32_t number_of_name(struct results *results, const struct pk_events *events,
			       const struct pk_event *event)
{
	struct buffer name = {0};
	uint32_t number = 0;

	pk_event_name_add(&name, events, event);
	if (!name.failed)
		number = pk_texts_add(&results->rows.texts, name.data, name.size);
	free(name.data);
	return number;
}

enum pk_status pk_results_set_leader(struct results *results, const struct pk_events *events,
				     const struct pk_event *leader, const struct pk_event *member)
{
	const uint32_t first = number_of_name(results, events, leader);
	const uint32_t event = first ? number_of_name(results, events, member) : 0;

	if (!event)
		return PK_NOMEM;
	return pk_table_set_u64(&results->leaders, event, first);
}

/* ---- Values ---- */

const char *pk_results_event(const struct results *results, uint32_t event, size_t *size)
{
	return pk_texts_get(&results->rows.texts, event, size);
}

static uint64_t weight_of(const struct results *results, uint32_t row)
{
	return results_count(results, row).weight;
}

static uint64_t inclusive_of(const struct results *results, uint32_t row)
{
	return row < results->shown.inclusive_count ? results->shown.inclusive[row] : 0;
}

uint64_t pk_results_weight(const struct results *results, uint32_t row)
{
	return results->has_children ? inclusive_of(results, row) : weight_of(results, row);
}

static struct pk_amount percent(uint64_t part, uint64_t all)
{
	return pk_amount_real(all ? 100.0 * (double)part / (double)all : 0);
}

static struct pk_amount field_value(const struct results *results, const struct column *column,
				    uint32_t row)
{
	const struct pk_row_value value = pk_rows_value(&results->rows, row, column->field);
	struct pk_amount amount = {.kind = PK_AMOUNT_TEXT};

	if (value.kind == PK_VALUE_NONE)
		return (struct pk_amount){0};
	if (value.kind != PK_VALUE_TEXT)
		amount = pk_amount_of(pk_kind_is_signed(value.kind)
					      ? pk_wide_of((int64_t)value.number)
					      : pk_wide_of_u64(value.number));
	amount.text = (const char *)value.text.data;
	amount.size = value.text.size;
	return amount;
}

/* Returns the numbers of a line on the two sides that a column compares. */
static struct comparison comparison_of(const struct results *results, const struct sheet *sheet,
				       const struct column *column, uint32_t line)
{
	const uint32_t row = results_row(results, line, 0);
	const uint32_t base = results_row(results, line, column->base);

	return (struct comparison){
		.current = {results_count(results, row).samples > 0, weight_of(results, row),
			    sheet->sets[0].weight},
		.base = {results_count(results, base).samples > 0, weight_of(results, base),
			 sheet->sets[column->base].weight},
	};
}

static struct pk_amount difference_value(const struct difference *difference,
					 const struct column *column)
{
	const char *word = pk_difference_word(difference->mark);
	double value;

	switch (column->kind) {
	case COLUMN_BASE_RATE: value = difference->base; break;
	case COLUMN_RATE: value = difference->current; break;
	case COLUMN_CHANGE: value = difference->change; break;
	case COLUMN_CHANGE_LOW: value = difference->low; break;
	case COLUMN_CHANGE_HIGH: value = difference->high; break;
	case COLUMN_DISCOVERY: value = difference->discovery; break;
	case COLUMN_DETECTABLE: value = difference->detectable; break;
	case COLUMN_NEEDS:
		if (!(difference->needs < 1e18))
			return (struct pk_amount){0};
		return pk_amount_of_u64((uint64_t)difference->needs);
	default:
		return (struct pk_amount){
			.kind = PK_AMOUNT_TEXT, .text = word, .size = strlen(word)};
	}
	return isfinite(value) ? pk_amount_real(value) : (struct pk_amount){0};
}

/* Compares two lines by a column. Changed lines are greater than unknown ones, and these are
 * greater than unchanged ones. Lines with the same mark have the order of their absolute changes.
 */
static int difference_compare(const struct difference *a, const struct difference *b,
			      const struct column *column)
{
	struct pk_amount left = difference_value(a, column), right = difference_value(b, column);

	if (column->kind == COLUMN_MARK) {
		if (a->mark != b->mark)
			return a->mark < b->mark ? -1 : 1;
		left = pk_amount_real(fabs(a->current - a->base));
		right = pk_amount_real(fabs(b->current - b->base));
	}
	return pk_amount_compare(&left, &right);
}

static struct pk_amount number_value(const struct results *results, const struct sheet_set *set,
				     const struct column *column, uint32_t row)
{
	switch (column->kind) {
	case COLUMN_SHARE: return percent(weight_of(results, row), set->weight);
	case COLUMN_CHILDREN: return percent(inclusive_of(results, row), set->weight);
	case COLUMN_SAMPLES: return pk_amount_of_u64(results_count(results, row).samples);
	case COLUMN_PERIOD: return pk_amount_of_u64(weight_of(results, row));
	case COLUMN_LATENCY: return percent(results_latency(results, row), set->latency);
	case COLUMN_AGGREGATE:
		return pk_measure_get(&results->layout->measures[column->measure], row,
				      &column->aggregate);
	default: return (struct pk_amount){0};
	}
}

/* Returns whether the number is 0 for an event without samples. Other numbers are missing in this
 * case. */
static bool is_zero_without_samples(const struct column *column)
{
	return column->kind != COLUMN_AGGREGATE || column->aggregate.kind == PK_AGGREGATE_COUNT ||
	       column->aggregate.kind == PK_AGGREGATE_DISTINCT;
}

struct pk_amount pk_results_value(const struct results *results, const struct sheet *sheet,
				  const struct column *column, uint32_t line, unsigned int set)
{
	const enum layout_sets sets = results->layout->sets;
	struct comparison comparison;
	uint32_t row;

	if (column->kind == COLUMN_FIELD)
		return field_value(results, column, results_any_row(results, line));
	if (column_is_difference(column))
		return difference_value(pk_difference_of(results, line, column->base), column);
	if (column->base) {
		comparison = comparison_of(results, sheet, column, line);
		return comparison_value(&comparison, column);
	}
	if (column->kind == COLUMN_AGGREGATE && aggregate_compares(&column->aggregate))
		return pk_measure_compare(&results->layout->measures[column->measure],
					  results_row(results, line, 1),
					  results_row(results, line, 0), &column->aggregate);
	if (column->kind == COLUMN_AGGREGATE && column->aggregate.of_base)
		set = 1;
	row = results_row(results, line, set);
	if (!row && (sets == SETS_SIDES || !is_zero_without_samples(column)))
		return (struct pk_amount){0};
	if (!row)
		return pk_column_is_share(column) ? pk_amount_real(0) : pk_amount_of_u64(0);
	return number_value(results, &sheet->sets[set], column, row);
}

int pk_results_compare(const struct results *results, const struct sheet *sheet,
		       const struct column *column, uint32_t a, uint32_t b)
{
	struct comparison left, right;

	if (column_is_difference(column))
		return difference_compare(pk_difference_of(results, a, column->base),
					  pk_difference_of(results, b, column->base), column);
	left = comparison_of(results, sheet, column, a);
	right = comparison_of(results, sheet, column, b);
	return comparison_compare(&left, &right, column);
}

unsigned int pk_results_sets(const struct results *results, const struct sheet *sheet,
			     const struct column *column)
{
	return results->layout->sets == SETS_EVENTS && column->kind != COLUMN_FIELD
		       ? sheet->sets_count
		       : 1;
}

/* Returns the kind of a sum or an average of values. The sum of addresses is not an address, and
 * the average of error numbers is not an error number. */
static enum pk_value_kind sum_kind(enum pk_value_kind kind)
{
	if (pk_kind_is_hex(kind) || pk_kind_has_names(kind))
		return PK_VALUE_NUMBER;
	return kind;
}

static enum pk_value_kind aggregate_kind(const struct results *results, const struct column *column)
{
	const enum pk_value_kind kind = results->layout->measures[column->measure].kind;

	switch (column->aggregate.kind) {
	case PK_AGGREGATE_COUNT:
	case PK_AGGREGATE_NONZERO:
	case PK_AGGREGATE_DISTINCT:
	case PK_AGGREGATE_GREATER:
	case PK_AGGREGATE_GREATER_P: return PK_VALUE_NUMBER;
	case PK_AGGREGATE_MAX_TIME: return PK_VALUE_TIME;
	case PK_AGGREGATE_STDDEV: return kind == PK_VALUE_TIME ? PK_VALUE_DURATION : sum_kind(kind);
	case PK_AGGREGATE_SUM:
	case PK_AGGREGATE_PEAK:
	case PK_AGGREGATE_AVG: return sum_kind(kind);
	default: return kind;
	}
}

enum pk_value_kind pk_results_kind(const struct results *results, const struct column *column,
				   uint32_t line)
{
	switch (column->kind) {
	case COLUMN_FIELD:
		return pk_rows_kind(&results->rows, results_any_row(results, line), column->field);
	case COLUMN_AGGREGATE: return aggregate_kind(results, column);
	default: return PK_VALUE_NUMBER;
	}
}

/* ---- All ---- */

void pk_results_free_shown(struct results *results)
{
	if (results->live) {
		free(results->shown.counts);
		free(results->shown.latencies);
		free(results->shown.inclusive);
	}
	memset(&results->shown, 0, sizeof(results->shown));
}

void pk_results_free(struct results *results)
{
	pk_rows_free(&results->rows);
	pk_results_free_shown(results);
	free(results->counts);
	free(results->latencies);
	pk_inclusive_free(&results->inclusive);
	pk_forest_free(&results->forest);
	pk_results_free_lines(results);
	pk_row_order_free(&results->order);
	pk_row_blocks_free(&results->blocks);
	free(results->differences);
	free(results->renames);
	pk_renames_free(&results->calls);
	free(results->sheets);
	free(results->events);
	free(results->above);
	pk_table_free(&results->event_numbers);
	pk_table_free(&results->leaders);
}

void pk_results_clear(struct results *results)
{
	struct layout *layout = results->layout;
	struct results empty = {.layout = layout,
				.tasks = results->tasks,
				.rows.columns_count = results->rows.columns_count,
				.live = results->live,
				.has_children = results->has_children,
				.has_forest = results->has_forest};

	for (unsigned int i = 0; i < layout->measures_count; i++)
		pk_measure_clear(&layout->measures[i]);
	pk_forest_clear(&results->forest);
	empty.forest = results->forest;
	results->forest = (struct forest){0};
	pk_inclusive_clear(&results->inclusive);
	empty.inclusive = results->inclusive;
	results->inclusive = (struct pk_inclusive){0};
	pk_results_free(results);
	*results = empty;
}
