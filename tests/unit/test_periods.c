// SPDX-License-Identifier: BSD-2-Clause
#include "periods.h"
#include "stream_builder.h"

/* The results of the calls of pk_periods_next(), in their order. */
struct calls {
	unsigned int count;
	uint32_t event[8];
	uint64_t period[8];
};

/* Reads a stream of HEADER_ATTR and SAMPLE records, which must be valid. Returns the periods. */
static struct calls periods_of(const struct built *b)
{
	struct source source = source_of(b);
	struct pk_reader *reader = read_source(&source);
	struct pk_periods *periods = pk_periods_new();
	struct calls calls = {0};
	struct pk_period_walk walk;
	struct pk_record record;
	enum pk_status status;

	while (pk_reader_next(reader, &record) == PK_OK) {
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pk_periods_start(&walk, periods, pk_reader_events(reader),
						  pk_reader_event_of(reader, &record), &record),
				 PK_OK);
		while (!(status = pk_periods_next(&walk))) {
			ck_assert_uint_lt(calls.count, 8);
			calls.event[calls.count] = walk.event->index;
			calls.period[calls.count++] = walk.period;
		}
		ck_assert_int_eq(status, PK_END);
	}
	pk_periods_free(periods);
	pk_reader_free(reader);
	return calls;
}

static void put_sample_period(struct built *b, uint64_t period)
{
	RECORD(b, PERF_RECORD_SAMPLE, 0, "88", 0x401000, period);
}

START_TEST(of_the_sample)
{
	const struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD};
	struct built b = {0};
	struct calls calls;

	put_header(&b);
	put_attr(&b, &attr, 1, 1);
	put_sample_period(&b, 7);
	put_sample_period(&b, 0);
	calls = periods_of(&b);
	ck_assert_uint_eq(calls.count, 2);
	ck_assert_uint_eq(calls.period[0], 7);
	ck_assert_uint_eq(calls.period[1], 0);
	built_clear(&b);
}
END_TEST

/* If a sample has no PERIOD, its period is that of the attr, unless the attr has a frequency. */
START_TEST(of_the_attr)
{
	struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP, .sample_period = 4000};
	struct built b = {0};

	for (int freq = 0; freq < 2; freq++) {
		struct calls calls;

		attr.flags = freq ? PERF_ATTR_FREQ : 0;
		put_header(&b);
		put_attr(&b, &attr, 1, 1);
		RECORD(&b, PERF_RECORD_SAMPLE, 0, "8", 0x401000);
		calls = periods_of(&b);
		ck_assert_uint_eq(calls.count, 1);
		ck_assert_uint_eq(calls.period[0], freq ? 1 : 4000);
		built_clear(&b);
	}
}
END_TEST

/* Writes a sample with an id, a tid, and a READ with one value and its id. */
static void put_value(struct built *b, uint32_t tid, uint64_t value)
{
	RECORD(b, PERF_RECORD_SAMPLE, 0, "84488", 5, 1, tid, value, 5);
}

static struct calls values_of(uint64_t flags)
{
	const struct perf_attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_ID,
		.flags = flags,
	};
	struct built b = {0};
	struct calls calls;

	put_header(&b);
	put_attr(&b, &attr, 5, 1);
	put_value(&b, 1, 100);
	put_value(&b, 2, 130);
	put_value(&b, 1, 150);
	put_value(&b, 1, 150);
	calls = periods_of(&b);
	built_clear(&b);
	return calls;
}

START_TEST(growth_of_a_counter)
{
	struct calls calls = values_of(0);

	ck_assert_uint_eq(calls.count, 3); /* no period if the value did not grow */
	ck_assert_uint_eq(calls.period[0], 100);
	ck_assert_uint_eq(calls.period[1], 30);
	ck_assert_uint_eq(calls.period[2], 20);
}
END_TEST

START_TEST(inherited_counters_are_apart)
{
	struct calls calls = values_of(PERF_ATTR_INHERIT);

	ck_assert_uint_eq(calls.count, 3);
	ck_assert_uint_eq(calls.period[0], 100);
	ck_assert_uint_eq(calls.period[1], 130);
	ck_assert_uint_eq(calls.period[2], 50);
}
END_TEST

START_TEST(group)
{
	const struct perf_attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST,
	};
	struct built b = {0};
	struct calls calls;

	put_header(&b);
	put_attr(&b, &attr, 5, 1);
	put_attr(&b, &attr, 6, 1);
	RECORD(&b, PERF_RECORD_SAMPLE, 0, "88888888", 5, 2, 1000, 5, 0, 3, 6, 0);
	RECORD(&b, PERF_RECORD_SAMPLE, 0, "88888888", 5, 2, 1500, 5, 0, 3, 6, 0);
	calls = periods_of(&b);
	ck_assert_uint_eq(calls.count, 3);
	ck_assert_uint_eq(calls.event[0], 0);
	ck_assert_uint_eq(calls.period[0], 1000);
	ck_assert_uint_eq(calls.event[1], 1);
	ck_assert_uint_eq(calls.period[1], 3);
	ck_assert_uint_eq(calls.event[2], 0);
	ck_assert_uint_eq(calls.period[2], 500);
	built_clear(&b);
}
END_TEST

RUN_TESTS("periods", of_the_sample, of_the_attr, growth_of_a_counter, inherited_counters_are_apart,
	  group)
