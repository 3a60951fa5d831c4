// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "incomplete_beta.h"
#include "ranks.h"
#include "student.h"

/* With more values, the normal approximation is used. */
#define EXACT_MOST 100000

/* Returns the probability that at least `rank` of `count` values are below the quantile. */
static double probability_of(uint64_t count, double share, uint64_t rank)
{
	if (!rank)
		return 1;
	if (rank > count)
		return 0;
	return pk_incomplete_beta((double)rank, (double)(count - rank) + 1, share, 1 - share);
}

/* Returns the smallest rank whose probability is at most `limit`. */
static uint64_t rank_at(uint64_t count, double share, double limit)
{
	uint64_t low = 0, high = count + 1;

	while (high - low > 1) {
		const uint64_t middle = low + (high - low) / 2;

		if (probability_of(count, share, middle) <= limit)
			high = middle;
		else
			low = middle;
	}
	return high;
}

struct pk_quantile_ranks pk_quantile_ranks(uint64_t count, double share, double outside)
{
	struct pk_quantile_ranks ranks;

	if (!(share > 0) || !(share < 1))
		return (struct pk_quantile_ranks){0};
	if (count > EXACT_MOST) {
		const double middle = share * (double)count;
		const double step =
			pk_student_quantile(outside, INFINITY) * sqrt(middle * (1 - share));

		ranks.low = (uint64_t)fmax(0, floor(middle - step));
		ranks.high = (uint64_t)ceil(middle + step) + 1;
	} else {
		ranks.low = rank_at(count, share, 1 - outside / 2) - 1;
		ranks.high = rank_at(count, share, outside / 2);
	}
	if (ranks.high > count)
		ranks.high = 0;
	return ranks;
}

void pk_rank_sums_add(struct pk_rank_sums *sums, uint64_t base, uint64_t current)
{
	const double left = (double)base, right = (double)current, equal = left + right;

	sums->wins += right * (sums->base + left / 2);
	sums->base += left;
	sums->current += right;
	sums->tied += equal * (equal * equal - 1);
}

struct pk_rank_comparison pk_rank_sums_compare(const struct pk_rank_sums *sums)
{
	const double pairs = sums->base * sums->current, all = sums->base + sums->current;
	const double variance = pairs / 12 * (all + 1 - sums->tied / (all * (all - 1)));
	const double greater = sums->wins / pairs;

	if (!(pairs > 0) || !(variance > 0))
		return (struct pk_rank_comparison){NAN, NAN};
	return (struct pk_rank_comparison){
		.greater = greater,
		.probability =
			pk_student_two_sided((greater - 0.5) * pairs / sqrt(variance), INFINITY),
	};
}
