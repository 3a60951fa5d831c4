// SPDX-License-Identifier: BSD-2-Clause
/* Compares the bins of two axes with a list of all samples. */
#include <stdlib.h>

#include "density.h"
#include "stream_builder.h"

enum { COUNT = 400 };

static struct sample {
	struct pk_wide x, y;
	uint64_t weight;
	uint32_t layer;
} samples[COUNT];

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Returns a random number of any size. Some results are the least and the largest number. */
static struct pk_wide any_number(void)
{
	const uint64_t number = next() >> next() % 64;

	switch (next() % 20) {
	case 0: return pk_wide_of_u64(UINT64_MAX);
	case 1: return pk_wide_of(INT64_MIN);
	case 2: return pk_wide_of(0);
	case 3:
	case 4: return pk_wide_of(-(int64_t)(number >> 1));
	default: return pk_wide_of_u64(number);
	}
}

/* ---- Scales ---- */

static const struct pk_scale scales[] = {
	{PK_SCALE_LINEAR, 0, 1},   {PK_SCALE_LINEAR, 0, 1000}, {PK_SCALE_LOG2, 0, 1},
	{PK_SCALE_LOG2, 0, 1000},  {PK_SCALE_LOG2, 4, 1},      {PK_SCALE_LOG2, 8, 7},
	{PK_SCALE_LOG10, 0, 1000}, {PK_SCALE_LOG10, 0, 1},
};

#define SCALES (sizeof(scales) / sizeof(scales[0]))

static void check_position(const struct pk_scale *scale, struct pk_wide number)
{
	const struct pk_wide position = pk_scale_position(scale, number);

	/* This test does not use ck_assert(), which is slow. */
	if (pk_wide_less(number, pk_scale_number(scale, position)) ||
	    !pk_wide_less(number, pk_scale_number(scale, pk_wide_add(position, pk_wide_of(1)))))
		ck_abort_msg("a number is not at its position");
}

START_TEST(a_position_has_the_numbers_from_its_first_to_that_of_the_next)
{
	for (size_t scale = 0; scale < SCALES; scale++) {
		for (int number = -70000; number < 70000; number++)
			check_position(&scales[scale], pk_wide_of(number));
		for (unsigned int i = 0; i < 3000; i++)
			check_position(&scales[scale], any_number());
	}
}
END_TEST

static bool is_at(const struct pk_scale *scale, int64_t number, int64_t position)
{
	return pk_wide_equal(pk_scale_position(scale, pk_wide_of(number)), pk_wide_of(position));
}

START_TEST(positions_of_some_numbers)
{
	const struct pk_scale *linear = &scales[1], *log2 = &scales[2], *log10 = &scales[7];

	ck_assert(is_at(linear, 999, 0) && is_at(linear, -1, -1));
	ck_assert(is_at(log2, 0, 0) && is_at(log2, 1, 1) && is_at(log2, 3, 2));
	ck_assert(is_at(log2, 4, 3) && is_at(log2, -4, -3));
	ck_assert(is_at(log10, 9, 8) && is_at(log10, 19, 9));
	ck_assert(is_at(log10, 20, 10) && is_at(log10, 0, -1));
}
END_TEST

/* ---- Densities ---- */

static bool is_between(struct pk_wide start, struct pk_wide number, struct pk_wide end)
{
	return !pk_wide_less(number, start) && pk_wide_less(number, end);
}

/* Returns the sum of the samples in a cell. It is calculated from the list of all samples. */
static uint64_t expected(const struct pk_density *d, uint32_t layer, uint32_t column, uint32_t row)
{
	const struct pk_wide left = pk_bin_axis_number(&d->x, column);
	const struct pk_wide right = pk_bin_axis_number(&d->x, column + 1);
	const struct pk_wide low = pk_bin_axis_number(&d->y, row);
	const struct pk_wide high = pk_bin_axis_number(&d->y, row + 1);
	uint64_t sum = 0;

	for (size_t i = 0; i < COUNT; i++)
		if (samples[i].layer == layer && is_between(left, samples[i].x, right) &&
		    is_between(low, samples[i].y, high))
			sum += samples[i].weight;
	return sum;
}

