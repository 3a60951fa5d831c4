// SPDX-License-Identifier: BSD-2-Clause
#include <check.h>
#include <stdlib.h>

#include "pieces.h"

static void add(struct pieces *pieces, uint32_t lane, uint16_t group, uint32_t name, uint64_t start,
		uint64_t end)
{
	ck_assert(pieces_add(pieces, (struct piece){.lane = lane,
						    .group = group,
						    .name = name,
						    .start = start,
						    .end = end}) == PK_OK);
}

START_TEST(few_pieces_stay)
{
	struct pieces pieces = {.most = 100};

	for (uint64_t i = 0; i < 100; i++)
		add(&pieces, 1, 0, 1, i * 10, i * 10 + 5);
	ck_assert_uint_eq(pieces.count, 100);
	ck_assert_uint_eq(pieces.step, 0);
	ck_assert_uint_eq(pieces_merged(&pieces), 0);
	pieces_free(&pieces);
}
END_TEST

/* For all merges of pieces, the sums of each lane and group are those of the input, no piece is
 * counted twice, and long pieces keep their times. */
START_TEST(sums_stay)
{
	struct pieces pieces = {.most = 500};
	uint64_t sums[3][2] = {{0}}, counts[3][2] = {{0}}, time = 0, found = 0, merged = 0;

	srand(5);
	for (unsigned int i = 0; i < 20000; i++) {
		const unsigned int lane = (unsigned int)rand() % 3,
				   group = (unsigned int)rand() % 2;
		const uint64_t length = 1 + (uint64_t)rand() % 3000;

		time += (uint64_t)rand() % 5000;
		add(&pieces, lane, (uint16_t)group, 1 + (uint32_t)rand() % 5, time, time + length);
		sums[lane][group] += length;
		counts[lane][group]++;
	}
	add(&pieces, 2, 1, 9, 77, UINT64_C(1) << 40);
	pieces_sort(&pieces);
	ck_assert_uint_le(pieces.count, 500);
	ck_assert_uint_gt(pieces.step, 100000);
	for (size_t i = 0; i < pieces.count; i++) {
		const struct piece *piece = &pieces.items[i];

		found += piece->name == 9 && piece->start == 77 && piece->count == 1;
		merged += piece->count > 1 ? piece->count : 0;
		if (piece->name == 9)
			continue;
		ck_assert_uint_le(piece->end - piece->start, 2 * pieces.step);
		sums[piece->lane][piece->group] -= piece->time;
		counts[piece->lane][piece->group] -= piece->count;
	}
	ck_assert_uint_eq(found, 1);
	ck_assert_uint_eq(pieces_merged(&pieces), merged);
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert_uint_eq(sums[i / 2][i % 2], 0);
		ck_assert_uint_eq(counts[i / 2][i % 2], 0);
	}
	pieces_free(&pieces);
}
END_TEST

START_TEST(name_with_most_time_wins)
{
	struct pieces pieces = {.most = 4};

	add(&pieces, 2, 0, 1, 0, 1000000);
	add(&pieces, 1, 0, 1, 0, 10);
	add(&pieces, 1, 0, 2, 20, 70);
	add(&pieces, 1, 0, 3, 80, 85);
	add(&pieces, 1, 0, 3, 90, 95);
	add(&pieces, 1, 0, 3, 96, 99);
	pieces_sort(&pieces);
	ck_assert_uint_eq(pieces.count, 2);
	ck_assert_uint_eq(pieces.items[0].name, 2);
	ck_assert_uint_eq(pieces.items[0].count, 5);
	ck_assert_uint_eq(pieces.items[0].time, 73);
	ck_assert_uint_eq(pieces.items[0].end, 99);
	pieces_free(&pieces);
}
END_TEST

/* If there are more lanes than pieces, the limit of pieces grows, and not the step. The step
 * remains a fraction of the time of the recording. */
START_TEST(many_lanes)
{
	struct pieces pieces = {.most = 100};

	for (uint32_t i = 0; i < 100000; i++)
		add(&pieces, i % 1000, 0, 1, i * 1000, i * 1000 + 500);
	ck_assert_uint_le(pieces.step, 100000000 / 25);
	ck_assert_uint_le(pieces.count, 1000 * 100);
	ck_assert_uint_gt(pieces_merged(&pieces), 0);
	pieces_free(&pieces);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pieces");
	TCase *tests = tcase_create("pieces");
	SRunner *runner;
	int failed;

	tcase_add_test(tests, few_pieces_stay);
	tcase_add_test(tests, sums_stay);
	tcase_add_test(tests, name_with_most_time_wins);
	tcase_add_test(tests, many_lanes);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
