// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "field_measure.h"
#include "vector.h"

/* ---- Quantiles ---- */

#define EXACT_BITS 7 /* numbers with up to this many bits have a bucket each */
#define SUB_BITS   (EXACT_BITS - 1)
#define ROW_SHIFT  13
/* This bit is set if the number is not negative, so that buckets are sorted. */
#define SIGN	  (1u << (ROW_SHIFT - 1))
#define MAGNITUDE (SIGN - 1)

/* ---- Buckets ---- */

static uint32_t bucket_of_magnitude(uint64_t value)
{
	unsigned int shift;

	if (value >> EXACT_BITS == 0)
		return (uint32_t)value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - SUB_BITS;
	return (shift << SUB_BITS) + (uint32_t)(value >> shift);
}

/* Returns the number in the middle of a bucket. */
static uint64_t middle(uint32_t bucket)
{
	const unsigned int shift = bucket >> EXACT_BITS ? (bucket >> SUB_BITS) - 1 : 0;
	const uint64_t low = (uint64_t)(bucket - (shift << SUB_BITS)) << shift;

	return low + (shift ? UINT64_C(1) << (shift - 1) : 0);
}

static uint32_t bucket_of(struct pk_wide value)
{
	if (value.high < 0)
		return MAGNITUDE - bucket_of_magnitude(pk_wide_negate(value).low);
	return SIGN | bucket_of_magnitude(value.low);
}

static struct pk_wide number_of(uint32_t bucket)
{
	if (bucket & SIGN)
		return pk_wide_of_u64(middle(bucket & MAGNITUDE));
	return pk_wide_negate(pk_wide_of_u64(middle(MAGNITUDE - bucket)));
}

/* ---- Counting ---- */

enum pk_status pk_quantiles_add(struct pk_quantiles *quantiles, uint32_t row, struct pk_wide value)
{
	const uint64_t key = (uint64_t)row << ROW_SHIFT | bucket_of(value);
	const uint64_t count = pk_table_get_u64(&quantiles->counts, key);

	return pk_table_set_u64(&quantiles->counts, key, count + 1);
}

/* Changes the numbers of the rows. See pk_renumber() for `to` and `count`. */
static enum pk_status quantiles_renumber(struct pk_quantiles *quantiles, const uint32_t *to,
					 uint32_t count)
{
	struct pk_table counts = {0};
	const struct pk_table_slot *slot;
	size_t cursor = 0;
	enum pk_status status = PK_OK;

	while (status == PK_OK && (slot = pk_table_next(&quantiles->counts, &cursor))) {
		const uint64_t row = slot->key >> ROW_SHIFT;
		const uint64_t bucket = slot->key & (SIGN | MAGNITUDE);

		if (row <= count && to[row])
			status = pk_table_set_u64(&counts, (uint64_t)to[row] << ROW_SHIFT | bucket,
						  slot->value);
	}
	pk_table_free(&quantiles->counts);
	quantiles->counts = counts;
	return status;
}

