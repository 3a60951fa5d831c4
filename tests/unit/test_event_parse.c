// SPDX-License-Identifier: BSD-2-Clause
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "perf_syscall.h"

static struct event_list list;

static void teardown(void)
{
	pk_event_list_free(&list);
}

static const struct event *parse(const char *text)
{
	ck_assert_msg(pk_event_list_parse(&list, text) == PK_OK, "%s", text);
	ck_assert_uint_gt(list.count, 0);
	return &list.items[list.count - 1];
}

static void refuse(const char *text)
{
	pk_messages_clear(&list.messages);
	ck_assert_msg(pk_event_list_parse(&list, text) != PK_OK, "%s", text);
	ck_assert_msg(list.messages.text.size, "%s: refused without a message", text);
}

static void expect(const char *text, uint32_t type, uint64_t config)
{
	const struct event *event = parse(text);

	ck_assert_msg(event->attr.type == type && event->attr.config == config,
		      "%s: type %u, config %#llx", text, event->attr.type,
		      (unsigned long long)event->attr.config);
	ck_assert_str_eq(event->name, text);
	ck_assert_uint_eq(event->attr.size, PERF_ATTR_SIZE_VER7);
}

START_TEST(names)
{
	expect("cycles", PERF_TYPE_HARDWARE, 0);
	expect("cpu-cycles", PERF_TYPE_HARDWARE, 0);
	expect("branch-misses", PERF_TYPE_HARDWARE, 5);
	expect("ref-cycles", PERF_TYPE_HARDWARE, 9);
	expect("cpu-clock", PERF_TYPE_SOFTWARE, 0);
	expect("faults", PERF_TYPE_SOFTWARE, 2);
	expect("cgroup-switches", PERF_TYPE_SOFTWARE, 11);
	expect("r1a2B", PERF_TYPE_RAW, 0x1a2b);
	expect("rffffffffffffffff", PERF_TYPE_RAW, UINT64_MAX);
}
END_TEST

/* The kernel ignores bytes after an attr's size. */
START_TEST(sizes)
{
	ck_assert_uint_eq(perf_attr_size(&parse("cpu-clock/config1=1,config2=2/")->attr),
			  PERF_ATTR_SIZE_VER7);
	ck_assert_uint_eq(perf_attr_size(&parse("cpu-clock/config3=3/")->attr),
			  PERF_ATTR_SIZE_VER9);
}
END_TEST

