// SPDX-License-Identifier: BSD-2-Clause
/* The statistics of lib/stats, compared with SciPy (stats_vectors.py). */
#include "discovery.h"
#include "ranks.h"
#include "rate_change.h"
#include "stats_vectors.h"
#include "stream_builder.h"
#include "student.h"

/* Fails if a value differs from the expected one by more than this part of it. */
static void check_close(double value, double expected, double part)
{
	if (isinf(expected))
		ck_assert_double_eq(value, expected);
	else
		ck_assert_msg(fabs(value - expected) <= part * fabs(expected),
			      "%.17g, expected %.17g", value, expected);
}

START_TEST(student)
{
	for (size_t i = 0; i < COUNT(student_vectors); i++) {
		const struct student_vector *v = &student_vectors[i];

		check_close(pk_student_two_sided(v->t, v->freedom), v->probability, 1e-10);
		check_close(pk_student_two_sided(-v->t, v->freedom), v->probability, 1e-10);
		if (v->probability > 1e-200)
			check_close(pk_student_quantile(v->probability, v->freedom), v->t, 1e-8);
	}
	ck_assert_double_eq(pk_student_two_sided(0, 5), 1);
	ck_assert_double_eq(pk_student_two_sided(NAN, 5), 1);
	ck_assert_double_eq(pk_student_two_sided(9, 0), 1);
	ck_assert_double_eq(pk_student_two_sided(INFINITY, 5), 0);
	ck_assert(isinf(pk_student_quantile(0.05, 0)));
}
END_TEST

START_TEST(quantile_ranks)
{
	struct pk_quantile_ranks ranks;

	for (size_t i = 0; i < COUNT(rank_vectors); i++) {
		const struct rank_vector *v = &rank_vectors[i];

		ranks = pk_quantile_ranks((uint64_t)v->count, v->share, v->outside);
		ck_assert_double_eq((double)ranks.low, v->low);
		ck_assert_double_eq((double)ranks.high, v->high);
	}
	/* The approximation for many values is close to the exact ranks of fewer values. */
	ranks = pk_quantile_ranks(1000000, 0.5, 0.05);
	ck_assert_uint_eq(ranks.low, 499020);
	ck_assert_uint_eq(ranks.high, 500981);
	ranks = pk_quantile_ranks(0, 0.5, 0.05);
	ck_assert(!ranks.low && !ranks.high);
	ranks = pk_quantile_ranks(100, 1, 0.05);
	ck_assert(!ranks.low && !ranks.high);
}
END_TEST

START_TEST(rank_test)
{
	struct pk_rank_sums sums = {0};
	struct pk_rank_comparison comparison = pk_rank_sums_compare(&sums);

	ck_assert(isnan(comparison.greater) && isnan(comparison.probability));
	for (size_t i = 0; i < COUNT(tied_base); i++)
		pk_rank_sums_add(&sums, (uint64_t)tied_base[i], (uint64_t)tied_current[i]);
	comparison = pk_rank_sums_compare(&sums);
	check_close(comparison.greater, tied_results[0], 1e-12);
	check_close(comparison.probability, tied_results[1], 1e-10);
	/* All values are equal. */
	sums = (struct pk_rank_sums){0};
	pk_rank_sums_add(&sums, 20, 30);
	comparison = pk_rank_sums_compare(&sums);
	ck_assert(isnan(comparison.greater) && isnan(comparison.probability));
}
END_TEST

START_TEST(gamma_derivatives)
{
	for (size_t i = 0; i < COUNT(gamma_vectors); i++) {
		check_close(pk_digamma(gamma_vectors[i].x), gamma_vectors[i].digamma, 1e-10);
		check_close(pk_trigamma(gamma_vectors[i].x), gamma_vectors[i].trigamma, 1e-10);
	}
}
END_TEST

START_TEST(discovery)
{
	double values[COUNT(discovery_probabilities) + 1];

	memcpy(values, discovery_probabilities, sizeof(discovery_probabilities));
	values[COUNT(discovery_probabilities)] = NAN;
	ck_assert_int_eq(pk_discovery_adjust(values, COUNT(values)), PK_OK);
	for (size_t i = 0; i < COUNT(discovery_rates); i++)
		ck_assert_double_eq_tol(values[i], discovery_rates[i], 1e-15);
	ck_assert(isnan(values[COUNT(discovery_rates)]));
	ck_assert_int_eq(pk_discovery_adjust(values, 0), PK_OK);
}
END_TEST

START_TEST(blocks)
{
	struct pk_variance variance =
		pk_block_variance(block_weights, block_units, COUNT(block_weights));
	static const double zero[8];

	check_close(variance.value, block_variances[0], 1e-12);
	ck_assert_double_eq_tol(variance.freedom, 1.5 * (50 / 4.0 - 1), 1e-12);
	variance = pk_block_variance(block_weights, block_units, 20);
	check_close(variance.value, block_variances[1], 1e-12);
	ck_assert_double_eq(variance.freedom, 19);
	ck_assert_double_eq(pk_block_variance(block_weights, block_units, 3).freedom, 0);
	ck_assert_double_eq(pk_block_variance(zero, zero, 8).freedom, 0);
	/* A row that is always the same part of the units does not vary. */
	ck_assert_double_eq_tol(pk_block_variance(block_units, block_units, 50).value, 0, 1e-9);
}
END_TEST

