/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BLOCK_VARIANCE_H
#define PK_BLOCK_VARIANCE_H

/* The variance of a sum whose parts are correlated in time. A recording is cut into blocks of equal
 * length. The variance is estimated from the sums of overlapping batches of neighbouring blocks.
 * Therefore it includes correlations that are shorter than a batch. docs/compare.md explains the
 * choice. */

#include <stddef.h>

/* A variance, and its degrees of freedom, which are 0 if there are too few blocks. */
struct pk_variance {
	double value, freedom;
};

/* Returns the variance of the sum of `weights`, after the part that is proportional to `units` is
 * subtracted: the residual of a block is weights[i] - sum(weights) / sum(units) * units[i]. The
 * variance of sum(weights) / sum(units) is the result divided by the square of sum(units). */
struct pk_variance pk_block_variance(const double *weights, const double *units, size_t count);

#endif
