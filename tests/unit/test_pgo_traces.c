// SPDX-License-Identifier: BSD-2-Clause
#include "pgo_traces.h"
#include "stream_builder.h"

/* Adds `number` to the count of a trace. */
static void add(struct pgo_traces *traces, uint32_t from, uint32_t to, uint32_t end,
		uint64_t number)
{
	bool full;
	struct pgo_trace *trace = pgo_traces_get(traces, from, to, end, 1000, &full);

	ck_assert(trace && !full);
	trace->count += number;
}

START_TEST(test_equal_addresses_are_one_trace)
{
	struct pgo_traces traces = {0};

	add(&traces, 1, 2, 3, 5);
	add(&traces, 1, 2, PGO_NONE, 7);
	add(&traces, 1, 2, 3, 11);
	add(&traces, PGO_NONE, 2, 3, 13);
	ck_assert_uint_eq(traces.count, 3);
	pgo_traces_sort(&traces, PGO_BY_BRANCH);
	ck_assert_uint_eq(traces.items[0].from, PGO_NONE);
	ck_assert_uint_eq(traces.items[0].count, 13);
	ck_assert_uint_eq(traces.items[1].end, PGO_NONE);
	ck_assert_uint_eq(traces.items[1].count, 7);
	ck_assert_uint_eq(traces.items[2].count, 16);
	pgo_traces_sort(&traces, PGO_BY_RANGE);
	ck_assert_uint_eq(traces.items[0].count, 7);
	ck_assert_uint_eq(traces.items[1].count, 13);
	ck_assert_uint_eq(traces.items[2].count, 16);
	pgo_traces_free(&traces);
}
END_TEST

START_TEST(test_a_full_set_still_counts_its_traces)
{
	struct pgo_traces traces = {0};
	bool full;

	for (uint32_t i = 0; i < 10; i++)
		ck_assert(pgo_traces_get(&traces, i, i, i, 10, &full) && !full);
	ck_assert(!pgo_traces_get(&traces, 10, 0, 0, 10, &full));
	ck_assert(full);
	ck_assert(pgo_traces_get(&traces, 9, 9, 9, 10, &full) && !full);
	ck_assert_uint_eq(traces.count, 10);
	pgo_traces_free(&traces);
}
END_TEST

START_TEST(test_many_traces)
{
	struct pgo_traces traces = {0};
	bool full;

	for (uint32_t i = 0; i < 100000; i++) {
		struct pgo_trace *trace =
			pgo_traces_get(&traces, i % 1000, i % 10, i % 100, 1000, &full);

		ck_assert(trace);
		trace->count++;
	}
	ck_assert_uint_eq(traces.count, 1000);
	for (size_t i = 0; i < traces.count; i++)
		ck_assert_uint_eq(traces.items[i].count, 100);
	pgo_traces_free(&traces);
}
END_TEST

RUN_TESTS("pgo_traces", test_equal_addresses_are_one_trace, test_a_full_set_still_counts_its_traces,
	  test_many_traces)
