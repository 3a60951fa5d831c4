// SPDX-License-Identifier: BSD-2-Clause
/* Tests how --budget chooses the frequency. */
#include <check.h>

#include "budget.h"

#define MB 1e6

START_TEST(parses)
{
	struct budget_cost limits;

	ck_assert(budget_parse("cpu=0.5%", &limits));
	ck_assert_double_eq_tol(limits.of[BUDGET_CPU], 0.005, 1e-9);
	ck_assert_double_eq(limits.of[BUDGET_BYTES], 0);
	ck_assert(budget_parse("bytes=1M/min,cpu=2%", &limits));
	ck_assert_double_eq_tol(limits.of[BUDGET_BYTES], 1048576 / 60.0, 1e-9);
	ck_assert_double_eq_tol(limits.of[BUDGET_CPU], 0.02, 1e-9);
	ck_assert(budget_parse("bytes=100k/s", &limits) && limits.of[BUDGET_BYTES] == 102400);
	ck_assert(budget_parse("bytes=3600/h", &limits) && limits.of[BUDGET_BYTES] == 1);
}
END_TEST

START_TEST(refuses)
{
	static const char *const wrong[] = {"",		  "cpu",	 "cpu=0.5",   "cpu=0%",
					    "cpu=101%",	  "cpu=1%x",	 "bytes=1M",  "bytes=1M/",
					    "bytes=1M/d", "bytes=0/min", "memory=1M", "cpu=1%,",
					    "bytes=/min", "cpu=%"};
	struct budget_cost limits;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!budget_parse(wrong[i], &limits), "%s", wrong[i]);
}
END_TEST

/* Simulates a recording: a sample costs `each` bytes, and each second costs `fixed` bytes more. At
 * the start of each minute, `head` bytes are written. Checks that no minute except the first costs
 * more than the limit and the error of the measurement. Returns the frequency at the end. */
static uint64_t simulate(double limit, uint64_t most, double each, double fixed, double head)
{
	struct budget budget = {
		.limits.of[BUDGET_BYTES] = limit / 60, .frequency = most, .most = most};
	struct budget_cost spent = {{0}}, once = {{0}};
	double seconds = 0;

	for (unsigned int minute = 0; minute < 30; minute++) {
		double all = head;

		once.of[BUDGET_BYTES] += head;
		for (unsigned int tick = 0; tick < 60; tick++) {
			const double cost = (double)budget.frequency * each + fixed;

			all += cost;
			spent.of[BUDGET_BYTES] += cost;
			seconds += 1;
			if (!budget_step(&budget, seconds, &spent, &once))
				continue;
			seconds = 0;
			spent = once = (struct budget_cost){{0}};
		}
		if (minute && !budget.at_least)
			ck_assert_msg(all <= 1.1 * limit, "minute %u: %.0f of %.0f", minute, all,
				      limit);
	}
	return budget.frequency;
}

START_TEST(keeps_limit)
{
	/* 1000 Hz cost 6 MB a minute. */
	const uint64_t frequency = simulate(1 * MB, 1000, 100, 0, 0);

	ck_assert_uint_ge(frequency, 110);
	ck_assert_uint_le(frequency, 167);
	/* With records that no frequency changes, less is left for samples. */
	ck_assert_uint_le(simulate(1 * MB, 1000, 100, 5000, 0), 117);
	ck_assert_uint_le(simulate(1 * MB, 1000, 100, 0, 300000), 167);
	/* There is room. */
	ck_assert_uint_eq(simulate(10 * MB, 1000, 100, 0, 0), 1000);
	/* No frequency is low enough. */
	ck_assert_uint_eq(simulate(1 * MB, 1000, 100, 100000, 0), 1);
}
END_TEST

START_TEST(returns)
{
	struct budget budget = {.limits.of[BUDGET_CPU] = 0.01, .frequency = 10, .most = 100};
	const struct budget_cost busy = {.of[BUDGET_CPU] = 0.15}, idle = {.of[BUDGET_CPU] = 0.001},
				 none = {{0}};

	ck_assert(!budget_step(&budget, 4, &busy, &none)); /* too few periods */
	ck_assert(budget_step(&budget, 10, &busy, &none));
	ck_assert_uint_eq(budget.cause, BUDGET_CPU);
	ck_assert_uint_lt(budget.frequency, 10);
	for (unsigned int i = 0; i < 20; i++)
		ck_assert(budget_step(&budget, 60, &idle, &none));
	ck_assert_uint_eq(budget.frequency, 100);
	ck_assert_uint_eq(budget.cause, BUDGET_NONE);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("budget");
	Suite *suite = suite_create("budget");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, parses);
	tcase_add_test(tcase, refuses);
	tcase_add_test(tcase, keeps_limit);
	tcase_add_test(tcase, returns);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
