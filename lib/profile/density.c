// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "density.h"
#include "pkutil.h"
#include "vector.h"

/* ---- Axes ---- */

#define DIGITS	   9  /* number of positions in each power of ten */
#define LIMIT_BITS 80 /* all positions after the last number stand for this power of two */

/* ---- Scales ---- */

/* Returns the position of a number that is not negative. The position of 0 is 0. */
static uint32_t log2_position(uint64_t number, unsigned int sub_bits)
{
	unsigned int shift;

	if (number >> (sub_bits + 1) == 0)
		return (uint32_t)number;
	shift = 63u - (unsigned int)__builtin_clzll(number) - sub_bits;
	return (shift << sub_bits) + (uint32_t)(number >> shift);
}

static struct pk_wide log2_number(uint64_t position, unsigned int sub_bits)
{
	const uint64_t shift = position >> (sub_bits + 1) ? (position >> sub_bits) - 1 : 0;

	if (shift > LIMIT_BITS)
		return pk_wide_shift_left(pk_wide_of(1), LIMIT_BITS);
	return pk_wide_shift_left(pk_wide_of_u64(position - (shift << sub_bits)),
				  (unsigned int)shift);
}

static uint32_t log10_position(uint64_t number)
{
	uint32_t position = 0;

	for (; number >= 10; number /= 10)
		position += DIGITS;
	return position + (uint32_t)number;
}

static struct pk_wide log10_number(uint64_t position)
{
	const struct pk_wide limit = pk_wide_shift_left(pk_wide_of(1), LIMIT_BITS);
	struct pk_wide power = pk_wide_of(1);

	if (!position)
		return pk_wide_of(0);
	for (position--; position >= DIGITS && pk_wide_less(power, limit); position -= DIGITS)
		power = pk_wide_multiply(power, pk_wide_of(10));
	return pk_wide_multiply(power, pk_wide_of_u64(position + 1));
}

static uint32_t magnitude_position(const struct pk_scale *scale, uint64_t number)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_position(number, scale->sub_bits)
					    : log10_position(number);
}

static struct pk_wide magnitude_number(const struct pk_scale *scale, uint64_t position)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_number(position, scale->sub_bits)
					    : log10_number(position);
}

/* The position of the number 0. On a LOG10 scale, it is -1, so that powers of ten start at
 * multiples of DIGITS, and bins do not cross powers of ten. */
static int origin(const struct pk_scale *scale)
{
	return scale->kind == PK_SCALE_LOG10 ? -1 : 0;
}

struct pk_wide pk_scale_position(const struct pk_scale *scale, struct pk_wide number)
{
	if (scale->unit > 1)
		number = pk_wide_floor_divide(number, pk_wide_of_u64(scale->unit));
	if (scale->kind == PK_SCALE_LINEAR)
		return number;
	if (number.high < 0)
		return pk_wide_of(origin(scale) -
				  (int64_t)magnitude_position(scale, pk_wide_negate(number).low));
	return pk_wide_of(origin(scale) + (int64_t)magnitude_position(scale, number.low));
}

struct pk_wide pk_scale_number(const struct pk_scale *scale, struct pk_wide position)
{
	const struct pk_wide unit = pk_wide_of_u64(scale->unit), one = pk_wide_of(1);
	struct pk_wide number = position;

	if (scale->kind != PK_SCALE_LINEAR) {
		position = pk_wide_subtract(position, pk_wide_of(origin(scale)));
		if (position.high < 0) /* the smallest number has the largest magnitude */
			number = pk_wide_subtract(
				one, magnitude_number(scale, pk_wide_subtract(one, position).low));
		else
			number = magnitude_number(scale, position.low);
	}
	return pk_wide_multiply(number, unit);
}

/* ---- Bins ---- */

/* Returns the bin with this index. The result is counted from position 0 on. */
static struct pk_wide bin_at(const struct pk_bin_axis *axis, int64_t index)
{
	return pk_wide_add(axis->first, pk_wide_of(index));
}

/* Returns true if the axis has at most `max` bins after it is extended to this position. */
static bool bin_axis_fits(const struct pk_bin_axis *axis, struct pk_wide position)
{
	struct pk_wide bin;

	if (!axis->count)
		return true;
	bin = pk_wide_floor_divide(position, axis->width);
	return !pk_wide_less(bin, bin_at(axis, (int64_t)axis->count - axis->max)) &&
	       pk_wide_less(bin, bin_at(axis, axis->max));
}

/* Adds bins up to this position, for which the axis must have room. Returns the number of bins that
 * were added before the first bin. */
