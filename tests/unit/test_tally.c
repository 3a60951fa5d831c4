// SPDX-License-Identifier: BSD-2-Clause
/* Tests sums of weights by group and stack. */
#include <stdlib.h>

#include "stream_builder.h"
#include "tally.h"

static struct pk_tally tally;

START_TEST(sums)
{
	struct pk_cell *cells;
	size_t count;

	ck_assert(pk_tally_add(&tally, 0, 70000, 1) == PK_OK);
	ck_assert(pk_tally_add(&tally, 2, 3, 10) == PK_OK);
	ck_assert(pk_tally_add(&tally, 0, 0, 5) == PK_OK);
	ck_assert(pk_tally_add(&tally, 1, 9, 20) == PK_OK);
	ck_assert(pk_tally_add(&tally, 2, 3, 30) == PK_OK);
	ck_assert(pk_tally_add(&tally, 1, 2, 40) == PK_OK);
	ck_assert(pk_tally_add(&tally, 0, 0, 6) == PK_OK);
	cells = pk_tally_cells(&tally, &count);
	ck_assert_uint_eq(count, 5);
	for (size_t i = 0; i < count; i++) {
		static const struct pk_cell expected[] = {
			{0, 0, 11}, {0, 70000, 1}, {1, 2, 40}, {1, 9, 20}, {2, 3, 40}};

		ck_assert_uint_eq(cells[i].group, expected[i].group);
		ck_assert_uint_eq(cells[i].stack, expected[i].stack);
		ck_assert_uint_eq(cells[i].weight, expected[i].weight);
	}
	free(cells);
	/* The tally is empty after the call, and can be used again. */
	cells = pk_tally_cells(&tally, &count);
	ck_assert_uint_eq(count, 0);
	free(cells);
	ck_assert(pk_tally_add(&tally, 2, 3, 1) == PK_OK);
	cells = pk_tally_cells(&tally, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(cells[0].weight, 1);
	free(cells);
	pk_tally_free(&tally);
}
END_TEST

START_TEST(many)
{
	struct pk_cell *cells;
	size_t count;

	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < 30000; i++)
			ck_assert(pk_tally_add(&tally, 1 + i % 300, i / 300, i) == PK_OK);
	cells = pk_tally_cells(&tally, &count);
	ck_assert_uint_eq(count, 30000);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_uint_eq(cells[i].group, 1 + i / 100);
		ck_assert_uint_eq(cells[i].stack, i % 100);
		ck_assert_uint_eq(cells[i].weight, 3 * (i % 100 * 300 + i / 100));
	}
	free(cells);
	pk_tally_free(&tally);
}
END_TEST

RUN_TESTS("tally", sums, many)
