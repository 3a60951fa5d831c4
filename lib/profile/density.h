/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DENSITY_H
#define PK_DENSITY_H

/*
 * Counts how many samples have each pair of numbers, such as time and duration. A cell is the pair
 * of a bin of the first axis (the column) and a bin of the second axis (the row), and contains a
 * sum of weights. Layers have the same axes, and contain the sums for different groups of samples.
 * Memory is bounded by layers_max and by `max` of both axes: each cell of a column that is not
 * empty needs 8 bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "wide.h"

/* ---- Axes ---- */

/*
 * An axis of bins for numbers whose range is not known before. A *scale* maps each number to a
 * position, and keeps the order of the numbers. A bin has `width` consecutive positions. If a
 * number is outside of an axis that already has the highest number of bins, neighbouring bins are
 * joined. Then the axis covers a wider range with at most the same number of bins.
 */

/* How a scale maps numbers to positions. */
enum pk_scale_kind {
	PK_SCALE_LINEAR, /* the widths of bins are 1, 5, 10, 50, 100 ... units */
	PK_SCALE_LOG2,	 /* Each power of two has 1 << sub_bits positions of equal size, as in HDR
			    histograms. If a power of two has fewer numbers, each number has a
			    position. Negative numbers have the same positions with a negative sign.
			  */
	PK_SCALE_LOG10,	 /* the positions are 1, 2 ... 9, 10, 20 ... 90, 100, 200 ... */
};

/* A scale: it maps each number to a position. */
struct pk_scale {
	enum pk_scale_kind kind;
	unsigned int sub_bits; /* for PK_SCALE_LOG2: 0 to 8 */
	uint64_t unit; /* numbers are divided by this unit and rounded down; it is at least 1 */
};

/* Returns the position of a number from -2^63 to 2^64 - 1. */
struct pk_wide pk_scale_position(const struct pk_scale *scale, struct pk_wide number);
/* Returns the smallest number at a position. It is also defined for positions after the last
 * number. */
struct pk_wide pk_scale_number(const struct pk_scale *scale, struct pk_wide position);

/* An axis: a scale, and the bins that cover the numbers so far. */
struct pk_bin_axis {
	/* The caller sets the following members. */
	struct pk_scale scale;
	uint32_t max; /* the highest number of bins, at least 2 */
	/* The caller may read the following members. All of them must be zero at first. */
	uint32_t count;	      /* number of bins */
	struct pk_wide width; /* number of positions in each bin */
	struct pk_wide first; /* the first bin starts at position first * width */
};
/* Returns the index of the bin with this position, which must be on the axis. */
static inline uint32_t pk_bin_axis_index(const struct pk_bin_axis *axis, struct pk_wide position)
{
	const struct pk_wide start = pk_wide_multiply(axis->first, axis->width);
	struct pk_wide rest;

	return (uint32_t)pk_wide_divide(pk_wide_subtract(position, start), axis->width, &rest).low;
}
/* Returns the smallest factor for joining bins that results in at most `count` bins. The resulting
 * width of linear bins is 1, 2, 5, 10, 20, 50 ... units. Bins of a logarithmic scale do not cross
 * its powers, if possible. */
uint32_t pk_bin_axis_factor(const struct pk_bin_axis *axis, uint32_t count);

/* Returns the smallest number of a bin. For the index after the last bin, this is the end of the
 * axis. */
struct pk_wide pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index);
/* Returns the distance of a number from the start of the axis, in bins. Within a bin, it is
 * interpolated. The number can be outside of the axis. */
double pk_bin_axis_place(const struct pk_bin_axis *axis, struct pk_wide number);

/* ---- Densities ---- */

/* The cells of one group of samples. */
struct pk_density_layer {
	uint64_t **columns; /* x.max pointers to columns, each of y.max rows; a pointer is NULL if
			     * the column is empty */
	uint64_t total;
};

/* Two axes, and the cells of all layers. */
struct pk_density {
	/* The caller sets the following members. */
	struct pk_bin_axis x, y;
	uint32_t layers_max;
	/* The caller may read the following members. All of them must be zero at first. */
	struct pk_density_layer *layers;
	size_t layers_count, layers_capacity;
};

/* Adds a weight to a cell. Sums that do not fit into 64 bits become UINT64_MAX. layer must be less
 * than layers_max. */
PK_MUST_CHECK enum pk_status pk_density_add(struct pk_density *density, uint32_t layer,
					    struct pk_wide x, struct pk_wide y, uint64_t weight);
/* Adds the range from x = from to x = to (not included) to the cells of the row of y. Each cell
 * gets the length of the part of the range that is in its column. x must have a linear scale.
 * Returns PK_NOMEM if memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_density_add_length(struct pk_density *density, uint32_t layer,
						   uint64_t from, uint64_t to, struct pk_wide y);
/* Extends the vertical axis so that it contains the number. */
void pk_density_include_row(struct pk_density *density, struct pk_wide y);
/* Join `factor` neighbouring columns or rows to one. See pk_bin_axis_factor(). */
void pk_density_join_columns(struct pk_density *density, uint32_t factor);
void pk_density_join_rows(struct pk_density *density, uint32_t factor);
/* Adds the weights of layer `from` to layer `to`. Afterwards, layer `from` is empty. */
PK_MUST_CHECK enum pk_status pk_density_move(struct pk_density *density, uint32_t from,
					     uint32_t to);
void pk_density_free(struct pk_density *density);

static inline uint64_t pk_density_cell(const struct pk_density *density, uint32_t layer,
				       uint32_t column, uint32_t row)
{
	const uint64_t *cells = density->layers[layer].columns[column];

	return cells ? cells[row] : 0;
}

/* Sets *number to the quantile of a column: the share `share` (0 to 1) of the weights of the column
 * is below this number. The number is interpolated within a row. Returns false if the column is
 * empty. */
bool pk_density_quantile(const struct pk_density *density, uint32_t layer, uint32_t column,
			 double share, double *number);

#endif
