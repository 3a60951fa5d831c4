// SPDX-License-Identifier: BSD-2-Clause
/* Tests the sums of a page: slots of time, and the limit of memory. */
#include <stdlib.h>

#include "page_data.h"
#include "stream_builder.h"

static void add(struct page_sums *sums, uint64_t time, uint32_t row, uint32_t stack,
		uint64_t weight)
{
	ck_assert_int_eq(page_sums_add(sums, time, row, stack, weight), PK_OK);
}

static void finish(struct page_sums *sums, uint64_t slots)
{
	ck_assert_int_eq(page_sums_finish(sums, slots), PK_OK);
}

START_TEST(joins)
{
	struct page_sums sums = {0};

	add(&sums, 1000, 2, 1, 5);
	add(&sums, 1003, 1, 7, 1);
	add(&sums, 1001, 2, 1, 6);
	add(&sums, PAGE_NO_TIME, 1, 7, 9);
	add(&sums, 1008, 2, 1, 4);
	finish(&sums, 100);
	ck_assert_uint_eq(sums.shift, 0);
	ck_assert_uint_eq(sums.count, 5);
	finish(&sums, 2);
	/* A slot has 8 ns. The slots are 1000 to 1007 and 1008 to 1015. */
	ck_assert_uint_eq(sums.shift, 3);
	ck_assert_uint_eq(sums.count, 4);
	ck_assert_uint_eq(sums.first, 1000 >> 3);
	ck_assert_uint_eq(sums.items[0].row, 1);
	ck_assert_uint_eq(sums.items[1].slot, PAGE_NO_TIME);
	ck_assert_uint_eq(sums.items[2].weight, 11);
	ck_assert_uint_eq(sums.items[2].samples, 2);
	ck_assert_uint_eq(sums.items[3].slot, 1008 >> 3);
	free(sums.items);
}
END_TEST

/* The sums of many samples stay within the limit, and their totals are right. */
START_TEST(thins)
{
	struct page_sums sums = {.limit = 1024};
	uint64_t weight = 0, samples = 0, expected = 0;

	for (uint64_t i = 0; i < 100000; i++) {
		add(&sums, (i * 977) << 10, i % 3 + 1, (uint32_t)(i % 5), i);
		expected += i;
		ck_assert_uint_le(sums.count, 1024);
	}
	finish(&sums, 1 << 14);
	for (size_t i = 0; i < sums.count; i++) {
		weight += sums.items[i].weight;
		samples += sums.items[i].samples;
	}
	ck_assert_uint_eq(weight, expected);
	ck_assert_uint_eq(samples, 100000);
	ck_assert_uint_eq(sums.limit, 1024);
	free(sums.items);
}
END_TEST

/* If one slot has more different sums than the limit, the limit becomes larger. */
START_TEST(grows)
{
	struct page_sums sums = {.limit = 64};

	for (uint32_t i = 0; i < 1000; i++)
		add(&sums, i, 1, i, 1);
	finish(&sums, 1);
	ck_assert_uint_eq(sums.count, 1000);
	ck_assert_uint_gt(sums.limit, 1000);
	free(sums.items);
}
END_TEST

RUN_TESTS("page_data", joins, thins, grows)