START_TEST(spread)
{
	double freedoms[COUNT(spread_ratios)], total;
	struct pk_overdispersion common;

	for (size_t i = 0; i < COUNT(spread_ratios); i++)
		freedoms[i] = 4;
	common = pk_overdispersion_fit(spread_ratios, freedoms, COUNT(spread_ratios));
	check_close(common.ratio, spread_common[0], 1e-8);
	check_close(common.freedom, spread_common[1], 1e-7);
	check_close(pk_overdispersion_moderate(&common, 3, 4, &total),
		    (common.freedom * common.ratio + 12) / (common.freedom + 4), 1e-12);
	check_close(total, common.freedom + 4, 1e-12);
	/* Too few quantities have nothing in common. Equal ones have all in common. */
	common = pk_overdispersion_fit(spread_ratios, freedoms, 4);
	ck_assert_double_eq(common.freedom, 0);
	ck_assert_double_eq(pk_overdispersion_moderate(&common, 3, 4, &total), 3);
	ck_assert_double_eq(total, 4);
	for (size_t i = 0; i < COUNT(freedoms); i++)
		freedoms[i] = 3;
	common = pk_overdispersion_fit(freedoms, freedoms, COUNT(freedoms));
	ck_assert(isinf(common.freedom));
	pk_overdispersion_moderate(&common, 9, 4, &total);
	ck_assert(isinf(total));
}
END_TEST

START_TEST(intervals)
{
	for (size_t i = 0; i < COUNT(interval_vectors); i++) {
		const struct interval_vector *v = &interval_vectors[i];
		const struct pk_rate_change change = {.base = v->base,
						      .current = v->current,
						      .base_variance = v->base_variance,
						      .current_variance = v->current_variance,
						      .freedom = v->freedom};
		const struct pk_ratio_interval interval = pk_rate_change_interval(&change, 0.05);

		check_close(interval.low, v->low, 1e-8);
		check_close(interval.high, v->high, 1e-8);
		check_close(pk_rate_change_detectable(&change, 0.001), v->detectable, 1e-8);
	}
}
END_TEST

/* Two recordings of 100 and 300 units in the base, one of 400 units in the new side. */
START_TEST(sides)
{
	const struct pk_rate_part old[] = {{20, 100, {4, 10}}, {80, 300, {12, 20}}};
	const struct pk_rate_part new[] = {{120, 400, {0, 0}}};
	struct pk_rate_side base = {.squares = 100, .all_squares = 400}, current = base;
	struct pk_rate_change change, guarded;

	current.squares = 120;
	for (size_t i = 0; i < 2; i++)
		pk_rate_side_add(&base, &old[i]);
	for (size_t i = 0; i < 2; i++)
		pk_rate_side_spread(&base, &old[i], 2);
	pk_rate_side_add(&current, &new[0]);
	pk_rate_side_spread(&current, &new[0], 1);
	ck_assert_double_eq(base.blocks, 16);
	/* The residuals are 20 - 25 and 80 - 75. */
	ck_assert_double_eq(base.between, 2 * (25 + 25));
	ck_assert_double_eq(base.between_freedom, 1);
	ck_assert_double_eq(current.between_freedom, 0);
	pk_rate_change_measure(&change, &base, &current, true);
	ck_assert_double_eq(change.base, 0.25);
	ck_assert_double_eq(change.current, 0.3);
	/* Each sample has weight 1. The usual share is 220/800. The variances of independent
	 * samples are 75/400^2 and 84/400^2. The blocks of the base vary 16/75 times as much. */
	check_close(change.blocks, 16 / 75.0, 1e-12);
	check_close(change.base_variance, 16 / 75.0 * 0.275 * 0.725 / 400, 1e-12);
	check_close(change.current_variance, 16 / 75.0 * 0.3 * 0.7 / 400, 1e-12);
	ck_assert_double_eq(change.freedom, 30);
	ck_assert_double_eq(change.spread_freedom, 1);
	check_close(change.spread, 100 / 16.0, 1e-12);
	guarded = pk_rate_change_guarded(&change, 2);
	check_close(guarded.base_variance, 2 * 0.275 * 0.725 / 400, 1e-12);
	check_close(guarded.current_variance, 2 * 0.3 * 0.7 / 400, 1e-12);
	pk_rate_change_spread(&change, &(struct pk_overdispersion){.ratio = 4, .freedom = 1e9});
	check_close(change.base_variance, 4 * 16 / 75.0 * 0.275 * 0.725 / 400, 1e-6);
}
END_TEST

RUN_TESTS("stats", student, quantile_ranks, rank_test, gamma_derivatives, discovery, blocks, spread,
	  intervals, sides)
