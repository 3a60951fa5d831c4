// SPDX-License-Identifier: BSD-2-Clause
/* Tests the limit of the memory of the ordered reader, for streams without FINISHED_ROUND. */
#include "stream_builder.h"

static const struct perf_attr timed = {.type = 1,
				       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
				       .flags = PERF_ATTR_SAMPLE_ID_ALL};

/* A stream that is generated while it is read. It has `large` large records and then small records,
 * and no FINISHED_ROUND. */
struct endless {
	struct built head;
	size_t at; /* position in `head`, or in the current record */
	uint64_t next, large, count;
	uint64_t (*time)(uint64_t number);
	uint8_t record[65528];
};

static ssize_t read_endless(void *arg, void *buf, size_t size)
{
	struct endless *e = arg;
	const uint8_t *from = e->record;
	size_t left, record_size = e->next <= e->large ? sizeof(e->record) : 24;

	if (e->next == 0) {
		from = e->head.data;
		record_size = e->head.size;
	}
	left = record_size - e->at;
	if (!left) {
		if (e->next == e->count)
			return 0;
		e->next++;
		e->at = 0;
		record_size = e->next <= e->large ? sizeof(e->record) : 24;
		pk_store_u32(e->record, PERF_RECORD_SAMPLE);
		pk_store_u16(e->record + 6, (uint16_t)record_size);
		pk_store_u64(e->record + 8, e->next);
		pk_store_u64(e->record + 16, e->time(e->next));
		return read_endless(arg, buf, size);
	}
	if (size > left)
		size = left;
	memcpy(buf, from + e->at, size);
	e->at += size;
	return (ssize_t)size;
}

static struct pk_order_stats read_window(uint64_t large, uint64_t count,
					 uint64_t (*time)(uint64_t number))
{
	static struct endless e;
	struct pk_reader_options options = {.read = read_endless, .arg = &e, .fd = -1};
	struct built built = {0};
	struct pk_order_stats stats;
	struct pk_reader *reader;
	struct pk_order *order;
	struct pk_record record;
	enum pk_status status;
	uint64_t samples = 0;

	put_header(&built);
	put_attr(&built, &timed, 1, 1);
	e = (struct endless){.head = built, .large = large, .count = count, .time = time};
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
	while (!(status = pk_order_next(order, &record)))
		samples += record.type == PERF_RECORD_SAMPLE;
	ck_assert_int_eq(status, PK_END);
	ck_assert_uint_eq(samples, count);
	pk_order_stats(order, &stats);
	pk_order_free(order);
	pk_reader_free(reader);
	built_clear(&built);
	return stats;
}

static uint64_t jitter(uint64_t number)
{
	return 1000 + number - number % 7 * 2;
}

static uint64_t far_back(uint64_t number)
{
	return number > 1100 ? 1 : (UINT64_C(1) << 60) + number;
}

START_TEST(window)
{
	struct pk_order_stats stats = read_window(1500, 1500, jitter);

	ck_assert_uint_eq(stats.late, 0);
	ck_assert_uint_ge(stats.window_flushes, 1);
	/* Many old records must not cause a sort of the stored records for each of them. */
	stats = read_window(1100, 20000, far_back);
	ck_assert_uint_le(stats.window_flushes, 3);
	ck_assert_uint_gt(stats.late, 10000);
}
END_TEST

RUN_TESTS("order_window", window)