START_TEST(caches)
{
	expect("L1-dcache-loads", PERF_TYPE_HW_CACHE, 0);
	expect("L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
	expect("L1-icache-prefetches", PERF_TYPE_HW_CACHE, 0x201);
	expect("LLC-stores", PERF_TYPE_HW_CACHE, 0x102);
	expect("LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102);
	expect("dTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10003);
	expect("iTLB-loads", PERF_TYPE_HW_CACHE, 4);
	expect("branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005);
	expect("node-misses", PERF_TYPE_HW_CACHE, 0x10006);
	expect("l1d-read-miss", PERF_TYPE_HW_CACHE, 0x10000);
	expect("l1d-speculative-read", PERF_TYPE_HW_CACHE, 0x200);
}
END_TEST

/* Patterns select software events. Each event is added only once. */
START_TEST(patterns)
{
	parse("page-*");
	ck_assert_uint_eq(list.count, 1);
	ck_assert_str_eq(list.items[0].name, "page-faults");
	parse("m*-faults:u");
	ck_assert_uint_eq(list.count, 3);
	ck_assert_str_eq(list.items[1].name, "minor-faults:u");
	ck_assert_uint_eq(list.items[2].attr.config, 6);
	ck_assert(list.items[2].attr.flags & PERF_ATTR_EXCLUDE_KERNEL);
	parse("{c*-switches,fault?,cp[u]-clock}");
	ck_assert_uint_eq(list.count, 7);
	ck_assert_str_eq(list.items[5].name, "faults");
	ck_assert_uint_eq(list.items[6].leader, 3);
	refuse("no-*");
	refuse("instr*");
}
END_TEST

START_TEST(modifiers)
{
	const uint64_t modes =
		PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV;
	const uint64_t guests = PERF_ATTR_EXCLUDE_GUEST;

	/* As in perf, guests are counted only if the event has modifiers other than u and p. */
	ck_assert_uint_eq(parse("cycles")->attr.flags, guests);
	ck_assert_uint_eq(parse("cycles:u")->attr.flags,
			  (modes & ~PERF_ATTR_EXCLUDE_USER) | guests);
	ck_assert_uint_eq(parse("cycles:k")->attr.flags, modes & ~PERF_ATTR_EXCLUDE_KERNEL);
	ck_assert_uint_eq(parse("cycles:uk")->attr.flags, PERF_ATTR_EXCLUDE_HV | guests);
	ck_assert_uint_eq(parse("cycles:ukh")->attr.flags, guests);
	ck_assert_uint_eq(parse("cycles:G")->attr.flags, PERF_ATTR_EXCLUDE_HOST);
	ck_assert_uint_eq(parse("cycles:H")->attr.flags, PERF_ATTR_EXCLUDE_GUEST);
	ck_assert_uint_eq(parse("cycles:GH")->attr.flags, 0);
	ck_assert_uint_eq(parse("cycles:I")->attr.flags, PERF_ATTR_EXCLUDE_IDLE);
	ck_assert_uint_eq(parse("cycles:D")->attr.flags, PERF_ATTR_PINNED);
	ck_assert_uint_eq(parse("cycles:e")->attr.flags, PERF_ATTR_EXCLUSIVE);
	ck_assert_uint_eq(parse("cycles:pp")->attr.flags, UINT64_C(2) << 15 | guests);
	ck_assert_uint_eq(parse("cycles:P")->attr.flags, UINT64_C(3) << 15);
	ck_assert(parse("cycles:P")->letters.precise_max);
	ck_assert(!parse("cycles:ppp")->letters.precise_max);
	ck_assert(parse("cycles:Su")->letters.sample_read);
}
END_TEST

START_TEST(lists)
{
	parse("cycles:u, page-faults ,L1-dcache-loads");
	parse("cs");
	ck_assert_uint_eq(list.count, 4);
	ck_assert_str_eq(list.items[1].name, "page-faults");
	ck_assert_str_eq(list.items[3].name, "cs");
}
END_TEST

START_TEST(groups)
{
	parse("cs,{cycles:u,page-faults}:S,dummy,name{cs:e,faults:k}:u");
	ck_assert_uint_eq(list.count, 6);
	ck_assert_uint_eq(list.items[0].leader, 0);
	ck_assert_uint_eq(list.items[1].leader, 1);
	ck_assert_uint_eq(list.items[2].leader, 1);
	ck_assert_uint_eq(list.items[3].leader, 3);
	ck_assert_uint_eq(list.items[5].leader, 4);
	ck_assert(list.items[1].letters.sample_read && list.items[2].letters.sample_read);
	ck_assert(!list.items[3].letters.sample_read);
	ck_assert_uint_eq(pk_event_group_size(&list, &list.items[2]), 2);
	ck_assert(list.items[1].attr.flags & PERF_ATTR_EXCLUDE_KERNEL);
	ck_assert(list.items[4].attr.flags & PERF_ATTR_EXCLUSIVE);
	/* The event has the modifier k, and the group has the modifier u. The event is counted in
	 * both modes. */
	ck_assert(
		!(list.items[5].attr.flags & (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL)));
	ck_assert_str_eq(list.items[1].name, "cycles:u");
}
END_TEST

START_TEST(breakpoints)
{
	const struct event *event = parse("mem:0x1000/8:wx:u");

	ck_assert_uint_eq(event->attr.type, PERF_TYPE_BREAKPOINT);
	ck_assert_uint_eq(event->attr.config1, 0x1000);
	ck_assert_uint_eq(event->attr.config2, 8);
	ck_assert_uint_eq(event->attr.bp_type, 6);
	ck_assert(event->attr.flags & PERF_ATTR_EXCLUDE_KERNEL);
	ck_assert_str_eq(event->name, "mem:0x1000/8:wx:u");
	ck_assert_uint_eq(parse("mem:4096")->attr.bp_type, 3);
	ck_assert_uint_eq(parse("mem:4096:x")->attr.config2, sizeof(long));
	ck_assert_uint_eq(parse("mem:4096:u")->attr.config2, 4);
}
END_TEST

START_TEST(terms)
{
	const struct event *event =
		parse("cycles/period=7,name='a,b',call-graph=dwarf,stack-size=15,no-inherit/u");

	ck_assert_uint_eq(event->terms.period, 7);
	ck_assert_uint_eq(event->terms.callchain, EVENT_CALLCHAIN_DWARF);
	ck_assert_uint_eq(event->terms.stack_size, 16);
	ck_assert_uint_eq(event->terms.inherit, EVENT_OFF);
	ck_assert_str_eq(event->name, "a,b:u");
	ck_assert_uint_eq(parse("cs/max-stack=5,overwrite=0/")->terms.max_stack, 5);
	ck_assert_uint_eq(list.items[1].terms.overwrite, EVENT_OFF);
	ck_assert_uint_eq(parse("cs/branch_type=any_call/")->terms.branch_type, 1 << 4);
	ck_assert_uint_eq(parse("8:0x123")->attr.type, 8);
}
END_TEST

START_TEST(refused)
{
	static const char *const wrong[] = {
		"",	      "cycles,",
		",cycles",    "cycle",
		"cycles:x",   "cycles:pppp",
		"L1-dcache",  "r",
		"rxyz",	      "r1ffffffffffffffff",
		"node",	      "node-",
		"L1-dcache-", "LLC-load-misses-x",
		":",	      "a:",
		"/:x",	      "a:../b",
		"..:x",	      "{cycles:pp,instructions}:pp",
	};
	char longest[2000];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		refuse(wrong[i]);
	memset(longest, 'u', sizeof(longest) - 1);
	memcpy(longest, "cycles:", 7);
	longest[sizeof(longest) - 1] = 0;
	refuse(longest);
}
END_TEST

START_TEST(renaming)
{
	struct event *event;

	parse("cycles:P");
	event = &list.items[0];
	pk_event_append_modifier(event, 'u');
	ck_assert_str_eq(event->name, "cycles:Pu");
	pk_event_rename(event, "cpu-clock");
	pk_event_append_modifier(event, 'u');
	ck_assert_str_eq(event->name, "cpu-clock:u");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lib/event: parsing");
	TCase *test = tcase_create("events");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(test, NULL, teardown);
	tcase_add_test(test, names);
	tcase_add_test(test, sizes);
	tcase_add_test(test, caches);
	tcase_add_test(test, patterns);
	tcase_add_test(test, modifiers);
	tcase_add_test(test, lists);
	tcase_add_test(test, groups);
	tcase_add_test(test, breakpoints);
	tcase_add_test(test, terms);
	tcase_add_test(test, refused);
	tcase_add_test(test, renaming);
	suite_add_tcase(suite, test);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