static uint32_t bin_axis_extend(struct pk_bin_axis *axis, struct pk_wide position)
{
	uint32_t before = 0;
	struct pk_wide bin;

	if (pk_wide_is_zero(axis->width))
		axis->width = pk_wide_of(1);
	bin = pk_wide_floor_divide(position, axis->width);
	if (!axis->count) {
		axis->first = bin;
		axis->count = 1;
	} else if (pk_wide_less(bin, axis->first)) {
		before = (uint32_t)pk_wide_subtract(axis->first, bin).low;
		axis->first = bin;
		axis->count += before;
	} else if (!pk_wide_less(bin, bin_at(axis, axis->count))) {
		axis->count = (uint32_t)pk_wide_subtract(bin, axis->first).low + 1;
	}
	return before;
}

/* Returns the first digit of a width, which is 1, 2, 5, 10, 20, 50 ... */
static unsigned int first_digit(struct pk_wide width)
{
	const struct pk_wide ten = pk_wide_of(10);

	while (!pk_wide_less(width, ten))
		width = pk_wide_floor_divide(width, ten);
	return (unsigned int)width.low;
}

/* Returns true if each bin of a LOG10 scale is inside of one power of ten after `factor` bins are
 * joined. */
static bool is_in_power(const struct pk_bin_axis *axis, uint32_t factor)
{
	return pk_wide_less(pk_wide_multiply(axis->width, pk_wide_of(factor)), pk_wide_of(DIGITS));
}

/* Returns the factor for bin_axis_join() that is used when the axis has no room for a position. */
static uint32_t bin_axis_next_factor(const struct pk_bin_axis *axis)
{
	switch (axis->scale.kind) {
	case PK_SCALE_LINEAR: return first_digit(axis->width) == 5 ? 2 : 5;
	case PK_SCALE_LOG10: return is_in_power(axis, 1) ? 3 : 2;
	default: return 2;
	}
}

/* Returns the number of bins after `factor` bins are joined. */
static uint32_t joined_count(const struct pk_bin_axis *axis, uint32_t factor)
{
	const struct pk_wide last = bin_at(axis, (int64_t)axis->count - 1), by = pk_wide_of(factor);

	return (uint32_t)pk_wide_subtract(pk_wide_floor_divide(last, by),
					  pk_wide_floor_divide(axis->first, by))
		       .low +
	       1;
}

/* Returns the next larger factor. On a linear axis, the resulting width is 1, 2 or 5 times a power
 * of ten. Factors are whole numbers, so 2 times a power of ten cannot become 5 times this power. */
static uint32_t following(const struct pk_bin_axis *axis, uint32_t factor)
{
	static const uint32_t after_1[] = {2, 5, 10}, after_2[] = {5, 10, 25},
			      after_5[] = {2, 4, 10};
	const unsigned int digit = first_digit(axis->width);
	const uint32_t *factors = digit == 1 ? after_1 : digit == 2 ? after_2 : after_5;
	uint32_t power = 1;

	if (axis->scale.kind != PK_SCALE_LINEAR)
		return factor *
		       (axis->scale.kind == PK_SCALE_LOG10 && is_in_power(axis, factor) ? 3 : 2);
	for (;; power *= 10)
		for (unsigned int i = 0; i < 3; i++)
			if (factors[i] * power > factor)
				return factors[i] * power;
}

uint32_t pk_bin_axis_factor(const struct pk_bin_axis *axis, uint32_t count)
{
	uint32_t factor = 1;

	while (axis->count && joined_count(axis, factor) > (count < 2 ? 2 : count))
		factor = following(axis, factor);
	return factor;
}

/* Joins `factor` bins to one bin. The bin with index i becomes a part of bin (i + *offset) /
 * factor. */
static void bin_axis_join(struct pk_bin_axis *axis, uint32_t factor, uint32_t *offset)
{
	const struct pk_wide by = pk_wide_of(factor);
	const struct pk_wide first = pk_wide_floor_divide(axis->first, by);

	*offset = (uint32_t)pk_wide_subtract(axis->first, pk_wide_multiply(first, by)).low;
	axis->count = joined_count(axis, factor);
	axis->first = first;
	axis->width = pk_wide_multiply(axis->width, by);
}

struct pk_wide pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index)
{
	return pk_scale_number(&axis->scale, pk_wide_multiply(bin_at(axis, index), axis->width));
}

double pk_bin_axis_place(const struct pk_bin_axis *axis, struct pk_wide number)
{
	const struct pk_wide position = pk_scale_position(&axis->scale, number);
	const struct pk_wide low = pk_scale_number(&axis->scale, position);
	const struct pk_wide high =
		pk_scale_number(&axis->scale, pk_wide_add(position, pk_wide_of(1)));
	const struct pk_wide start = pk_wide_multiply(axis->first, axis->width);
	const double within = pk_wide_real(pk_wide_subtract(number, low)) /
			      pk_wide_real(pk_wide_subtract(high, low));

	return (pk_wide_real(pk_wide_subtract(position, start)) + within) /
	       pk_wide_real(axis->width);
}

