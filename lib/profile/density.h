/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DENSITY_H
#define PK_DENSITY_H

/*
 * How many samples have which pair of numbers, such as time and duration: sums of weights in cells,
 * the pairs of a bin of one axis (the columns) and a bin of the other one (the rows). Layers are
 * sums with the same axes, for groups of samples. Memory is bounded by layers_max and by `max` of
 * both axes (bin_axis.h): 8 bytes for each cell of a column that is not empty.
 */

#include <stddef.h>

#include "bin_axis.h"

struct pk_density_layer {
	uint64_t **columns; /* x.max columns of y.max rows; NULL: a column that is empty */
	uint64_t total;
};

struct pk_density {
	/* Set by the caller: */
	struct pk_bin_axis x, y;
	uint32_t layers_max;
	/* For reading; all zero at first: */
	struct pk_density_layer *layers;
	size_t layers_count, layers_capacity;
};

/* Adds a weight to a cell. Sums that do not fit into 64 bits are UINT64_MAX. layer: less than
 * layers_max. False: out of memory. */
bool pk_density_add(struct pk_density *density, uint32_t layer, struct pk_wide x, struct pk_wide y,
		    uint64_t weight);
/* Adds to each cell from x = from to x = to, not included, its length. x must have a linear scale.
 */
bool pk_density_add_length(struct pk_density *density, uint32_t layer, uint64_t from, uint64_t to,
			   struct pk_wide y);
/* Extends an axis, so that it has the number. */
void pk_density_include_column(struct pk_density *density, struct pk_wide x);
void pk_density_include_row(struct pk_density *density, struct pk_wide y);
/* Joins columns and rows, see pk_bin_axis_factor(). */
void pk_density_join_columns(struct pk_density *density, uint32_t factor);
void pk_density_join_rows(struct pk_density *density, uint32_t factor);
/* Adds a layer to another one, and empties it. False: out of memory. */
bool pk_density_move(struct pk_density *density, uint32_t from, uint32_t to);
void pk_density_free(struct pk_density *density);

static inline uint64_t pk_density_cell(const struct pk_density *density, uint32_t layer,
				       uint32_t column, uint32_t row)
{
	const uint64_t *cells = density->layers[layer].columns[column];

	return cells ? cells[row] : 0;
}

/* The number below which `share` (0 to 1) of the weights of a column are, interpolated in its row.
 * False: the column is empty. */
bool pk_density_quantile(const struct pk_density *density, uint32_t layer, uint32_t column,
			 double share, double *number);

#endif
