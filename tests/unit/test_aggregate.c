// SPDX-License-Identifier: BSD-2-Clause
/* Tests the names of aggregates, and the order of values. */
#include "field_measure.h"
#include "stream_builder.h"

START_TEST(names)
{
	static const char *const bad[] = {"", "p", "p.5", "p101", "p5x", "summ", "su", "p1.2.3"};
	struct pk_aggregate aggregate;
	const char *name;

	for (size_t i = 0; (name = pk_aggregate_name(i)); i++)
		ck_assert(pk_aggregate_parse(&aggregate, name, strlen(name)));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!pk_aggregate_parse(&aggregate, bad[i], strlen(bad[i])), "%s",
			      bad[i]);
	ck_assert(pk_aggregate_parse(&aggregate, "p99.9", 5));
	ck_assert_int_eq(aggregate.kind, PK_AGGREGATE_QUANTILE);
	ck_assert_double_eq_tol(aggregate.share, 0.999, 1e-12);
	ck_assert(pk_aggregate_parse(&aggregate, "p100", 4));
	ck_assert(pk_aggregate_parse(&aggregate, "p0", 2));
}
END_TEST

START_TEST(order)
{
	const struct pk_amount amounts[] = {
		{0},
		pk_amount_of(pk_wide_of(INT64_MIN)),
		pk_amount_real(-0.5),
		pk_amount_of_u64(0),
		pk_amount_real(0.25),
		pk_amount_of_u64(UINT64_MAX),
		pk_amount_of((struct pk_wide){0, 1}),
		{.kind = PK_AMOUNT_TEXT, .text = "", .size = 0},
		{.kind = PK_AMOUNT_TEXT, .text = "a", .size = 1},
		{.kind = PK_AMOUNT_TEXT, .text = "ab", .size = 2},
		{.kind = PK_AMOUNT_TEXT, .text = "b", .size = 1},
	};
	const int count = sizeof(amounts) / sizeof(amounts[0]);

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++) {
			const int result = pk_amount_compare(&amounts[i], &amounts[j]);

			ck_assert_int_eq((result > 0) - (result < 0), (i > j) - (i < j));
		}
}
END_TEST

RUN_TESTS("aggregate", names, order)
