/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of several CPUs become one sequence of operations in the order of time. */
#include "spe_queues.h"
#include "stream_builder.h"

#include "spe_builder.h"

/* Conversion of times: ns are twice the counter. */
static const struct trace_clock doubled = {.shift = 0, .mult = 2, .known = true};

static struct built stream, trace;
static struct spe_queues *queues;

static void setup(void)
{
	stream = trace = (struct built){0};
	put_header(&stream);
	queues = spe_queues_new();
	ck_assert_ptr_nonnull(queues);
}

static void teardown(void)
{
	spe_queues_free(queues);
	built_clear(&stream);
	built_clear(&trace);
}

/* Moves the bytes of `trace` to an AUXTRACE. */
static void end_piece(uint32_t index, uint64_t offset)
{
	RECORD(&stream, PERF_RECORD_AUXTRACE, 0, "8884444", trace.size, offset, 0, index,
	       100 + index, index, 0);
	put_bytes(&stream, trace.data, trace.size);
	built_clear(&trace);
}

/* Adds all AUXTRACE records of the stream to the queues. */
static void add_all(void)
{
	struct source source = source_of(&stream);
	struct pk_reader *reader = read_source(&source);
	struct pk_record record;

	while (pk_reader_next(reader, &record) == PK_OK)
		if (record.type == PERF_RECORD_AUXTRACE)
			ck_assert(spe_queues_add(queues, reader, &record) == PK_OK);
	pk_reader_free(reader);
	built_clear(&stream);
	put_header(&stream);
}

static void expect(uint64_t before, const struct trace_clock *clock, uint64_t ip, uint64_t time,
		   uint32_t cpu)
{
	struct spe_operation operation;

	ck_assert(spe_queues_next(queues, clock, before, &operation) == PK_OK);
	ck_assert_uint_eq(operation.record->ip, ip);
	ck_assert_uint_eq(operation.time, time);
	ck_assert_uint_eq(operation.cpu, cpu);
	ck_assert_uint_eq(operation.tid, cpu + 100);
}

static void expect_none(uint64_t before)
{
	struct spe_operation operation;

	ck_assert(spe_queues_next(queues, &doubled, before, &operation) == PK_END);
}

static void expect_counts(uint64_t operations, uint64_t lost)
{
	spe_queues_end(queues);
	ck_assert_uint_eq(spe_queues_counts(queues)->operations, operations);
	ck_assert_uint_eq(spe_queues_counts(queues)->lost, lost);
}

START_TEST(merged)
{
	spe_load(&trace, 0x1000, 5, 10);
	spe_load(&trace, 0x1004, 5, 30);
	end_piece(0, 0);
	spe_load(&trace, 0x2000, 5, 10);
	spe_load(&trace, 0x2004, 5, 20);
	spe_load(&trace, 0x2008, 5, 40);
	end_piece(1, 0);
	add_all();
	expect_none(20);
	expect(21, &doubled, 0x1000, 20, 0);
	expect(60, &doubled, 0x2000, 20, 1);
	expect(60, &doubled, 0x2004, 40, 1);
	expect_none(60);
	expect(61, &doubled, 0x1004, 60, 0);
	expect_none(80);
	expect(UINT64_MAX, &doubled, 0x2008, 80, 1);
	expect_none(UINT64_MAX);
	expect_counts(5, 0);
}
END_TEST

/* A record can be in two AUXTRACE records, which are added at different times. */
START_TEST(continued)
{
	struct built whole = {0};

	spe_load(&whole, 0x1000, 5, 10);
	spe_load(&whole, 0x1004, 5, 20);
	for (size_t cut = 1; cut < whole.size; cut++) {
		spe_queues_clear(queues);
		put_bytes(&trace, whole.data, cut);
		end_piece(0, 4096);
		add_all();
		if (cut >= whole.size / 2)
			expect(UINT64_MAX, &doubled, 0x1000, 20, 0);
		expect_none(UINT64_MAX);
		put_bytes(&trace, whole.data + cut, whole.size - cut);
		end_piece(0, 4096 + cut);
		add_all();
		if (cut < whole.size / 2)
			expect(UINT64_MAX, &doubled, 0x1000, 20, 0);
		expect(UINT64_MAX, &doubled, 0x1004, 40, 0);
		expect_none(UINT64_MAX);
	}
	expect_counts(2 * (whole.size - 1), 0);
	built_clear(&whole);
}
END_TEST

/* If bytes are missing between two AUXTRACE records, the incomplete record is lost. The rest of a
 * record after the gap cannot be distinguished from a record. */
