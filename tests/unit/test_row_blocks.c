// SPDX-License-Identifier: BSD-2-Clause
/* Weights of rows in blocks of time, whatever the length of the recording and the order of samples.
 */
#include "row_blocks.h"
#include "stream_builder.h"

static void add(struct row_blocks *blocks, unsigned int side, uint32_t row, uint64_t time,
		uint64_t weight)
{
	const struct row_sample sample = {.row = row,
					  .event = 5,
					  .time = time,
					  .weight = weight,
					  .squares = (double)(weight * weight),
					  .has_time = true};

	ck_assert_int_eq(pk_row_blocks_add(blocks, side, &sample), PK_OK);
}

/* The variance is that of the final blocks, as if their length had been known from the start. */
START_TEST(joined)
{
	const uint64_t start = UINT64_C(7) << 40, length = UINT64_C(1024) << 16;
	double weights[50] = {0}, units[50] = {0};
	struct row_blocks blocks = {0};
	struct pk_variance expected;
	uint64_t random = 1;

	add(&blocks, 0, 2, start, 0);
	for (int i = 0; i < 5000; i++) {
		const uint32_t row = 1 + (random = random * 16807 % 2147483647) % 3;
		/* Samples are a bit out of order. */
		const uint64_t time = (uint64_t)(i ^ 7) * (length / 100);

		add(&blocks, 0, row, start + time, row);
		units[time / length] += row;
		if (row == 3)
			weights[time / length] += row;
	}
	ck_assert_uint_eq(blocks.width, length);
	ck_assert_uint_le(blocks.cells_count, 3 * ROW_BLOCKS);
	ck_assert_int_eq(pk_row_blocks_end(&blocks, 0, 0), PK_OK);
	ck_assert_uint_eq(blocks.parts_count, 3);
	ck_assert_uint_eq(blocks.parts[2].row, 3);
	expected = pk_block_variance(weights, units, 50);
	ck_assert_double_eq_tol(blocks.parts[2].variance.value, expected.value,
				1e-9 * expected.value);
	ck_assert_double_eq(blocks.parts[2].variance.freedom, expected.freedom);
	pk_row_blocks_free(&blocks);
}
END_TEST

START_TEST(recordings)
{
	struct row_blocks blocks = {0};
	const struct row_event *event;

	add(&blocks, 1, 1, 100, 3);
	add(&blocks, 1, 2, UINT64_MAX, 4); /* a huge gap */
	add(&blocks, 1, 2, 5, 4);	   /* older than the first sample */
	ck_assert_int_eq(pk_row_blocks_end(&blocks, 1, 0.25), PK_OK);
	ck_assert_int_eq(pk_row_blocks_end(&blocks, 0, 0), PK_OK); /* no samples, no recording */
	add(&blocks, 0, 2, 7, 10);
	ck_assert_int_eq(pk_row_blocks_end(&blocks, 0, 0), PK_OK);
	ck_assert_uint_eq(blocks.recordings_count, 2);
	ck_assert_uint_eq(blocks.recordings[0].side, 1);
	ck_assert_double_eq(blocks.recordings[0].lost, 0.25);
	ck_assert_uint_eq(blocks.parts_count, 3);
	ck_assert_double_eq(blocks.parts[0].weight, 3);
	ck_assert_double_eq(blocks.parts[1].weight, 8);
	ck_assert_double_eq(blocks.parts[2].weight, 10);
	ck_assert_double_eq(blocks.parts[2].variance.freedom, 0);
	ck_assert_double_eq(blocks.squares[2], 16 + 16 + 100);
	event = pk_row_blocks_event(&blocks, 5);
	ck_assert_double_eq(event->units[0], 11);
	ck_assert_double_eq(event->units[1], 10);
	ck_assert_double_eq(event->squares[1], 9 + 16 + 16);
	ck_assert_ptr_null(pk_row_blocks_event(&blocks, 6));
	ck_assert(!event->mixed);
	pk_row_blocks_free(&blocks);
}
END_TEST

/* Seconds: a recording of 4 s that lost half of its samples has units of 2 s. */
START_TEST(seconds)
{
	struct row_blocks blocks = {.unit = ROW_UNIT_SECOND};

	for (uint64_t i = 0; i <= 400; i++)
		add(&blocks, 0, 1, i * 10000000, 1);
	ck_assert_int_eq(pk_row_blocks_end(&blocks, 0, 0.5), PK_OK);
	ck_assert_double_eq_tol(pk_row_blocks_event(&blocks, 5)->units[0], 2, 1e-9);
	pk_row_blocks_free(&blocks);
}
END_TEST

RUN_TESTS("row_blocks", joined, recordings, seconds)
