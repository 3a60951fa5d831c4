// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "density.h"
#include "pkutil.h"
#include "vector.h"

/* ---- Columns ---- */

/* Adds the cells of a column to those of another one, or moves them if that is empty. */
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
	pk_bin_axis_join(&density->x, factor, &offset);
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
	pk_bin_axis_join(&density->y, factor, &offset);
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
	while (!pk_bin_axis_fits(&density->x, position))
		pk_density_join_columns(density, pk_bin_axis_next_factor(&density->x));
	insert_columns(density, pk_bin_axis_extend(&density->x, position));
}

static void include_row(struct pk_density *density, struct pk_wide position)
{
	while (!pk_bin_axis_fits(&density->y, position))
		pk_density_join_rows(density, pk_bin_axis_next_factor(&density->y));
	insert_rows(density, pk_bin_axis_extend(&density->y, position));
}

void pk_density_include_column(struct pk_density *density, struct pk_wide x)
{
	include_column(density, pk_scale_position(&density->x.scale, x));
}

void pk_density_include_row(struct pk_density *density, struct pk_wide y)
{
	include_row(density, pk_scale_position(&density->y.scale, y));
}

/* NULL: out of memory. */
static struct pk_density_layer *layer_at(struct pk_density *density, uint32_t layer)
{
	struct pk_density_layer *found;

	while (density->layers_count <= layer) {
		if (!pk_reserve(&density->layers, &density->layers_capacity, density->layers_count,
				1, sizeof(*density->layers)))
			return NULL;
		density->layers[density->layers_count++] = (struct pk_density_layer){0};
	}
	found = &density->layers[layer];
	if (!found->columns)
		found->columns = calloc(density->x.max, sizeof(*found->columns));
	return found->columns ? found : NULL;
}

/* The cells of a column. NULL: out of memory. */
static uint64_t *cells_at(struct pk_density *density, struct pk_density_layer *layer,
			  uint32_t column)
{
	if (!layer->columns[column])
		layer->columns[column] = calloc(density->y.max, sizeof(uint64_t));
	return layer->columns[column];
}

bool pk_density_add(struct pk_density *density, uint32_t layer, struct pk_wide x, struct pk_wide y,
		    uint64_t weight)
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
		return false;
	pk_add_saturating(&cells[pk_bin_axis_index(&density->y, row)], weight);
	pk_add_saturating(&to->total, weight);
	return true;
}

/* The part of a column in a range: the range starts at or before its end. */
static uint64_t part_of(const struct pk_bin_axis *axis, uint32_t column, uint64_t from, uint64_t to)
{
	const struct pk_wide start = pk_bin_axis_number(axis, column);
	const struct pk_wide end = pk_bin_axis_number(axis, column + 1);

	return pk_wide_subtract(pk_wide_min(end, pk_wide_of_u64(to)),
				pk_wide_max(start, pk_wide_of_u64(from)))
		.low;
}

bool pk_density_add_length(struct pk_density *density, uint32_t layer, uint64_t from, uint64_t to,
			   struct pk_wide y)
{
	const struct pk_wide row = pk_scale_position(&density->y.scale, y);
	const struct pk_wide start = pk_scale_position(&density->x.scale, pk_wide_of_u64(from));
	const struct pk_wide end = pk_scale_position(&density->x.scale, pk_wide_of_u64(to - 1));
	struct pk_density_layer *sum;
	uint32_t first, last;

	if (from >= to)
		return true;
	include_column(density, start);
	include_column(density, end);
	include_row(density, row);
	sum = layer_at(density, layer);
	first = pk_bin_axis_index(&density->x, start);
	last = pk_bin_axis_index(&density->x, end);
	for (uint32_t i = first; sum && i <= last; i++) {
		uint64_t *cells = cells_at(density, sum, i);

		if (!cells)
			return false;
		pk_add_saturating(&cells[pk_bin_axis_index(&density->y, row)],
				  part_of(&density->x, i, from, to));
	}
	if (sum)
		pk_add_saturating(&sum->total, to - from);
	return sum;
}

/* ---- Layers ---- */

bool pk_density_move(struct pk_density *density, uint32_t from, uint32_t to)
{
	struct pk_density_layer *target = layer_at(density, to), *source;

	if (!target)
		return false;
	source = &density->layers[from];
	for (uint32_t i = 0; source->columns && i < density->x.count; i++)
		if (source->columns[i])
			add_column(&target->columns[i], source->columns[i], density->y.count);
	pk_add_saturating(&target->total, source->total);
	free(source->columns);
	*source = (struct pk_density_layer){0};
	return true;
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