START_TEST(gap)
{
	spe_load(&trace, 0x1000, 5, 10);
	spe_load(&trace, 0x1004, 5, 20);
	trace.size -= 3;
	end_piece(0, 0);
	spe_load(&trace, 0x1008, 5, 30);
	end_piece(0, 1000);
	add_all();
	expect(UINT64_MAX, &doubled, 0x1000, 20, 0);
	expect(UINT64_MAX, &doubled, 0x1008, 60, 0);
	expect_none(UINT64_MAX);
	expect_counts(2, 1);
}
END_TEST

START_TEST(damaged)
{
	spe_load(&trace, 0x1000, 5, 10);
	put(&trace, 1, 0xff);
	spe_load(&trace, 0x1004, 5, 20);
	spe_load(&trace, 0x1008, 5, 30);
	spe_code(&trace, 0, 0x100c, 0);
	end_piece(0, 0);
	add_all();
	expect(UINT64_MAX, &doubled, 0x1000, 20, 0);
	expect(UINT64_MAX, &doubled, 0x1008, 60, 0);
	expect_none(UINT64_MAX);
	expect_counts(2, 2);
}
END_TEST

/* The memory holds a part of a trace only. */
START_TEST(large)
{
	for (uint64_t i = 0; i < 20000; i++)
		spe_load(&trace, 4 * i, 5, i);
	end_piece(0, 0);
	add_all();
	for (uint64_t i = 0; i < 20000; i++)
		expect(UINT64_MAX, &doubled, 4 * i, 2 * i, 0);
	expect_none(UINT64_MAX);
	expect_counts(20000, 0);
}
END_TEST

/* A record without a time has the time of the record before it. */
START_TEST(timeless)
{
	static const struct trace_clock unknown;

	spe_load(&trace, 0x1000, 5, 10);
	spe_code(&trace, 0, 0x1004, 0);
	put(&trace, 1, 0x01);
	end_piece(0, 0);
	spe_load(&trace, 0x2000, 5, 15);
	end_piece(1, 0);
	add_all();
	expect(UINT64_MAX, &doubled, 0x1000, 20, 0);
	expect(UINT64_MAX, &doubled, 0x1004, 20, 0);
	expect(UINT64_MAX, &doubled, 0x2000, 30, 1);
	expect_none(UINT64_MAX);
	spe_load(&trace, 0x1008, 5, 20);
	end_piece(0, 0);
	add_all();
	expect(UINT64_MAX, &unknown, 0x1008, 20, 0);
}
END_TEST

START_TEST(many)
{
	for (uint32_t i = 0; i < 9000; i++) {
		spe_load(&trace, i, 5, 9000 - i);
		end_piece(i, 0);
	}
	add_all();
	ck_assert_uint_eq(spe_queues_counts(queues)->dropped, 9000 - 8192);
	for (uint32_t i = 8192; i--;)
		expect(UINT64_MAX, &doubled, i, 2 * (9000 - i), i);
	expect_none(UINT64_MAX);
}
END_TEST

/* ---- Times ---- */

static struct trace_clock clock_of(const char *widths, const uint64_t *values)
{
	struct built b = {0};
	struct pk_record record;
	struct trace_clock clock;

	open_record(&b, PERF_RECORD_TIME_CONV, 0);
	put_all(&b, widths, values);
	close_record(&b);
	record = pk_record_at(b.data);
	trace_clock_set(&clock, &record);
	built_clear(&b);
	return clock;
}

START_TEST(times)
{
	/* A counter of 25 MHz has 40 ns. */
	struct trace_clock clock = clock_of("888", (const uint64_t[]){10, 40 << 10, 1000});

	ck_assert_uint_eq(trace_clock_time(&clock, 0), 1000);
	ck_assert_uint_eq(trace_clock_time(&clock, 1), 1040);
	ck_assert_uint_eq(trace_clock_time(&clock, UINT64_C(1) << 40), 1000 + (UINT64_C(40) << 40));
	/* A counter of 32 bits that has wrapped around. */
	clock = clock_of("8888811222",
			 (const uint64_t[]){0, 1, 0, 0x1fffffff0, 0xffffffff, 1, 1, 0, 0, 0});
	ck_assert_uint_eq(trace_clock_time(&clock, 0xfffffff0), 0x1fffffff0);
	ck_assert_uint_eq(trace_clock_time(&clock, 5), 0x200000005);
	clock = clock_of("888", (const uint64_t[]){64, 1, 0});
	ck_assert(!clock.known);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spe_queues");
	TCase *tests = tcase_create("spe_queues");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, merged);
	tcase_add_test(tests, continued);
	tcase_add_test(tests, gap);
	tcase_add_test(tests, damaged);
	tcase_add_test(tests, large);
	tcase_add_test(tests, timeless);
	tcase_add_test(tests, many);
	tcase_add_test(tests, times);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