static int compare(const void *left, const void *right)
{
	const struct pk_quantile_cell *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

enum pk_status pk_quantiles_sort(struct pk_quantiles *quantiles)
{
	const struct pk_table_slot *slot;
	struct pk_quantile_cell *cells = malloc((quantiles->counts.count + 1) * sizeof(*cells));
	size_t n = 0, cursor = 0;

	if (!cells)
		return PK_NOMEM;
	while ((slot = pk_table_next(&quantiles->counts, &cursor)))
		cells[n++] = (struct pk_quantile_cell){slot->key, slot->value};
	qsort(cells, n, sizeof(*cells), compare);
	for (size_t i = 1; i < n; i++)
		if (cells[i].key >> ROW_SHIFT == cells[i - 1].key >> ROW_SHIFT)
			cells[i].rank += cells[i - 1].rank;
	free(quantiles->cells);
	quantiles->cells = cells;
	quantiles->cells_count = n;
	return PK_OK;
}

/* Returns the index of the first cell of the row. If the row has no cells, it is the first cell of
 * a later row. */
static size_t first_of(const struct pk_quantiles *quantiles, uint64_t row)
{
	size_t low = 0, high = quantiles->cells_count;

	while (low < high) {
		const size_t half = low + (high - low) / 2;

		if (quantiles->cells[half].key >> ROW_SHIFT < row)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

static uint32_t bucket_at(const struct pk_quantiles *quantiles, size_t at)
{
	return (uint32_t)(quantiles->cells[at].key & (SIGN | MAGNITUDE));
}

bool pk_quantiles_get(const struct pk_quantiles *quantiles, uint32_t row, double share,
		      struct pk_wide *value)
{
	const size_t end = first_of(quantiles, row + UINT64_C(1));

	if (first_of(quantiles, row) == end)
		return false;
	return pk_quantiles_ranked(quantiles, row,
				   (uint64_t)ceil(share * (double)quantiles->cells[end - 1].rank),
				   value);
}

bool pk_quantiles_ranked(const struct pk_quantiles *quantiles, uint32_t row, uint64_t rank,
			 struct pk_wide *value)
{
	const size_t end = first_of(quantiles, row + UINT64_C(1));
	size_t at = first_of(quantiles, row);

	if (at == end)
		return false;
	while (at + 1 < end && quantiles->cells[at].rank < rank)
		at++;
	*value = number_of(bucket_at(quantiles, at));
	return true;
}

/* Returns the number of values of the cell. `first` is the first cell of its row. */
static uint64_t count_at(const struct pk_quantiles *quantiles, size_t at, size_t first)
{
	return quantiles->cells[at].rank - (at > first ? quantiles->cells[at - 1].rank : 0);
}

struct pk_rank_comparison pk_quantiles_compare(const struct pk_quantiles *quantiles, uint32_t base,
					       uint32_t current)
{
	const size_t first[] = {first_of(quantiles, base), first_of(quantiles, current)};
	const size_t end[] = {first_of(quantiles, base + UINT64_C(1)),
			      first_of(quantiles, current + UINT64_C(1))};
	size_t at[] = {first[0], first[1]};
	struct pk_rank_sums sums = {0};

	while (at[0] < end[0] || at[1] < end[1]) {
		const uint32_t left = at[0] < end[0] ? bucket_at(quantiles, at[0]) : UINT32_MAX;
		const uint32_t right = at[1] < end[1] ? bucket_at(quantiles, at[1]) : UINT32_MAX;
		uint64_t of_base = 0, of_current = 0;

		if (left <= right)
			of_base = count_at(quantiles, at[0]++, first[0]);
		if (right <= left)
			of_current = count_at(quantiles, at[1]++, first[1]);
		pk_rank_sums_add(&sums, of_base, of_current);
	}
	return pk_rank_sums_compare(&sums);
}

void pk_quantiles_free(struct pk_quantiles *quantiles)
{
	pk_table_free(&quantiles->counts);
	free(quantiles->cells);
	*quantiles = (struct pk_quantiles){0};
}

/* ---- Aggregates ---- */

/* The names of aggregates. The percentiles in this list are only examples, because all from p0 to
 * p100 are possible. */
static const struct {
	const char *name;
	enum pk_aggregate_kind kind;
} names[] = {
	{"count", PK_AGGREGATE_COUNT},	     {"sum", PK_AGGREGATE_SUM},
	{"avg", PK_AGGREGATE_AVG},	     {"min", PK_AGGREGATE_MIN},
	{"max", PK_AGGREGATE_MAX},	     {"stddev", PK_AGGREGATE_STDDEV},
	{"distinct", PK_AGGREGATE_DISTINCT}, {"first", PK_AGGREGATE_FIRST},
	{"last", PK_AGGREGATE_LAST},	     {"peak", PK_AGGREGATE_PEAK},
	{"maxtime", PK_AGGREGATE_MAX_TIME},  {"nonzero", PK_AGGREGATE_NONZERO},
	{"p50", PK_AGGREGATE_QUANTILE},	     {"p90", PK_AGGREGATE_QUANTILE},
	{"p99", PK_AGGREGATE_QUANTILE},	     {"p99.9", PK_AGGREGATE_QUANTILE},
	{"greater", PK_AGGREGATE_GREATER},   {"greater-p", PK_AGGREGATE_GREATER_P},
};

#define NAMES_COUNT (sizeof(names) / sizeof(names[0]))

const char *pk_aggregate_name(size_t index)
{
	return index < NAMES_COUNT ? names[index].name : NULL;
}

/* Parses p50, p99.9 and other percentiles. */
static bool parse_percentile(struct pk_aggregate *aggregate, const char *text, size_t size)
{
	double percent = 0, unit = 1;
	bool fraction = false, digit = false;

	if (size < 2 || size > 16 || *text != 'p')
		return false;
	for (size_t i = 1; i < size; i++) {
		if (text[i] == '.' && digit && !fraction) {
			fraction = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return false;
		digit = true;
		percent = percent * 10 + (text[i] - '0');
		unit *= fraction ? 10 : 1;
	}
	*aggregate =
		(struct pk_aggregate){.kind = PK_AGGREGATE_QUANTILE, .share = percent / unit / 100};
	return digit && aggregate->share <= 1;
}

/* Removes a suffix of a text. Returns whether the text has it. */
static bool cut_suffix(const char *text, size_t *size, const char *suffix)
{
	const size_t length = strlen(suffix);

	if (*size < length || memcmp(text + *size - length, suffix, length) != 0)
		return false;
	*size -= length;
	return true;
}

/* Parses a percentile, and the ends of its interval, such as p99-low. */
static bool parse_interval(struct pk_aggregate *aggregate, const char *text, size_t size)
{
	const int end = cut_suffix(text, &size, "-low") ? -1 : cut_suffix(text, &size, "-high");

	if (!parse_percentile(aggregate, text, size))
		return false;
	aggregate->end = end;
	return true;
}

static bool parse_name(struct pk_aggregate *aggregate, const char *text, size_t size)
{
	for (size_t i = 0; i < NAMES_COUNT; i++) {
		if (names[i].kind == PK_AGGREGATE_QUANTILE || strlen(names[i].name) != size ||
		    memcmp(names[i].name, text, size) != 0)
			continue;
		*aggregate = (struct pk_aggregate){.kind = names[i].kind};
		return true;
	}
	return parse_interval(aggregate, text, size);
}

bool pk_aggregate_parse(struct pk_aggregate *aggregate, const char *text, size_t size)
{
	const size_t prefix = strlen("base-");

	if (size <= prefix || memcmp(text, "base-", prefix) != 0)
		return parse_name(aggregate, text, size);
	if (!parse_name(aggregate, text + prefix, size - prefix))
		return false;
	aggregate->of_base = true;
	return !aggregate_compares(aggregate);
}

/* ---- Measures ---- */

static uint64_t time_of(const struct pk_view *view)
{
	const uint16_t at = view->event->layout.time;

	return at ? pk_load_u64(view->record->data + at) : 0;
}

/* Updates the mean and the squared differences from it. Call it after moments->count was updated.
 */
static void add_deviation(struct pk_moments *moments, struct pk_wide value)
{
	double real, before;

	if (moments->count == 1)
		moments->base = value;
	real = pk_wide_real(pk_wide_subtract(value, moments->base));
	before = real - moments->mean;
	moments->mean += before / (double)moments->count;
	moments->squares += before * (real - moments->mean);
}

static void add_moment(struct pk_moments *moments, struct pk_wide value, const struct pk_view *view)
{
	if (!moments->count || pk_wide_less(value, moments->min))
		moments->min = value;
	if (!moments->count || pk_wide_less(moments->max, value)) {
		moments->max = value;
		moments->max_time = time_of(view);
	}
	moments->count++;
	moments->nonzero += !pk_wide_is_zero(value);
	moments->sum = pk_wide_add(moments->sum, value);
}

/* Returns the number of a text in measure->texts, or 0 if memory is exhausted. */
static uint64_t name_text(struct pk_measure *measure, struct pk_context *context,
			  const struct pk_binding *binding, uint64_t key)
{
	uint64_t number = pk_table_get_u64(&measure->names, key);
	const char *text;
	size_t size = 0;

	if (number)
		return number;
	text = pk_key_text(context, binding, key, &size);
	number = pk_texts_add(&measure->texts, text ? text : "", text ? size : 0);
	return number && pk_table_set_u64(&measure->names, key, number) == PK_OK ? number : 0;
}

static enum pk_status add_distinct(struct pk_measure *measure, uint32_t row, bool text,
				   uint64_t value)
{
	const uint64_t pair[] = {(uint64_t)row << 1 | text, value};
	const size_t before = measure->pairs.count;
	struct pk_measure_pair *recent = &measure->recent[(row ^ value) % PK_MEASURE_RECENT];

	if (recent->row_text == pair[0] && recent->value == value)
		return PK_OK;
	if (!pk_texts_add(&measure->pairs, (const char *)pair, sizeof(pair)))
		return PK_NOMEM;
	PK_TRY(pk_extend(&measure->distinct, &measure->distinct_count, row));
	measure->distinct[row] += measure->pairs.count - before;
	*recent = (struct pk_measure_pair){pair[0], value};
	return PK_OK;
}

static enum pk_status add_end(struct pk_measure *measure, uint32_t row, bool text,
			      struct pk_wide value)
{
	const struct pk_measure_end end = {value, true, text};

	PK_TRY(pk_extend(&measure->ends, &measure->ends_count, row));
	if (!measure->ends[row].first.known)
		measure->ends[row].first = end;
	measure->ends[row].last = end;
	return PK_OK;
}

/* Updates the largest sum of a row. Call it after add_moment(). */
static enum pk_status add_peak(struct pk_measure *measure, uint32_t row)
{
	const struct pk_moments *moments = &measure->moments[row];

	PK_TRY(pk_extend(&measure->peaks, &measure->peaks_count, row));
	if (moments->count == 1 || pk_wide_less(measure->peaks[row], moments->sum))
		measure->peaks[row] = moments->sum;
	return PK_OK;
}

/* Adds a value to the different values and to the first and last values, if they are needed. */
static enum pk_status add_value(struct pk_measure *measure, uint32_t row, bool text,
				struct pk_wide value)
{
	if (measure->distinct_needed)
		PK_TRY(add_distinct(measure, row, text, value.low));
	return measure->ends_needed ? add_end(measure, row, text, value) : PK_OK;
}

static enum pk_status add_text(struct pk_measure *measure, uint32_t row, struct pk_view *view,
			       const struct pk_binding *binding)
{
	uint64_t key, number;

	if (!pk_view_key(view, binding, &key))
		return view->context->failed ? PK_NOMEM : PK_OK;
	PK_TRY(pk_extend(&measure->moments, &measure->moments_count, row));
	measure->moments[row].count++;
	if (!measure->distinct_needed && !measure->ends_needed)
		return PK_OK;
	number = name_text(measure, view->context, binding, key);
	if (!number)
		return PK_NOMEM;
	return add_value(measure, row, true, pk_wide_of_u64(number));
}

enum pk_status pk_measure_add(struct pk_measure *measure, uint32_t row, struct pk_view *view)
{
	const struct pk_binding *binding =
		pk_column_bind(&measure->column, view->context, view->event);
	struct pk_wide value;

	if (!binding)
		return PK_NOMEM;
	if (binding->kind == PK_VALUE_TEXT)
		return add_text(measure, row, view, binding);
	if (!pk_view_number(view, binding, &value))
		return view->context->failed ? PK_NOMEM : PK_OK;
	measure->kind = binding->kind;
	PK_TRY(pk_extend(&measure->moments, &measure->moments_count, row));
	add_moment(&measure->moments[row], value, view);
	if (measure->deviation_needed)
		add_deviation(&measure->moments[row], value);
	if (measure->quantiles_needed)
		PK_TRY(pk_quantiles_add(&measure->quantiles, row, value));
	if (measure->peaks_needed)
		PK_TRY(add_peak(measure, row));
	return measure->distinct_needed || measure->ends_needed
		       ? add_value(measure, row, false, value)
		       : PK_OK;
}

void pk_measure_forget_keys(struct pk_measure *measure)
{
	pk_table_clear(&measure->names);
}

enum pk_status pk_measure_finish(struct pk_measure *measure)
{
	return measure->quantiles_needed ? pk_quantiles_sort(&measure->quantiles) : PK_OK;
}

/* ---- Changing the numbers of rows ---- */

/* Copies a text to `texts`, and sets *value to its number in `texts`. */
static enum pk_status copy_text(struct pk_texts *texts, const struct pk_texts *from,
				uint64_t *value)
{
	size_t size;
	const char *text = pk_texts_get(from, (uint32_t)*value, &size);

	*value = pk_texts_add(texts, text, size);
	return *value ? PK_OK : PK_NOMEM;
}

static enum pk_status copy_end(struct pk_texts *texts, const struct pk_texts *from,
			       struct pk_measure_end *end)
{
	return end->text ? copy_text(texts, from, &end->value.low) : PK_OK;
}

/* Copies the pairs of a row and a value, except for rows that are dropped. */
static enum pk_status copy_pairs(struct pk_measure *measure, struct pk_texts *texts,
				 struct pk_texts *pairs, const uint32_t *to, uint32_t count)
{
	for (uint32_t i = 1; i <= measure->pairs.count; i++) {
		const uint64_t *old = (const void *)pk_texts_get(&measure->pairs, i, NULL);
		const uint32_t row = (uint32_t)(old[0] >> 1);
		const bool text = old[0] & 1;
		uint64_t value = old[1], pair[2];

		if (row > count || !to[row])
			continue;
		if (text)
			PK_TRY(copy_text(texts, &measure->texts, &value));
		pair[0] = (uint64_t)to[row] << 1 | text;
		pair[1] = value;
		if (!pk_texts_add(pairs, (const char *)pair, sizeof(pair)))
			return PK_NOMEM;
	}
	return PK_OK;
}

/* Removes the texts that are not a value of any row. */
static enum pk_status renumber_texts(struct pk_measure *measure, const uint32_t *to, uint32_t count)
{
	struct pk_texts texts = {0}, pairs = {0};
	enum pk_status status = copy_pairs(measure, &texts, &pairs, to, count);

	for (size_t row = 0; row < measure->ends_count && status == PK_OK; row++)
		status = copy_end(&texts, &measure->texts, &measure->ends[row].first)
				 ?: copy_end(&texts, &measure->texts, &measure->ends[row].last);
	pk_texts_free(&measure->texts);
	pk_texts_free(&measure->pairs);
	memset(measure->recent, 0, sizeof(measure->recent));
	measure->texts = texts;
	measure->pairs = pairs;
	pk_table_clear(&measure->names);
	return status;
}

enum pk_status pk_measure_renumber(struct pk_measure *measure, const uint32_t *to, uint32_t count)
{
	pk_renumber(&measure->moments, &measure->moments_count, sizeof(*measure->moments), to,
		    count);
	pk_renumber(&measure->peaks, &measure->peaks_count, sizeof(*measure->peaks), to, count);
	pk_renumber(&measure->distinct, &measure->distinct_count, sizeof(*measure->distinct), to,
		    count);
	pk_renumber(&measure->ends, &measure->ends_count, sizeof(*measure->ends), to, count);
	PK_TRY(renumber_texts(measure, to, count));
	return measure->quantiles_needed ? quantiles_renumber(&measure->quantiles, to, count)
					 : PK_OK;
}

void pk_measure_clear(struct pk_measure *measure)
{
	free(measure->moments);
	free(measure->distinct);
	free(measure->ends);
	free(measure->peaks);
	pk_quantiles_free(&measure->quantiles);
	pk_texts_free(&measure->pairs);
	pk_texts_free(&measure->texts);
	pk_table_free(&measure->names);
	*measure = (struct pk_measure){.column = measure->column,
				       .quantiles_needed = measure->quantiles_needed,
				       .distinct_needed = measure->distinct_needed,
				       .ends_needed = measure->ends_needed,
				       .peaks_needed = measure->peaks_needed,
				       .deviation_needed = measure->deviation_needed,
				       .kind = measure->kind};
}

void pk_measure_free(struct pk_measure *measure)
{
	pk_column_free(&measure->column);
	pk_measure_clear(measure);
	*measure = (struct pk_measure){0};
}

/* ---- Values ---- */

/* The probability that a quantile is not in its interval. */
#define OUTSIDE 0.05

/* Returns a quantile, or an end of its interval. The middle of a bucket can be less than the
 * minimum or greater than the maximum of the row. In these cases, the minimum or the maximum is
 * returned. */
static struct pk_amount quantile(const struct pk_measure *measure, uint32_t row,
				 const struct pk_aggregate *aggregate)
{
	const struct pk_moments *moments = &measure->moments[row];
	const struct pk_quantiles *quantiles = &measure->quantiles;
	struct pk_wide value;

	if (aggregate->end) {
		const struct pk_quantile_ranks ranks =
			pk_quantile_ranks(moments->count, aggregate->share, OUTSIDE);
		const uint64_t rank = aggregate->end < 0 ? ranks.low : ranks.high;

		if (!rank || !pk_quantiles_ranked(quantiles, row, rank, &value))
			return (struct pk_amount){0};
	} else if (!pk_quantiles_get(quantiles, row, aggregate->share, &value)) {
		return (struct pk_amount){0};
	}
	return pk_amount_of(pk_wide_min(pk_wide_max(value, moments->min), moments->max));
}

static struct pk_amount of_numbers(const struct pk_measure *measure, uint32_t row,
				   const struct pk_aggregate *aggregate)
{
	const struct pk_moments *moments = &measure->moments[row];

	switch (aggregate->kind) {
	case PK_AGGREGATE_SUM: return pk_amount_of(moments->sum);
	case PK_AGGREGATE_PEAK:
		/* If memory was exhausted, the row of the last sample can be missing in peaks. */
		return row < measure->peaks_count ? pk_amount_of(measure->peaks[row])
						  : (struct pk_amount){0};
	case PK_AGGREGATE_AVG:
		return pk_amount_real(pk_wide_real(moments->sum) / (double)moments->count);
	case PK_AGGREGATE_MIN: return pk_amount_of(moments->min);
	case PK_AGGREGATE_NONZERO: return pk_amount_of_u64(moments->nonzero);
	case PK_AGGREGATE_MAX_TIME:
		return moments->max_time ? pk_amount_of_u64(moments->max_time)
					 : (struct pk_amount){0};
	case PK_AGGREGATE_MAX: return pk_amount_of(moments->max);
	case PK_AGGREGATE_STDDEV:
		return pk_amount_real(
			moments->count < 2 ? 0
					   : sqrt(moments->squares / (double)(moments->count - 1)));
	default: return quantile(measure, row, aggregate);
	}
}

static struct pk_amount of_end(const struct pk_measure *measure, uint32_t row, bool last)
{
	const struct pk_measure_end none = {0}, *end = &none;
	struct pk_amount amount = {.kind = PK_AMOUNT_TEXT};

	if (row < measure->ends_count)
		end = last ? &measure->ends[row].last : &measure->ends[row].first;
	if (!end->known)
		return (struct pk_amount){0};
	if (!end->text)
		return pk_amount_of(end->value);
	amount.text = pk_texts_get(&measure->texts, (uint32_t)end->value.low, &amount.size);
	return amount;
}

struct pk_amount pk_measure_get(const struct pk_measure *measure, uint32_t row,
				const struct pk_aggregate *aggregate)
{
	const bool any = row < measure->moments_count && measure->moments[row].count;

	if (aggregate->kind == PK_AGGREGATE_DISTINCT)
		return pk_amount_of_u64(row < measure->distinct_count ? measure->distinct[row] : 0);
	if (aggregate->kind == PK_AGGREGATE_COUNT)
		return pk_amount_of_u64(any ? measure->moments[row].count : 0);
	if (aggregate->kind == PK_AGGREGATE_FIRST || aggregate->kind == PK_AGGREGATE_LAST)
		return of_end(measure, row, aggregate->kind == PK_AGGREGATE_LAST);
	if (!any || measure->kind == PK_VALUE_NONE)
		return (struct pk_amount){0};
	return of_numbers(measure, row, aggregate);
}

struct pk_amount pk_measure_compare(const struct pk_measure *measure, uint32_t base,
				    uint32_t current, const struct pk_aggregate *aggregate)
{
	const struct pk_rank_comparison comparison =
		pk_quantiles_compare(&measure->quantiles, base, current);
	const double value = aggregate->kind == PK_AGGREGATE_GREATER ? 100 * comparison.greater
								     : comparison.probability;

	return isnan(value) ? (struct pk_amount){0} : pk_amount_real(value);
}

int pk_text_compare(const char *a, size_t a_size, const char *b, size_t b_size)
{
	const int order = memcmp(a, b, a_size < b_size ? a_size : b_size);

	return order ? order : (a_size > b_size) - (a_size < b_size);
}

static int rank_of(const struct pk_amount *amount)
{
	return amount->kind == PK_AMOUNT_NONE ? 0 : amount->kind == PK_AMOUNT_TEXT ? 2 : 1;
}

int pk_amount_compare(const struct pk_amount *a, const struct pk_amount *b)
{
	const int rank_a = rank_of(a), rank_b = rank_of(b);

	if (rank_a != rank_b || !rank_a)
		return rank_a - rank_b;
	if (a->kind == PK_AMOUNT_TEXT)
		return pk_text_compare(a->text, a->size, b->text, b->size);
	if (a->kind == PK_AMOUNT_INTEGER && b->kind == PK_AMOUNT_INTEGER)
		return pk_wide_less(b->integer, a->integer) - pk_wide_less(a->integer, b->integer);
	return (a->real > b->real) - (a->real < b->real);
}
