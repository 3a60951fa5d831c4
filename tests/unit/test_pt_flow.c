/* SPDX-License-Identifier: BSD-2-Clause */
/* The blocks and events of an Intel PT trace become branches. */
#include <check.h>
#include <stdlib.h>

#include "pt_flow.h"

static struct pt_flow flow;
static struct pt_branch branches[PT_FLOW_BRANCHES];

static void setup(void)
{
	flow = (struct pt_flow){0};
}

/* Gives a block whose last instruction has 2 bytes. Returns the number of branches. */
static unsigned int block(uint64_t from, uint64_t last, enum pt_class class)
{
	const struct pt_step step = {
		.kind = PT_STEP_BLOCK, .from = from, .last = last, .class = class};

	return pt_flow_step(&flow, &step, last + 2, branches);
}

static unsigned int event(enum pt_step_kind kind, uint64_t from, uint64_t to)
{
	const struct pt_step step = {.kind = kind, .from = from, .to = to};

	return pt_flow_step(&flow, &step, 0, branches);
}

static void expect(unsigned int i, enum pt_branch_kind kind, uint64_t from, uint64_t to)
{
	ck_assert_uint_eq(branches[i].kind, kind);
	ck_assert_uint_eq(branches[i].from, from);
	ck_assert_uint_eq(branches[i].to, to);
}

START_TEST(classes)
{
	static const struct {
		enum pt_class class;
		enum pt_branch_kind kind;
	} all[] = {{PT_CALL, PT_BRANCH_CALL},	    {PT_RETURN, PT_BRANCH_RETURN},
		   {PT_JUMP, PT_BRANCH_JUMP},	    {PT_CONDITIONAL, PT_BRANCH_CONDITIONAL},
		   {PT_SYSCALL, PT_BRANCH_SYSCALL}, {PT_SYSRET, PT_BRANCH_SYSRET}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		setup();
		ck_assert_uint_eq(block(0x1000, 0x1010, all[i].class), 0);
		ck_assert_uint_eq(block(0x2000, 0x2010, PT_OTHER), 1);
		expect(0, all[i].kind, 0x1010, 0x2000);
		ck_assert_uint_eq(branches[0].after, 0x1012);
	}
	ck_assert_uint_eq(block(0x3000, 0x3010, PT_OTHER), 0);
}
END_TEST

START_TEST(not_taken)
{
	ck_assert_uint_eq(block(0x1000, 0x1010, PT_CONDITIONAL), 0);
	ck_assert_uint_eq(block(0x1012, 0x1020, PT_CONDITIONAL), 0);
	ck_assert_uint_eq(block(0x1000, 0x1010, PT_CONDITIONAL), 1);
	expect(0, PT_BRANCH_CONDITIONAL, 0x1020, 0x1000);
	/* A jump to the next instruction is a branch. */
	ck_assert_uint_eq(block(0x1012, 0x1020, PT_JUMP), 0);
	ck_assert_uint_eq(block(0x1022, 0x1030, PT_OTHER), 1);
	expect(0, PT_BRANCH_JUMP, 0x1020, 0x1022);
}
END_TEST

START_TEST(starts_and_stops)
{
	ck_assert_uint_eq(event(PT_STEP_START, 0, 0x1000), 1);
	expect(0, PT_BRANCH_START, 0, 0x1000);
	ck_assert_uint_eq(block(0x1000, 0x1010, PT_SYSCALL), 0);
	ck_assert_uint_eq(event(PT_STEP_STOP, 0, 0), 1);
	expect(0, PT_BRANCH_SYSCALL, 0x1010, 0);
	ck_assert_uint_eq(event(PT_STEP_START, 0, 0x1012), 1);
	ck_assert_uint_eq(event(PT_STEP_STOP, 0, 0), 0);
	ck_assert_uint_eq(block(0x1012, 0x1020, PT_OTHER), 0);
	ck_assert_uint_eq(event(PT_STEP_STOP, 0, 0), 1);
	expect(0, PT_BRANCH_STOP, 0x1020, 0);
}
END_TEST

START_TEST(interruptions)
{
	block(0x1000, 0x1010, PT_CONDITIONAL);
	ck_assert_uint_eq(event(PT_STEP_ASYNC, 0x1000, 0xffffffff80000000), 2);
	expect(0, PT_BRANCH_CONDITIONAL, 0x1010, 0x1000);
	expect(1, PT_BRANCH_INTERRUPT, 0x1000, 0xffffffff80000000);
	block(0x1000, 0x1010, PT_CONDITIONAL);
	ck_assert_uint_eq(event(PT_STEP_ASYNC, 0x1012, 0), 1);
	expect(0, PT_BRANCH_INTERRUPT, 0x1012, 0);
}
END_TEST

/* After a loss, the branch before it has no target. */
START_TEST(losses)
{
	static const enum pt_step_kind kinds[] = {PT_STEP_OVERFLOW, PT_STEP_ERROR, PT_STEP_END};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		block(0x1000, 0x1010, PT_CALL);
		ck_assert_uint_eq(event(kinds[i], 0, 0), 0);
		ck_assert_uint_eq(block(0x2000, 0x2010, PT_OTHER), 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pt_flow");
	TCase *tests = tcase_create("pt_flow");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, classes);
	tcase_add_test(tests, not_taken);
	tcase_add_test(tests, starts_and_stops);
	tcase_add_test(tests, interruptions);
	tcase_add_test(tests, losses);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