static void compare(const struct pk_density *d)
{
	uint64_t all = 0, wanted = 0;

	ck_assert(d->x.count <= d->x.max && d->y.count <= d->y.max);
	for (size_t i = 0; i < COUNT; i++)
		wanted += samples[i].weight;
	for (uint32_t layer = 0; layer < d->layers_count; layer++) {
		uint64_t sum = 0;

		for (uint32_t i = 0; d->layers[layer].columns && i < d->x.count; i++) {
			for (uint32_t j = 0; j < d->y.count; j++) {
				const uint64_t cell = pk_density_cell(d, layer, i, j);

				sum += cell;
				/* Compares all cells that have samples, and some other cells. */
				if (cell || next() % 512 == 0)
					ck_assert_uint_eq(cell, expected(d, layer, i, j));
			}
		}
		ck_assert_uint_eq(sum, d->layers[layer].total);
		all += sum;
	}
	ck_assert_uint_eq(all, wanted);
}

static void add_all(struct pk_density *d)
{
	for (size_t i = 0; i < COUNT; i++)
		ck_assert(pk_density_add(d, samples[i].layer, samples[i].x, samples[i].y,
					 samples[i].weight) == PK_OK);
}

static struct pk_density make(size_t x, size_t y, uint32_t columns, uint32_t rows)
{
	return (struct pk_density){.x = {.scale = scales[x], .max = columns},
				   .y = {.scale = scales[y], .max = rows},
				   .layers_max = 3};
}

static void check_density(struct pk_density *d)
{
	for (size_t i = 0; i < COUNT; i++)
		samples[i] = (struct sample){any_number(), any_number(), 1 + next() % 1000,
					     (uint32_t)(next() % 3)};
	add_all(d);
	compare(d);
	pk_density_join_columns(d, pk_bin_axis_factor(&d->x, 20));
	pk_density_join_rows(d, pk_bin_axis_factor(&d->y, 7));
	ck_assert(d->x.count <= 20 && d->y.count <= 7);
	compare(d);
	ck_assert(pk_density_move(d, 2, 0) == PK_OK);
	for (size_t i = 0; i < COUNT; i++)
		samples[i].layer = samples[i].layer == 2 ? 0 : samples[i].layer;
	compare(d);
	pk_density_free(d);
}

START_TEST(cells_have_the_sums_of_their_samples)
{
	for (size_t x = 0; x < SCALES; x++) {
		for (size_t y = 0; y < SCALES; y++) {
			struct pk_density d =
				make(x, y, 2 + (uint32_t)(x * 23 + y), 2 + (uint32_t)(y * 9 + x));

			check_density(&d);
		}
	}
}
END_TEST

START_TEST(time_goes_forward_and_values_are_near)
{
	struct pk_density d = make(0, 4, 100, 50);

	for (size_t i = 0; i < COUNT; i++)
		samples[i] = (struct sample){pk_wide_of_u64(1000000000 + i * UINT64_C(7919)),
					     pk_wide_of_u64(5000 + next() % 9000), 1, 0};
	add_all(&d);
	/* A range of 3 million ns must have at most 100 columns. */
	ck_assert(d.x.width.low == 50000 && d.x.count <= 65);
	compare(&d);
	pk_density_free(&d);
}
END_TEST

START_TEST(lengths_are_spread_over_columns)
{
	struct pk_density d = make(0, 0, 10, 4);
	uint64_t sum = 0;

	ck_assert(pk_density_add_length(&d, 0, 5, 27, pk_wide_of(1)) == PK_OK);
	ck_assert(pk_density_add_length(&d, 0, 7, 7, pk_wide_of(1)) == PK_OK);
	ck_assert(d.x.width.low == 5 && d.x.count == 5 && d.y.count == 1);
	ck_assert_uint_eq(pk_density_cell(&d, 0, 0, 0), 5);
	ck_assert_uint_eq(pk_density_cell(&d, 0, 4, 0), 2);
	ck_assert(pk_density_add_length(&d, 0, 0, 1, pk_wide_of(0)) == PK_OK);
	ck_assert(pk_density_add_length(&d, 0, 3, UINT64_MAX, pk_wide_of(2)) == PK_OK);
	for (uint32_t i = 0; i < d.x.count; i++)
		sum += pk_density_cell(&d, 0, i, 2);
	ck_assert_uint_eq(sum, UINT64_MAX - 3);
	ck_assert_uint_eq(pk_density_cell(&d, 0, 0, 1), 22);
	pk_density_free(&d);
}
END_TEST

