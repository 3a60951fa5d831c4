// SPDX-License-Identifier: BSD-2-Clause
/* Tests events of PMUs on simulated machines: groups, names that stand for several events, and
 * events with terms. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event.h"
#include "pmu_json.h"

static struct event_list list;
static char root[64];

/* Creates a file and its folders in bus/event_source/devices. */
static void put(const char *path, const char *content)
{
	char name[256];
	FILE *file;

	snprintf(name, sizeof(name), "%s/bus/event_source/devices/%s", root, path);
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(name, 0700);
		*slash = '/';
	}
	file = fopen(name, "w");
	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
}

static void put_pmu(const char *pmu, const char *type, const char *cpus_file)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/type", pmu);
	put(path, type);
	snprintf(path, sizeof(path), "%s/format/event", pmu);
	put(path, "config:0-7");
	snprintf(path, sizeof(path), "%s/format/umask", pmu);
	put(path, "config:8-15");
	if (!*cpus_file)
		return;
	snprintf(path, sizeof(path), "%s/%s", pmu, cpus_file);
	put(path, strcmp(pmu, "cpu_atom") ? "0" : "1");
}

static void setup(void)
{
	snprintf(root, sizeof(root), "/tmp/test_event_group.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put_pmu("cpu_core", "4", "cpus");
	put_pmu("cpu_atom", "8", "cpus");
	put_pmu("uncore_imc_0", "20", "cpumask");
	put_pmu("uncore_imc_1", "21", "cpumask");
	put_pmu("uncore_imc_free_running_0", "22", "cpumask");
	put_pmu("plain", "30", "");
	put("plain/events/named", "event=0x12,umask=0x3");
	list.sysfs = root;
}

static void teardown(void)
{
	char command[100];

	pk_event_list_free(&list);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

static void parse(const char *text, size_t count)
{
	const size_t before = list.count;

	ck_assert_msg(pk_event_list_parse(&list, text) == PK_OK, "%s", text);
	ck_assert_msg(list.count - before == count, "%s: %zu events", text, list.count - before);
}

static void leaders(const char *text, const char *wanted)
{
	char got[100] = "";

	pk_event_list_free(&list);
	list.sysfs = root;
	parse(text, strlen(wanted));
	for (size_t i = 0; i < list.count; i++)
		snprintf(got + i, sizeof(got) - i, "%zu", list.items[i].leader);
	ck_assert_msg(!strcmp(got, wanted), "%s: %s, not %s", text, got, wanted);
}

START_TEST(groups)
{
	leaders("cycles,instructions", "0123");
	leaders("{cycles,instructions}", "0101");
	leaders("{cs,cycles,instructions}", "00202");
	leaders("{cpu_core/event=1/,cs,cpu_core/event=2/}", "000");
	leaders("{cpu_core/event=1/,cpu_atom/event=2/,cs}", "010");
	leaders("{uncore_imc/event=1/,uncore_imc/event=2/}:S", "0101");
	leaders("cs,{cs,plain/event=1/,uncore_imc_1/event=1/,faults}", "01111");
	leaders("{plain/event=1/,cs,plain/event=2/}:W", "000");
}
END_TEST

START_TEST(several)
{
	parse("uncore_imc/event=1/", 2);
	parse("imc/event=1/", 2);
	parse("imc_free_running/event=1/", 1);
	parse("imc/event=1/", 2);
	parse("uncore_imc_?/event=1/", 2);
	parse("uncore*/event=1/", 3);
	parse("*imc*/event=1/u", 3);
	parse("cpu_*/event=1/", 2);
}
END_TEST

START_TEST(named)
{
	parse("named", 1);
	parse("named/period=5/u", 1);
	ck_assert_uint_eq(list.items[1].attr.config, 0x312);
	ck_assert_uint_eq(list.items[1].terms.period, 5);
	ck_assert_str_eq(list.items[1].name, "named/period=5/u");
	parse("named/name=foo/", 1);
	ck_assert_str_eq(list.items[2].name, "foo");
}
END_TEST

START_TEST(described)
{
	struct pmu_json *json = pk_pmu_json_new(&list.messages, NULL);
	char path[200];

	put("x.json", "[{\"EventName\":\"Some.Event\",\"EventCode\":\"0x24\",\"UMask\":\"0x3f\"},"
		      "{\"EventName\":\"Uncore.Event\",\"EventCode\":\"0x5\",\"Unit\":\"iMC\"}]");
	snprintf(path, sizeof(path), "%s/bus/event_source/devices/x.json", root);
	ck_assert(pk_pmu_json_load(json, path) == PK_OK);
	list.json = json;
	parse("some.event:u", 2);
	ck_assert_uint_eq(list.items[0].attr.config, 0x3f24);
	parse("some.event/period=7/", 2);
	parse("cpu_atom/some.event,period=7/", 1);
	ck_assert_uint_eq(list.items[4].attr.type, 8);
	ck_assert_uint_eq(list.items[4].attr.config, 0x3f24);
	parse("uncore.event", 2);
	parse("uncore.event/umask=1/", 2);
	parse("uncore_imc_1/uncore.event/", 1);
	ck_assert_uint_eq(list.items[7].attr.config, 0x105);
	ck_assert_str_eq(list.items[7].name, "uncore.event/umask=1/");
	ck_assert_uint_eq(list.items[9].attr.config, 5);
	pk_pmu_json_free(json);
}
END_TEST

START_TEST(refused)
{
	static const char *const wrong[] = {
		"named/nothing=5/",	  "plain/aux-output=2/",
		"cs/aux-sample-size=x/",  "plain/event=1,aux-action=start/",
		"nothing/period=5/",	  "named/period=5",
		"{cycles,instructions",	  "uncore_imcx/event=1/",
		"cpu_core/uncore.event/",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(pk_event_list_parse(&list, wrong[i]) != PK_OK, "%s", wrong[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lib/event: events of PMUs");
	TCase *test = tcase_create("made up");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(test, setup, teardown);
	tcase_add_test(test, groups);
	tcase_add_test(test, several);
	tcase_add_test(test, named);
	tcase_add_test(test, described);
	tcase_add_test(test, refused);
	suite_add_tcase(suite, test);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
