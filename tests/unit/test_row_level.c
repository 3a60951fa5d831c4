// SPDX-License-Identifier: BSD-2-Clause
/* Tests sums that are estimated from the rows of a level. */
#include "row_writer.h"
#include "stream_builder.h"

enum { ROWS = 1000000 };

/* Returns the probability that a row of this size has this level or a higher level. */
static double probability(double size, unsigned int level)
{
	for (; level; level--)
		size /= 16;
	return size < 1 ? size : 1;
}

/* Makes row i. The sizes of most rows are their samples, from 1 to 64. Every eighth row is a wait
 * of 1 s to 8 s, whose size is from 10 to 80. */
static void make_row(int i, uint64_t *samples, uint64_t *weight)
{
	*samples = i % 8 ? (uint64_t)(1 << i % 7) : 1;
	*weight = i % 8 ? *samples * 1000000 : (uint64_t)(1 + i / 8 % 8) * 1000000000;
}

START_TEST(estimates_are_unbiased)
{
	struct row_levels levels = {.state = 1};
	double all = 0, estimates[ROW_LEVEL_MAX + 1] = {0};
	unsigned int counts[ROW_LEVEL_MAX + 1] = {0}, level;
	uint64_t samples, weight;
	double size;

	for (int i = 0; i < ROWS; i++) {
		make_row(i, &samples, &weight);
		level = row_level(&levels, samples, weight, true);
		ck_assert_uint_le(level, ROW_LEVEL_MAX);
		size = (double)weight / 1e8 > (double)samples ? (double)weight / 1e8
							      : (double)samples;
		all += (double)weight;
		for (unsigned int k = 0; k <= level; k++) {
			counts[k]++;
			estimates[k] += (double)weight / probability(size, k);
		}
	}
	ck_assert_uint_eq(counts[0], ROWS);
	/* The estimates use about 100,000 rows (level 1), 10,000 rows (level 2) and some hundred
	 * rows (level 3). Their errors must be less than 1 %, 3 % and 15 %. */
	ck_assert_msg(estimates[1] / all > 0.99 && estimates[1] / all < 1.01, "level 1: %f",
		      estimates[1] / all);
	ck_assert_msg(estimates[2] / all > 0.97 && estimates[2] / all < 1.03, "level 2: %f",
		      estimates[2] / all);
	ck_assert_msg(estimates[3] / all > 0.85 && estimates[3] / all < 1.15, "level 3: %f",
		      estimates[3] / all);
	/* All rows of at least 16 samples, and all waits of at least 2 s, have level 1 or a higher
	 * level. */
	ck_assert_uint_gt(counts[1], ROWS / 3);
	ck_assert_uint_lt(counts[3], ROWS / 100);
}
END_TEST

START_TEST(large_rows_have_high_levels)
{
	struct row_levels levels = {.state = 1};

	ck_assert_uint_eq(row_level(&levels, 1 << 24, 1, false), ROW_LEVEL_MAX);
	ck_assert_uint_eq(row_level(&levels, UINT64_MAX, UINT64_MAX, true), ROW_LEVEL_MAX);
	ck_assert_uint_ge(row_level(&levels, 1, UINT64_C(25600000000), true), 2);
	ck_assert_uint_eq(row_level(&levels, 0, 0, true), 0);
}
END_TEST

START_TEST(runs_draw_other_levels)
{
	struct row_levels levels[2] = {{0}, {0}};
	int different = 0;

	for (int i = 0; i < 1000; i++)
		different +=
			row_level(&levels[0], 8, 8, false) != row_level(&levels[1], 8, 8, false);
	ck_assert_int_gt(different, 0);
}
END_TEST

RUN_TESTS("row_level", estimates_are_unbiased, large_rows_have_high_levels, runs_draw_other_levels)