/* ---- Columns ---- */

/* Adds the cells of a column to another column. If the other column is empty, moves the cells
 * instead. */
static void add_column(uint64_t **to, uint64_t *from, uint32_t rows)
{
	if (!*to) {
		*to = from;
		return;
	}
	for (uint32_t i = 0; i < rows; i++)
		pk_add_saturating(&(*to)[i], from[i]);
	free(from);
}

void pk_density_join_columns(struct pk_density *density, uint32_t factor)
{
	const uint32_t before = density->x.count;
	uint32_t offset;

	if (factor == 1)
		return;
	bin_axis_join(&density->x, factor, &offset);
	for (size_t layer = 0; layer < density->layers_count; layer++) {
		uint64_t **columns = density->layers[layer].columns;

		for (uint32_t i = 0; columns && i < before; i++) {
			uint64_t *column = columns[i];

			columns[i] = NULL;
			if (column)
				add_column(&columns[(i + offset) / factor], column,
					   density->y.count);
		}
	}
}

static void insert_columns(struct pk_density *density, uint32_t count)
{
	for (size_t i = 0; count && i < density->layers_count; i++) {
		uint64_t **columns = density->layers[i].columns;

		if (!columns)
			continue;
		memmove(columns + count, columns, (density->x.count - count) * sizeof(*columns));
		memset(columns, 0, count * sizeof(*columns));
	}
}

/* ---- Rows ---- */

/* Calls change() for each column that is not empty. */
static void change_columns(struct pk_density *density,
			   void (*change)(uint64_t *cells, uint32_t count, uint32_t a, uint32_t b),
			   uint32_t count, uint32_t a, uint32_t b)
{
	for (size_t layer = 0; layer < density->layers_count; layer++) {
		uint64_t **columns = density->layers[layer].columns;

		for (uint32_t i = 0; columns && i < density->x.count; i++)
			if (columns[i])
				change(columns[i], count, a, b);
	}
}

static void join_cells(uint64_t *cells, uint32_t count, uint32_t factor, uint32_t offset)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t weight = cells[i];

		cells[i] = 0;
		pk_add_saturating(&cells[(i + offset) / factor], weight);
	}
}

void pk_density_join_rows(struct pk_density *density, uint32_t factor)
{
	const uint32_t before = density->y.count;
	uint32_t offset;

	if (factor == 1)
		return;
	bin_axis_join(&density->y, factor, &offset);
	change_columns(density, join_cells, before, factor, offset);
}

static void shift_cells(uint64_t *cells, uint32_t count, uint32_t shift, uint32_t unused)
{
	(void)unused;
	memmove(cells + shift, cells, (count - shift) * sizeof(*cells));
	memset(cells, 0, shift * sizeof(*cells));
}

static void insert_rows(struct pk_density *density, uint32_t count)
{
	if (count)
		change_columns(density, shift_cells, density->y.count, count, 0);
}

/* ---- Adding ---- */

static void include_column(struct pk_density *density, struct pk_wide position)
{
	while (!bin_axis_fits(&density->x, position))
		pk_density_join_columns(density, bin_axis_next_factor(&density->x));
	insert_columns(density, bin_axis_extend(&density->x, position));
}

static void include_row(struct pk_density *density, struct pk_wide position)
{
	while (!bin_axis_fits(&density->y, position))
		pk_density_join_rows(density, bin_axis_next_factor(&density->y));
	insert_rows(density, bin_axis_extend(&density->y, position));
}

void pk_density_include_row(struct pk_density *density, struct pk_wide y)
{
	include_row(density, pk_scale_position(&density->y.scale, y));
}

/* Returns the layer, or NULL if memory is exhausted. */
static struct pk_density_layer *layer_at(struct pk_density *density, uint32_t layer)
{
	struct pk_density_layer *found;

	while (density->layers_count <= layer) {
		if (pk_reserve(&density->layers, &density->layers_capacity, density->layers_count,
			       1, sizeof(*density->layers)) != PK_OK)
			return NULL;
		density->layers[density->layers_count++] = (struct pk_density_layer){0};
	}
	found = &density->layers[layer];
	if (!found->columns)
		found->columns = calloc(density->x.max, sizeof(*found->columns));
	return found->columns ? found : NULL;
}

