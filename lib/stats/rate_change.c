// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "rate_change.h"
#include "student.h"

/* The part of changes of the detectable size that a test does not find. */
#define MISSED 0.05

void pk_rate_side_add(struct pk_rate_side *side, const struct pk_rate_part *part)
{
	side->weight += part->weight;
	side->unit += part->unit;
	side->blocks += part->blocks.value;
	side->blocks_freedom += part->blocks.freedom;
}

void pk_rate_side_spread(struct pk_rate_side *side, const struct pk_rate_part *part, size_t count)
{
	const double residual = part->weight - side->weight / side->unit * part->unit;

	if (count < 2)
		return;
	side->between_freedom = (double)count - 1;
	side->between += residual * residual * (double)count / side->between_freedom;
}

static double rate_of(const struct pk_rate_side *side)
{
	return side->unit > 0 ? side->weight / side->unit : 0;
}

/* Returns the variance of the rate if the samples are independent. */
static double sampling_variance(const struct pk_rate_side *side, bool is_share)
{
	const double rate = rate_of(side), square = side->unit * side->unit;
	const double rest = is_share ? 1 - rate : 1, others = is_share ? rate : 0;

	return (side->squares * rest * rest +
		fmax(0, side->all_squares - side->squares) * others * others) /
	       square;
}

/* Returns the same for a side that has the rate `usual`. `grain` is the mean weight of the row's
 * samples. */
static double usual_variance(const struct pk_rate_side *side, double usual, double grain,
			     bool is_share)
{
	return grain * usual * (is_share ? 1 - usual : 1) / side->unit;
}

/* The ratios of variances are those of both sides together. They are calculated with the rate that
 * each side has, because a side with few samples has small variances of all kinds by chance. The
 * variance itself is not smaller than at the rate of both sides together, for the same reason. */
void pk_rate_change_measure(struct pk_rate_change *change, const struct pk_rate_side *base,
			    const struct pk_rate_side *current, bool is_share)
{
	const struct pk_rate_side *sides[] = {base, current};
	const double weight = base->weight + current->weight;
	const double grain = weight > 0 ? (base->squares + current->squares) / weight : 0;
	const double usual = weight / (base->unit + current->unit);
	double variances[2], blocks = 0, blocks_freedom = 0, spread = 0, spread_freedom = 0, ratio;

	for (unsigned int i = 0; i < 2; i++) {
		const struct pk_rate_side *side = sides[i];
		const double square = side->unit * side->unit;
		const double own = sampling_variance(side, is_share);

		variances[i] = fmax(
			own, usual_variance(side, fmax(usual, rate_of(side)), grain, is_share));
		if (!(own > 0))
			continue;
		blocks += side->blocks_freedom * side->blocks / square / own;
		blocks_freedom += side->blocks_freedom;
		spread += side->between_freedom * side->between / square / own;
		spread_freedom += side->between_freedom;
	}
	ratio = blocks > 0 ? blocks / blocks_freedom : 1;
	*change = (struct pk_rate_change){
		.base = rate_of(base),
		.current = rate_of(current),
		.base_variance = variances[0] * ratio,
		.current_variance = variances[1] * ratio,
		.freedom = blocks > 0 ? blocks_freedom : INFINITY,
		.blocks = ratio,
		.spread = spread_freedom > 0 ? spread / spread_freedom / ratio : 1,
		.spread_freedom = spread_freedom,
	};
}

void pk_rate_change_spread(struct pk_rate_change *change, const struct pk_overdispersion *common)
{
	double freedom;

	if (!(common->freedom + change->spread_freedom > 0))
		return;
	change->spread = pk_overdispersion_moderate(common, change->spread, change->spread_freedom,
						    &freedom);
	change->base_variance *= change->spread;
	change->current_variance *= change->spread;
	change->freedom = fmin(change->freedom, freedom);
}

struct pk_rate_change pk_rate_change_guarded(const struct pk_rate_change *change, double spread)
{
	const double ratio = spread * fmax(1, 1 / change->blocks);
	struct pk_rate_change guarded = *change;

	guarded.base_variance *= ratio;
	guarded.current_variance *= ratio;
	return guarded;
}

double pk_rate_change_probability(const struct pk_rate_change *change)
{
	const double variance = change->base_variance + change->current_variance;

	return pk_student_two_sided((change->current - change->base) / sqrt(variance),
				    change->freedom);
}

/* The interval has all ratios r for which (current - r * base) is not larger than the quantile
 * times its standard deviation. These are the r for which a r^2 - 2 b r + c is not positive. */
struct pk_ratio_interval pk_rate_change_interval(const struct pk_rate_change *change,
						 double outside)
{
	const double t = pk_student_quantile(outside, change->freedom);
	const double a = change->base * change->base - t * t * change->base_variance;
	const double b = change->base * change->current;
	const double c = change->current * change->current - t * t * change->current_variance;
	const double root = sqrt(fmax(0, b * b - a * c));

	if (isinf(t))
		return (struct pk_ratio_interval){0, INFINITY};
	if (a > 0)
		return (struct pk_ratio_interval){fmax(0, (b - root) / a), (b + root) / a};
	return (struct pk_ratio_interval){c > 0 ? c / (b + root) : 0, INFINITY};
}

double pk_rate_change_detectable(const struct pk_rate_change *change, double probability)
{
	const double deviation = sqrt(change->base_variance + change->current_variance);
	const double found = pk_student_quantile(probability, change->freedom);
	const double missed = pk_student_quantile(2 * MISSED, change->freedom);

	return change->base > 0 ? (found + missed) * deviation / change->base : INFINITY;
}
