/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RANKS_H
#define PK_RANKS_H

/* Statistics that use only the order of values, not their distribution. The values must be
 * independent. */

#include <stdint.h>

/* The ranks of the values between which a quantile lies. The smallest value has rank 1. A rank is 0
 * if there are too few values for this end of the interval. */
struct pk_quantile_ranks {
	uint64_t low, high;
};

/* Returns the ranks for the quantile `share` (0 to 1) of `count` values. The quantile is outside of
 * the interval with a probability of at most `outside`, half of it on each side. */
struct pk_quantile_ranks pk_quantile_ranks(uint64_t count, double share, double outside);

/* Two sides that are compared by the test of Mann and Whitney. If all members are zero, there are
 * no values. */
struct pk_rank_sums {
	double base, current; /* number of values */
	double wins; /* number of pairs in which the value of the new side is greater; a pair of
		      * equal values is half a win */
	double tied; /* the sum of n^3 - n over all groups of n equal values */
};

/* Adds a group of equal values: `base` values of the base, and `current` values of the new side.
 * They must be greater than all values before. */
void pk_rank_sums_add(struct pk_rank_sums *sums, uint64_t base, uint64_t current);

/* The comparison of two sides. */
struct pk_rank_comparison {
	double greater; /* the probability that a value of the new side is greater than a value of
			 * the base; equal values count half */
	double probability; /* of a `greater` that differs from 1/2 as much as this one or more, if
			     * nothing has changed */
};

/* Compares the sides with the normal approximation. Both numbers are NAN if a side has no values,
 * or if all values are equal. */
struct pk_rank_comparison pk_rank_sums_compare(const struct pk_rank_sums *sums);

#endif
