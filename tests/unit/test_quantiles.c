// SPDX-License-Identifier: BSD-2-Clause
/* Quantiles differ from the exact quantiles by less than one percent. */
#include <stdlib.h>

#include "field_measure.h"
#include "groups.h"
#include "stream_builder.h"

static struct pk_quantiles quantiles;

static int compare(const void *left, const void *right)
{
	const struct pk_wide *a = left, *b = right;

	return pk_wide_less(*b, *a) - pk_wide_less(*a, *b);
}

static void check(uint32_t row, const struct pk_wide *values, size_t count, double share)
{
	size_t rank = (size_t)(share * (double)count);
	struct pk_wide found, expected, error;

	rank += (double)rank < share * (double)count;
	expected = values[rank ? rank - 1 : 0];
	ck_assert(pk_quantiles_get(&quantiles, row, share, &found));
	error = pk_wide_magnitude(pk_wide_subtract(found, expected));
	ck_assert(!pk_wide_less(pk_wide_magnitude(expected),
				pk_wide_multiply(error, pk_wide_of(100))));
}

START_TEST(errors_are_below_one_percent)
{
	static const double shares[] = {0, 0.01, 0.5, 0.9, 0.99, 0.999, 1};
	enum { COUNT = 5000 };
	static struct pk_wide values[3][COUNT];
	uint64_t random = 88172645463325252u;

	for (size_t i = 0; i < COUNT; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		values[0][i] = pk_wide_of_u64(random >> random % 64); /* numbers of all sizes */
		values[1][i] = pk_wide_of((int64_t)(random % 200) - 100);
		values[2][i] = pk_wide_of(-(int64_t)(random >> (1 + random % 63)));
		for (uint32_t row = 0; row < 3; row++)
			ck_assert(pk_quantiles_add(&quantiles, row + 7, values[row][i]) == PK_OK);
	}
	ck_assert(pk_quantiles_sort(&quantiles) == PK_OK);
	for (uint32_t row = 0; row < 3; row++) {
		qsort(values[row], COUNT, sizeof(values[row][0]), compare);
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
			check(row + 7, values[row], COUNT, shares[i]);
	}
	pk_quantiles_free(&quantiles);
}
END_TEST

START_TEST(small_numbers_are_exact)
{
	struct pk_wide value;

	for (int i = -127; i <= 127; i++)
		ck_assert(pk_quantiles_add(&quantiles, 1, pk_wide_of(i)) == PK_OK);
	ck_assert(pk_quantiles_add(&quantiles, 3, pk_wide_of_u64(UINT64_MAX)) == PK_OK);
	ck_assert(pk_quantiles_add(&quantiles, 3, pk_wide_of(INT64_MIN)) == PK_OK);
	ck_assert(pk_quantiles_sort(&quantiles) == PK_OK);
	for (int i = 1; i <= 255; i++) {
		ck_assert(pk_quantiles_get(&quantiles, 1, i / 255.0, &value));
		ck_assert(pk_wide_equal(value, pk_wide_of(i - 128)));
	}
	ck_assert(!pk_quantiles_get(&quantiles, 0, 0.5, &value));
	ck_assert(!pk_quantiles_get(&quantiles, 2, 0.5, &value));
	ck_assert(!pk_quantiles_get(&quantiles, UINT32_MAX, 0.5, &value));
	ck_assert(pk_quantiles_get(&quantiles, 3, 0.5, &value));
	ck_assert(pk_wide_less(value, pk_wide_of(INT64_MIN / 100 * 99)));
	ck_assert(pk_quantiles_get(&quantiles, 3, 1, &value));
	ck_assert(pk_wide_less(pk_wide_of_u64(UINT64_MAX / 100 * 99), value));
	pk_quantiles_free(&quantiles);
}
END_TEST

START_TEST(buckets)
{
	static const struct {
		const char *bucket;
		int64_t number, low;
	} cases[] = {
		{"log2", 0, 0},
		{"log2", 1, 1},
		{"log2", 1023, 512},
		{"log2", -5, -4},
		{"log2", -1, -1},
		{"100", 99, 0},
		{"100", 100, 100},
		{"100", -1, -100},
		{"100", -100, -100},
		{"1us", 2500, 2000},
		{"2", INT64_MIN, INT64_MIN},
	};
	static const char *const bad[] = {
		"", "log", "log2x", "0", "-1", "1x", "99999999999999999999"};
	struct pk_bucket bucket;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert(pk_bucket_parse(&bucket, cases[i].bucket));
		ck_assert_int_eq((int64_t)pk_bucket_of(&bucket, true, (uint64_t)cases[i].number),
				 cases[i].low);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert(!pk_bucket_parse(&bucket, bad[i]));
	ck_assert(pk_bucket_parse(&bucket, "log2"));
	ck_assert_uint_eq(pk_bucket_of(&bucket, false, UINT64_MAX), UINT64_C(1) << 63);
}
END_TEST

RUN_TESTS("quantiles", errors_are_below_one_percent, small_numbers_are_exact, buckets)
