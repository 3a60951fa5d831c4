// SPDX-License-Identifier: BSD-2-Clause
/* Rows remain sorted if further rows are added. */
#include <stdlib.h>

#include "results.h"
#include "stream_builder.h"

#define ROWS 1000

/* Returns the value of a row. Some rows have the same value. */
static uint32_t value_of(uint32_t row)
{
	return row * 7919 % 101;
}

static int compare(const void *left, const void *right, void *arg)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	(void)arg;
	if (value_of(a) != value_of(b))
		return value_of(a) < value_of(b) ? -1 : 1;
	return (a > b) - (a < b);
}

START_TEST(rows_are_merged)
{
	static const size_t counts[] = {0, 1, 2, 100, 100, 999, ROWS, 5};
	struct row_order order = {0};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		ck_assert(pk_row_order_extend(&order, counts[i], compare, NULL) == PK_OK);
		ck_assert_uint_eq(order.count, counts[i]);
		for (size_t at = 0; at < order.count; at++) {
			ck_assert_uint_eq(order.ranks[order.rows[at]], at);
			if (at)
				ck_assert_int_lt(
					compare(&order.rows[at - 1], &order.rows[at], NULL), 0);
		}
	}
	pk_row_order_free(&order);
}
END_TEST

RUN_TESTS("row_order", rows_are_merged)
