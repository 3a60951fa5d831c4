// SPDX-License-Identifier: BSD-2-Clause
/* Tests means, deviations, scaled counts, and the metrics beside them. */
#include <math.h>

#include "derived.h"
#include "stream_builder.h"

START_TEST(deviation)
{
	static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct moments moments = {0};

	moments_add(&moments, 3);
	ck_assert_double_eq(moments_deviation(&moments), 0);
	ck_assert_double_eq(moments_interval(&moments, 95), 0);
	moments = (struct moments){0};
	for (size_t i = 0; i < 8; i++)
		moments_add(&moments, 1e12 + values[i]);
	ck_assert_double_eq_tol(moments.mean, 1e12 + 5, 1e-3);
	/* The variance of the sample is 32 / 7. The variance of the mean is an eighth of this. */
	ck_assert_double_eq_tol(moments_deviation(&moments), sqrt(32.0 / 7 / 8), 1e-4);
	/* scipy.stats.t.isf(0.025, 7) and (0.005, 7) */
	ck_assert_double_eq_tol(moments_interval(&moments, 95), 2.364624251592784 * sqrt(4 / 7.0),
				1e-4);
	ck_assert_double_eq_tol(moments_interval(&moments, 99), 3.4994832973504946 * sqrt(4 / 7.0),
				1e-4);
	ck_assert_double_eq(moments_interval(&moments, 0), moments_deviation(&moments));
}
END_TEST

START_TEST(scaling)
{
	struct count before = {100, 10, 10, 0}, now = {300, 50, 30, 0}, sum = {0};

	ck_assert_double_eq(count_scaled(&before), 100);
	ck_assert_double_eq(count_scaled(&now), 500);
	now = count_since(&now, &before);
	ck_assert_uint_eq(now.value, 200);
	ck_assert_double_eq(count_scaled(&now), 400);
	count_add(&sum, &now);
	count_add(&sum, &now);
	ck_assert_uint_eq(sum.value, 400);
	ck_assert_uint_eq(sum.running, 40);
	ck_assert_double_eq(count_scaled(&(struct count){7, 5, 0, 0}), 7);
}
END_TEST

static struct event events[4];
static struct count counts[4];

static struct derived derived(size_t i, struct derived *second)
{
	static struct stat_group group;
	const struct event_list list = {.items = events, .count = 4};
	const struct stat_groups groups = {.items = &group, .count = 1};
	static const bool hidden[4];
	const struct stat_result result = {.events = &list,
					   .groups = &groups,
					   .counts = counts,
					   .hidden = hidden,
					   .seconds = 2,
					   .at = -1};
	struct derived items[2];

	derive(&result, i, 0, items, 2);
	*second = items[1];
	return items[0];
}

START_TEST(metrics)
{
	struct derived second, first;

	for (size_t i = 0; i < 4; i++)
		events[i].name = (char *)"some";
	events[0].attr =
		(struct perf_attr){.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
	events[1].attr =
		(struct perf_attr){.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
	events[2].attr = (struct perf_attr){.type = PERF_TYPE_HARDWARE,
					    .config = PERF_COUNT_HW_INSTRUCTIONS};
	events[3].attr =
		(struct perf_attr){.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS};
	counts[0] = (struct count){1000000000, 1, 1, 0};
	counts[1] = (struct count){3000000000, 1, 1, 0};
	counts[2] = (struct count){1500000000, 1, 1, 0};
	counts[3] = (struct count){2500, 1, 1, 0};
	first = derived(0, &second);
	ck_assert_str_eq(first.unit, "CPUs utilized");
	ck_assert_double_eq_tol(first.value, 0.5, 1e-9);
	first = derived(1, &second);
	ck_assert_str_eq(first.unit, "GHz");
	ck_assert_double_eq_tol(first.value, 3, 1e-9);
	first = derived(2, &second);
	ck_assert_str_eq(first.unit, "insn per cycle");
	ck_assert_double_eq_tol(first.value, 0.5, 1e-9);
	ck_assert_ptr_null(second.format);
	first = derived(3, &second);
	ck_assert_str_eq(first.unit, "K/sec");
	ck_assert_double_eq_tol(first.value, 2.5, 1e-9);
	/* The cycles of user space are not used with the instructions of user space and kernel. */
	events[1].attr.flags = PERF_ATTR_EXCLUDE_KERNEL;
	first = derived(2, &second);
	ck_assert_ptr_null(first.format);
}
END_TEST

RUN_TESTS("moments", deviation, scaling, metrics)