/* Returns the cells of a column, or NULL if memory is exhausted. */
static uint64_t *cells_at(struct pk_density *density, struct pk_density_layer *layer,
			  uint32_t column)
{
	if (!layer->columns[column])
		layer->columns[column] = calloc(density->y.max, sizeof(uint64_t));
	return layer->columns[column];
}

enum pk_status pk_density_add(struct pk_density *density, uint32_t layer, struct pk_wide x,
			      struct pk_wide y, uint64_t weight)
{
	const struct pk_wide column = pk_scale_position(&density->x.scale, x);
	const struct pk_wide row = pk_scale_position(&density->y.scale, y);
	struct pk_density_layer *to;
	uint64_t *cells;

	include_column(density, column);
	include_row(density, row);
	to = layer_at(density, layer);
	cells = to ? cells_at(density, to, pk_bin_axis_index(&density->x, column)) : NULL;
	if (!cells)
		return PK_NOMEM;
	pk_add_saturating(&cells[pk_bin_axis_index(&density->y, row)], weight);
	pk_add_saturating(&to->total, weight);
	return PK_OK;
}

/* Returns the length of the part of a column that is in the range. The range must overlap the
 * column. */
static uint64_t part_of(const struct pk_bin_axis *axis, uint32_t column, uint64_t from, uint64_t to)
{
	const struct pk_wide start = pk_bin_axis_number(axis, column);
	const struct pk_wide end = pk_bin_axis_number(axis, column + 1);

	return pk_wide_subtract(pk_wide_min(end, pk_wide_of_u64(to)),
				pk_wide_max(start, pk_wide_of_u64(from)))
		.low;
}

enum pk_status pk_density_add_length(struct pk_density *density, uint32_t layer, uint64_t from,
				     uint64_t to, struct pk_wide y)
{
	const struct pk_wide row = pk_scale_position(&density->y.scale, y);
	const struct pk_wide start = pk_scale_position(&density->x.scale, pk_wide_of_u64(from));
	const struct pk_wide end = pk_scale_position(&density->x.scale, pk_wide_of_u64(to - 1));
	struct pk_density_layer *sum;
	uint32_t first, last;

	if (from >= to)
		return PK_OK;
	include_column(density, start);
	include_column(density, end);
	include_row(density, row);
	sum = layer_at(density, layer);
	first = pk_bin_axis_index(&density->x, start);
	last = pk_bin_axis_index(&density->x, end);
	for (uint32_t i = first; sum && i <= last; i++) {
		uint64_t *cells = cells_at(density, sum, i);

		if (!cells)
			return PK_NOMEM;
		pk_add_saturating(&cells[pk_bin_axis_index(&density->y, row)],
				  part_of(&density->x, i, from, to));
	}
	if (!sum)
		return PK_NOMEM;
	pk_add_saturating(&sum->total, to - from);
	return PK_OK;
}

/* ---- Layers ---- */

enum pk_status pk_density_move(struct pk_density *density, uint32_t from, uint32_t to)
{
	struct pk_density_layer *target = layer_at(density, to), *source;

	if (!target)
		return PK_NOMEM;
	source = &density->layers[from];
	for (uint32_t i = 0; source->columns && i < density->x.count; i++)
		if (source->columns[i])
			add_column(&target->columns[i], source->columns[i], density->y.count);
	pk_add_saturating(&target->total, source->total);
	free(source->columns);
	*source = (struct pk_density_layer){0};
	return PK_OK;
}

void pk_density_free(struct pk_density *density)
{
	for (size_t layer = 0; layer < density->layers_count; layer++) {
		uint64_t **columns = density->layers[layer].columns;

		for (uint32_t i = 0; columns && i < density->x.count; i++)
			free(columns[i]);
		free(columns);
	}
	free(density->layers);
	density->layers = NULL;
	density->layers_count = density->layers_capacity = 0;
}

/* ---- Quantiles ---- */

bool pk_density_quantile(const struct pk_density *density, uint32_t layer, uint32_t column,
			 double share, double *number)
{
	const uint64_t *cells = density->layers[layer].columns[column];
	double all = 0, below = 0;
	uint32_t row = 0;

	for (uint32_t i = 0; cells && i < density->y.count; i++)
		all += (double)cells[i];
	if (all <= 0)
		return false;
	while (row + 1 < density->y.count && below + (double)cells[row] < share * all)
		below += (double)cells[row++];
	if (cells[row]) {
		const double low = pk_wide_real(pk_bin_axis_number(&density->y, row));
		const double high = pk_wide_real(pk_bin_axis_number(&density->y, row + 1));

		*number = low + (high - low) * (share * all - below) / (double)cells[row];
	} else {
		*number = pk_wide_real(pk_bin_axis_number(&density->y, row));
	}
	return true;
}