START_TEST(sums_do_not_overflow)
{
	struct pk_density d = make(0, 0, 2, 2);

	for (unsigned int i = 0; i < 3; i++)
		ck_assert(pk_density_add(&d, 0, pk_wide_of(1), pk_wide_of(1), UINT64_MAX / 2) ==
			  PK_OK);
	ck_assert_uint_eq(pk_density_cell(&d, 0, 0, 0), UINT64_MAX);
	ck_assert_uint_eq(d.layers[0].total, UINT64_MAX);
	pk_density_free(&d);
}
END_TEST

/* ---- Widths and quantiles ---- */

static void check_width(struct pk_density *d, uint32_t count)
{
	uint64_t width;

	pk_density_join_columns(d, pk_bin_axis_factor(&d->x, count));
	ck_assert(d->x.count <= count && d->x.count * 3 >= count);
	for (width = d->x.width.low; width >= 10; width /= 10)
		ck_assert(width % 10 == 0);
	ck_assert(width == 1 || width == 2 || width == 5);
}

START_TEST(widths_are_round)
{
	static const uint32_t counts[] = {640, 250, 100, 60, 20, 9};
	const struct pk_wide limit = pk_wide_of(4096);

	for (size_t count = 0; count < sizeof(counts) / sizeof(counts[0]); count++) {
		struct pk_density d = make(0, 4, 1280, 320);

		for (size_t i = 0; i < COUNT; i++)
			ck_assert(pk_density_add(
					  &d, 0,
					  pk_wide_of_u64(i * UINT64_C(1) * (1000 + count * 333)),
					  pk_wide_of_u64(1 + (next() >> next() % 60)), 1) == PK_OK);
		check_width(&d, counts[count]);
		/* A power of two is always the start of a row. */
		pk_density_join_rows(&d, pk_bin_axis_factor(&d.y, 70));
		for (uint32_t row = 0; row < d.y.count; row++)
			if (pk_wide_less(pk_bin_axis_number(&d.y, row), limit))
				ck_assert(!pk_wide_less(limit, pk_bin_axis_number(&d.y, row + 1)));
		pk_density_free(&d);
	}
}
END_TEST

START_TEST(quantiles_of_a_column)
{
	struct pk_density d = make(0, 4, 4, 320);
	double number;

	for (unsigned int i = 1; i <= 1000; i++)
		ck_assert(pk_density_add(&d, 0, pk_wide_of(i % 2), pk_wide_of(i * 1000), 1) ==
			  PK_OK);
	ck_assert(pk_density_quantile(&d, 0, 0, 0.5, &number));
	ck_assert(number > 490000 && number < 510000);
	ck_assert(pk_density_quantile(&d, 0, 1, 0.99, &number));
	ck_assert(number > 970000 && number < 1010000);
	ck_assert(pk_density_quantile(&d, 0, 1, 0, &number));
	ck_assert(number <= 1000);
	pk_density_free(&d);
}
END_TEST

START_TEST(places)
{
	struct pk_density d = make(0, 2, 4, 80);

	ck_assert(pk_density_add(&d, 0, pk_wide_of(0), pk_wide_of(1), 1) == PK_OK);
	ck_assert(pk_density_add(&d, 0, pk_wide_of(0), pk_wide_of(1024), 1) == PK_OK);
	ck_assert(pk_bin_axis_place(&d.y, pk_wide_of(1)) == 0);
	ck_assert(pk_bin_axis_place(&d.y, pk_wide_of(1024)) == 10);
	ck_assert(pk_bin_axis_place(&d.y, pk_wide_of(1536)) == 10.5);
	ck_assert(pk_bin_axis_place(&d.y, pk_wide_of(0)) < 0);
	pk_density_free(&d);
}
END_TEST

RUN_TESTS("density", a_position_has_the_numbers_from_its_first_to_that_of_the_next,
	  positions_of_some_numbers, cells_have_the_sums_of_their_samples,
	  time_goes_forward_and_values_are_near, lengths_are_spread_over_columns,
	  sums_do_not_overflow, widths_are_round, quantiles_of_a_column, places)
