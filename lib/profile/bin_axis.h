/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BIN_AXIS_H
#define PK_BIN_AXIS_H

/*
 * An axis of bins for numbers whose range is not known before. A *scale* maps each number to a
 * position, in the same order. A bin has `width` consecutive positions. If a number is outside and
 * the axis has its largest number of bins, neighbouring bins are joined, so that the axis is wider
 * and still has at most as many.
 */

#include <stdbool.h>
#include <stdint.h>

#include "wide.h"

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
/* The smallest number at a position. Also for the position after the last one, and after it. */
struct pk_wide pk_scale_number(const struct pk_scale *scale, struct pk_wide position);

struct pk_bin_axis {
	/* Set by the caller: */
	struct pk_scale scale;
	uint32_t max; /* number of bins, at least 2 */
	/* For reading; all zero at first: */
	uint32_t count;	      /* of bins */
	struct pk_wide width; /* positions in each bin */
	struct pk_wide first; /* the first bin starts at position first * width */
};

/* Whether the axis with this position has at most `max` bins. */
bool pk_bin_axis_fits(const struct pk_bin_axis *axis, struct pk_wide position);
/* Adds bins up to this position, which must fit. Returns how many were added before the first one.
 */
uint32_t pk_bin_axis_extend(struct pk_bin_axis *axis, struct pk_wide position);
/* The index of the bin with this position, which must be on the axis. */
static inline uint32_t pk_bin_axis_index(const struct pk_bin_axis *axis, struct pk_wide position)
{
	const struct pk_wide start = pk_wide_multiply(axis->first, axis->width);
	struct pk_wide rest;

	return (uint32_t)pk_wide_divide(pk_wide_subtract(position, start), axis->width, &rest).low;
}

/* The factor by which pk_bin_axis_join() is called if a position does not fit. */
uint32_t pk_bin_axis_next_factor(const struct pk_bin_axis *axis);
/* The smallest factor for which an axis of at most `count` bins results. The widths of linear bins
 * are then 1, 2, 5, 10, 20, 50 ... units, and bins of a logarithmic scale do not cross its powers,
 * if possible. */
uint32_t pk_bin_axis_factor(const struct pk_bin_axis *axis, uint32_t count);
/* Joins `factor` bins to one. The bin with index i becomes part of bin (i + *offset) / factor. */
void pk_bin_axis_join(struct pk_bin_axis *axis, uint32_t factor, uint32_t *offset);

/* The smallest number of a bin, also of the one after the last: the end of the axis. */
struct pk_wide pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index);
/* The place of a number, in bins from the start of the axis: in a bin, numbers are evenly spaced.
 * The number can be outside of the axis. */
double pk_bin_axis_place(const struct pk_bin_axis *axis, struct pk_wide number);

#endif
