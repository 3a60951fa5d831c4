/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DENSITY_H
#define PK_DENSITY_H

/*
 * How many samples have which pair of numbers, such as time and duration: sums of weights in cells,
 * the pairs of a bin of one axis (the columns) and a bin of the other one (the rows). Layers are
 * sums with the same axes, for groups of samples. Memory is bounded by layers_max and by `max` of
 * both axes (density.h): 8 bytes for each cell of a column that is not empty.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "wide.h"

/* ---- Axes ---- */

/*
 * An axis of bins for numbers whose range is not known before. A *scale* maps each number to a
 * position, in the same order. A bin has `width` consecutive positions. If a number is outside and
 * the axis has its largest number of bins, neighbouring bins are joined, so that the axis is wider
 * and still has at most as many.
 */

enum pk_scale_kind {
	PK_SCALE_LINEAR, /* bins are 1, 5, 10, 50, 100 ... units wide */
	PK_SCALE_LOG2,	 /* each power of two has 1 << sub_bits positions of equal size, or as many
			  * as it has numbers (HDR histograms); negative numbers mirror positive ones
			  */
	PK_SCALE_LOG10,	 /* the positions are 1, 2 ... 9, 10, 20 ... 90, 100, and so on */
};

struct pk_scale {
	enum pk_scale_kind kind;
	unsigned int sub_bits; /* LOG2: 0 to 8 */
	uint64_t unit;	       /* numbers are divided by it, and rounded down; at least 1 */
};

/* The position of a number from -2^63 to 2^64 - 1. */
struct pk_wide pk_scale_position(const struct pk_scale *scale, struct pk_wide number);
/* The smallest number at a position. Positions after the last one have one, too. */
struct pk_wide pk_scale_number(const struct pk_scale *scale, struct pk_wide position);

struct pk_bin_axis {
	/* Set by the caller: */
	struct pk_scale scale;
	uint32_t max; /* number of bins, at least 2 */
	/* These are for reading. All are zero at first. */
	uint32_t count;	      /* of bins */
	struct pk_wide width; /* positions in each bin */
	struct pk_wide first; /* the first bin starts at position first * width */
};
/* The index of the bin with this position, which must be on the axis. */
static inline uint32_t pk_bin_axis_index(const struct pk_bin_axis *axis, struct pk_wide position)
{
	const struct pk_wide start = pk_wide_multiply(axis->first, axis->width);
	struct pk_wide rest;

	return (uint32_t)pk_wide_divide(pk_wide_subtract(position, start), axis->width, &rest).low;
}
/* The smallest factor for which an axis of at most `count` bins results. The widths of linear bins
 * are then 1, 2, 5, 10, 20, 50 ... units, and bins of a logarithmic scale do not cross its powers,
 * if possible. */
uint32_t pk_bin_axis_factor(const struct pk_bin_axis *axis, uint32_t count);

/* The smallest number of a bin, also of the one after the last: the end of the axis. */
struct pk_wide pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index);
/* The place of a number, in bins from the start of the axis: in a bin, numbers are evenly spaced.
 * The number can be outside of the axis. */
double pk_bin_axis_place(const struct pk_bin_axis *axis, struct pk_wide number);

/* ---- Densities ---- */

struct pk_density_layer {
	uint64_t **columns; /* x.max columns of y.max rows; NULL: a column that is empty */
	uint64_t total;
};

struct pk_density {
	/* Set by the caller: */
	struct pk_bin_axis x, y;
	uint32_t layers_max;
	/* These are for reading. All are zero at first. */
	struct pk_density_layer *layers;
	size_t layers_count, layers_capacity;
};

/* Adds a weight to a cell. Sums that do not fit into 64 bits are UINT64_MAX. layer is less than
 * layers_max. */
PK_MUST_CHECK enum pk_status pk_density_add(struct pk_density *density, uint32_t layer,
					    struct pk_wide x, struct pk_wide y, uint64_t weight);
/* Adds to each cell from x = from to x = to, not included, its length. x must have a linear scale.
 */
bool pk_density_add_length(struct pk_density *density, uint32_t layer, uint64_t from, uint64_t to,
			   struct pk_wide y);
/* Extends the vertical axis, so that it has the number. */
void pk_density_include_row(struct pk_density *density, struct pk_wide y);
/* Joins columns and rows, see pk_bin_axis_factor(). */
void pk_density_join_columns(struct pk_density *density, uint32_t factor);
void pk_density_join_rows(struct pk_density *density, uint32_t factor);
/* Adds a layer to another one, and empties it. */
PK_MUST_CHECK enum pk_status pk_density_move(struct pk_density *density, uint32_t from,
					     uint32_t to);
void pk_density_free(struct pk_density *density);

static inline uint64_t pk_density_cell(const struct pk_density *density, uint32_t layer,
				       uint32_t column, uint32_t row)
{
	const uint64_t *cells = density->layers[layer].columns[column];

	return cells ? cells[row] : 0;
}

/* The number below which `share` (0 to 1) of the weights of a column are, interpolated in its row.
 * Returns false if the column is empty. */
bool pk_density_quantile(const struct pk_density *density, uint32_t layer, uint32_t column,
			 double share, double *number);

#endif
