// SPDX-License-Identifier: BSD-2-Clause
#include <check.h>
#include <stdlib.h>

#include "pmu.h"
#include "procfs.h"

START_TEST(formats)
{
	struct pmu_format format;

	ck_assert(pk_pmu_format_parse("config:0-7,32-35", &format));
	ck_assert_uint_eq(format.word, 0);
	ck_assert_uint_eq(format.bits, UINT64_C(0xf000000ff));
	ck_assert_uint_eq(pk_pmu_format_most(&format), 0xfff);
	ck_assert_uint_eq(pk_pmu_format_place(&format, 0xabc), UINT64_C(0xa000000bc));
	ck_assert(pk_pmu_format_parse("config1:0-63", &format));
	ck_assert_uint_eq(format.word, 1);
	ck_assert_uint_eq(pk_pmu_format_most(&format), UINT64_MAX);
	ck_assert_uint_eq(pk_pmu_format_place(&format, UINT64_MAX), UINT64_MAX);
	ck_assert(pk_pmu_format_parse("config4:5", &format));
	ck_assert_uint_eq(format.word, 4);
	ck_assert_uint_eq(pk_pmu_format_place(&format, 1), 1 << 5);
}
END_TEST

START_TEST(no_formats)
{
	static const char *const wrong[] = {"",		 "config",     "config:",     "config:x",
					    "config:64", "config:7-0", "config:0-64", "config:0,",
					    "config5:1", "confi:1",    "config:0-",   "config:1 2"};
	struct pmu_format format;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!pk_pmu_format_parse(wrong[i], &format), "%s", wrong[i]);
}
END_TEST

START_TEST(lists)
{
	static const char *const wrong[] = {"", "x", "1-", "-1", "3-1", "0-65536", "1,,2", "0-1,"};
	size_t count = 0;
	int *cpus = NULL;

	ck_assert(pk_cpu_list_parse("0-2,8", &cpus, &count) == PK_OK);
	ck_assert_uint_eq(count, 4);
	ck_assert_int_eq(cpus[3], 8);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		size_t none = 1;
		int *nothing = &(int){0};

		ck_assert_msg(pk_cpu_list_parse(wrong[i], &nothing, &none) != PK_OK, "%s",
			      wrong[i]);
		ck_assert_ptr_null(nothing);
		ck_assert_uint_eq(none, 0);
	}
	free(cpus);
}
END_TEST

/* Names are used in paths. They must not lead out of the folder. */
START_TEST(no_escape)
{
	char text[16];

	ck_assert(!pk_pmu_read("/proc", "..", "version", text, sizeof(text), NULL));
	ck_assert(!pk_pmu_read("/", "a/b", "c", text, sizeof(text), NULL));
	ck_assert(!pk_pmu_read("/", "a", "events/../../type", text, sizeof(text), NULL));
	ck_assert(!pk_pmu_read("/", "", "type", text, sizeof(text), NULL));
	ck_assert_uint_eq(pk_pmu_list("/nowhere", NULL).count, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lib/event: PMUs");
	TCase *test = tcase_create("pmu");
	SRunner *runner;
	int failed;

	tcase_add_test(test, formats);
	tcase_add_test(test, no_formats);
	tcase_add_test(test, lists);
	tcase_add_test(test, no_escape);
	suite_add_tcase(suite, test);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
