/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RATE_CHANGE_H
#define PK_RATE_CHANGE_H

/* The change of a rate between two sides. A rate is a sum of weights per unit. The unit is the
 * total weight (the rate is then a share), a run, a second, or the count of an event. */

#include <stdbool.h>

#include "block_variance.h"
#include "overdispersion.h"

/* The weight of a row in one recording. */
struct pk_rate_part {
	double weight, unit;
	struct pk_variance blocks; /* pk_block_variance() of the recording; its value is 0 if it is
				    * unknown */
};

/* One side of a comparison. */
struct pk_rate_side {
	double weight, unit; /* sums over all recordings */
	double squares;	     /* sum of the squares of the weights of the row's samples */
	double all_squares;  /* the same for the samples of all rows; used if the rate is a share */
	double blocks, blocks_freedom; /* sum of the variances of the parts */
	double between; /* variance of the weight, estimated from the differences between parts */
	double between_freedom; /* number of parts - 1 */
};

/* Adds a part. Call it for all parts of a side, then pk_rate_side_spread() for all parts again. */
void pk_rate_side_add(struct pk_rate_side *side, const struct pk_rate_part *part);
void pk_rate_side_spread(struct pk_rate_side *side, const struct pk_rate_part *part, size_t count);

/* A comparison of two sides. */
struct pk_rate_change {
	double base, current;				 /* the two rates */
	double base_variance, current_variance, freedom; /* of the rates */
	double blocks; /* how many times as much blocks vary as independent samples; 1 if unknown */
	double spread, spread_freedom; /* how many times as much recordings vary as their blocks;
					* the freedom is 0 if no side has several recordings */
};

/* Calculates the rates, and their variances within recordings. `is_share` says that the units are
 * total weights. */
void pk_rate_change_measure(struct pk_rate_change *change, const struct pk_rate_side *base,
			    const struct pk_rate_side *current, bool is_share);
/* Replaces the variances within recordings by those between recordings. `common` is the fit of the
 * members `spread` of all rows. */
void pk_rate_change_spread(struct pk_rate_change *change, const struct pk_overdispersion *common);
/* Returns the comparison with variances that are `spread` times as large, but not smaller than
 * `spread` times those of independent samples. */
struct pk_rate_change pk_rate_change_guarded(const struct pk_rate_change *change, double spread);
/* Returns the probability of a difference as large as this one or larger if nothing has changed. */
double pk_rate_change_probability(const struct pk_rate_change *change);

/* An interval of the ratio current / base, by the method of Fieller. `high` is infinite if the rate
 * of the base can be 0. */
struct pk_ratio_interval {
	double low, high;
};

/* `outside` is the probability that the ratio is not in the interval, such as 0.05. */
struct pk_ratio_interval pk_rate_change_interval(const struct pk_rate_change *change,
						 double outside);
/* Returns the smallest change, as a part of the base, that a test finds with a probability of 95 %.
 * `probability` is the limit below which the test finds a change. */
double pk_rate_change_detectable(const struct pk_rate_change *change, double probability);

#endif
