// SPDX-License-Identifier: BSD-2-Clause
/* Tests files of events and metrics in the format of pmu-events. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpuid.h"
#include "event.h"
#include "pmu_json.h"
#include "stream_builder.h"

static struct pk_messages messages;
static char folder[200];

static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/pk-json.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void write_file(const char *name, const char *text)
{
	char path[300];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

static void remove_folder(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static struct pmu_json *load(const char *text)
{
	struct pmu_json *json = pk_pmu_json_new(&messages, NULL);
	char path[300];

	make_folder();
	write_file("some.json", text);
	snprintf(path, sizeof(path), "%s/some.json", folder);
	ck_assert_ptr_nonnull(json);
	if (pk_pmu_json_load(json, path) != PK_OK) {
		pk_pmu_json_free(json);
		json = NULL;
	}
	remove_folder();
	return json;
}

static const char *terms_of(struct pmu_json *json, const char *name)
{
	size_t count;
	const struct pmu_json_event *event = pk_pmu_json_event(json, name, &count);

	ck_assert_msg(count == 1, "%s: %zu", name, count);
	return event->terms;
}

START_TEST(terms)
{
	struct pmu_json *json =
		load("[{\"EventName\":\"One.ALL\",\"EventCode\":\"0xC0\",\"UMask\":\"0x1\"},"
		     "{\"EventName\":\"two\",\"EventCode\":\"0x24,0x25\",\"CounterMask\":\"2\","
		     "\"Invert\":\"1\",\"EdgeDetect\":\"0\",\"AnyThread\":\"1\"},"
		     "{\"EventName\":\"three\",\"EventCode\":\"0x1\",\"ExtSel\":\"2\"},"
		     "{\"EventName\":\"four\",\"ConfigCode\":\"0x1234\",\"Filter\":\"filter_opc="
		     "0x187\"},"
		     "{\"EventName\":\"five\",\"EventCode\":\"0xb7\",\"MSRIndex\":\"0x1a6,0x1a7\","
		     "\"MSRValue\":\"0x80\",\"SampleAfterValue\":\"1000\"},"
		     "{\"Nothing\":\"of interest\"}, {\"EventName\":7}, \"text\", 5, null]");

	ck_assert_ptr_nonnull(json);
	ck_assert_str_eq(terms_of(json, "one.all"), "event=0xc0,umask=0x1");
	ck_assert_str_eq(terms_of(json, "TWO"), "event=0x24,any=1,cmask=2,inv=1");
	ck_assert_str_eq(terms_of(json, "three"), "event=0x201");
	ck_assert_str_eq(terms_of(json, "four"), "config=0x1234,filter_opc=0x187");
	ck_assert_str_eq(terms_of(json, "five"), "event=0xb7,period=1000,offcore_rsp=0x80");
	pk_pmu_json_free(json);
}
END_TEST

START_TEST(units)
{
	struct pmu_json *json =
		load("[{\"EventName\":\"a\",\"EventCode\":\"1\",\"Unit\":\"CBO\",\"PerPkg\":\"1\"},"
		     "{\"EventName\":\"b\",\"EventCode\":\"1\",\"Unit\":\"iMC\"},"
		     "{\"EventName\":\"A\",\"EventCode\":\"2\",\"Unit\":\"cpu_core\"}]");
	const struct pmu_json_event *event;
	size_t count;

	ck_assert_ptr_nonnull(json);
	event = pk_pmu_json_event(json, "b", &count);
	ck_assert_str_eq(event->pmu, "uncore_imc");
	ck_assert(!event->per_package);
	event = pk_pmu_json_event(json, "a", &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(event[event[0].per_package ? 0 : 1].pmu, "uncore_cbox");
	ck_assert_str_eq(event[event[0].per_package ? 1 : 0].pmu, "cpu_core");
	ck_assert_ptr_null(pk_pmu_json_event(json, "c", &count));
	ck_assert_uint_eq(count, 0);
	pk_pmu_json_free(json);
}
END_TEST

START_TEST(metrics)
{
	struct pmu_json *json =
		load("[{\"MetricName\":\"IPC\",\"MetricExpr\":\"a / b\",\"MetricGroup\":\"X;Y\","
		     "\"ScaleUnit\":\"100%\"},{\"MetricName\":\"no_expression\"},"
		     "{\"MetricName\":\"other\",\"MetricExpr\":\"1\",\"MetricConstraint\":"
		     "\"NO_GROUP_EVENTS\"}]");
	const struct pmu_json_metric *metric;
	size_t count;

	ck_assert_ptr_nonnull(json);
	pk_pmu_json_metrics(json, &count);
	ck_assert_uint_eq(count, 2);
	metric = pk_pmu_json_metric(json, "ipc");
	ck_assert_ptr_nonnull(metric);
	ck_assert_str_eq(metric->expression, "a / b");
	ck_assert_str_eq(metric->groups, "X;Y");
	ck_assert_ptr_null(metric->constraint);
	ck_assert_str_eq(pk_pmu_json_metric(json, "OTHER")->constraint, "NO_GROUP_EVENTS");
	ck_assert_ptr_null(pk_pmu_json_metric(json, "no_expression"));
	pk_pmu_json_free(json);
}
END_TEST

START_TEST(scales)
{
	const char *unit;
	double scale;

	ck_assert(pk_pmu_scale_unit("1e-6MB", &scale, &unit));
	ck_assert_double_eq_tol(scale, 1e-6, 1e-15);
	ck_assert_str_eq(unit, "MB");
	ck_assert(pk_pmu_scale_unit("100%", &scale, &unit));
	ck_assert_double_eq(scale, 100);
	ck_assert(!pk_pmu_scale_unit("MB", &scale, &unit));
}
END_TEST

START_TEST(damaged)
{
	ck_assert_ptr_null(load(""));
	ck_assert_ptr_null(load("{\"EventName\":\"a\"}"));
	ck_assert_ptr_null(load("[{\"EventName\":\"a\"}"));
	ck_assert_ptr_null(load("[\"\\u0000\"]"));
}
END_TEST

START_TEST(processors)
{
	char text[64];

	ck_assert(pk_cpuid_matches("GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-4"));
	ck_assert(!pk_cpuid_matches("GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-7"));
	ck_assert(pk_cpuid_matches("GenuineIntel-6-(3D|47)", "GenuineIntel-6-47-1"));
	ck_assert(!pk_cpuid_matches("GenuineIntel-6-4", "GenuineIntel-6-47-1"));
	ck_assert(pk_cpuid_matches("AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])",
				   "AuthenticAMD-25-1-0"));
	ck_assert(pk_cpuid_matches("0x00000000410fd030", "0x00000000410fd030"));
	ck_assert(!pk_cpuid_matches("(", "("));
	setenv("PERF_CPUID", "some-1-2-3", 1);
	ck_assert(pk_cpuid_text(text, sizeof(text), NULL));
	ck_assert_str_eq(text, "some-1-2-3");
}
END_TEST

/* The folder has the files of an architecture. Only the files for this processor are read. */
START_TEST(architecture)
{
	struct pmu_json *json = pk_pmu_json_new(&messages, NULL);
	char path[300];

	setenv("PERF_CPUID", "Vendor-6-55-4", 1);
	make_folder();
	snprintf(path, sizeof(path), "%s/new", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/old", folder);
	mkdir(path, 0700);
	write_file("mapfile.csv", "Family-model,Version,Filename,EventType\n"
				  "Vendor-6-(3|4),v1,old,core\nVendor-6-55-[4-9],v2,new,core\n");
	write_file("all.json", "[{\"EventName\":\"STANDARD\",\"EventCode\":\"0x11\"},"
			       "{\"MetricName\":\"BOUND\",\"MetricExpr\":\"1\",\"ScaleUnit\":"
			       "\"100%\"}, {\"MetricName\":\"unused\",\"MetricExpr\":\"1\"}]");
	write_file("old/a.json", "[{\"EventName\":\"a\",\"EventCode\":\"1\"}]");
	write_file("new/b.json", "[{\"EventName\":\"b\",\"EventCode\":\"2\"},"
				 "{\"ArchStdEvent\":\"standard\"},"
				 "{\"ArchStdEvent\":\"BOUND\",\"MetricExpr\":\"2\"}]");
	write_file("new/b.txt", "no JSON");
	ck_assert(pk_pmu_json_load(json, folder) == PK_OK);
	ck_assert_str_eq(terms_of(json, "b"), "event=0x2");
	ck_assert_str_eq(terms_of(json, "standard"), "event=0x11");
	ck_assert_str_eq(pk_pmu_json_metric(json, "bound")->expression, "2");
	ck_assert_str_eq(pk_pmu_json_metric(json, "bound")->scale_unit, "100%");
	ck_assert_ptr_null(pk_pmu_json_metric(json, "unused"));
	pk_pmu_json_free(json);
	json = pk_pmu_json_new(&messages, NULL);
	setenv("PERF_CPUID", "Vendor-6-56-1", 1);
	ck_assert(pk_pmu_json_load(json, folder) != PK_OK);
	snprintf(path, sizeof(path), "%s/empty", folder);
	mkdir(path, 0700);
	ck_assert(pk_pmu_json_load(json, path) != PK_OK);
	pk_pmu_json_free(json);
	remove_folder();
}
END_TEST

/* Names in the files can be used as events. */
START_TEST(events)
{
	struct pmu_json *json = load("[{\"EventName\":\"retired\",\"EventCode\":\"0xc0\","
				     "\"UMask\":\"0x3\",\"ScaleUnit\":\"2e3things\"}]");
	struct event_list list = {.json = json, .sysfs = folder};

	ck_assert_ptr_nonnull(json);
	make_folder();
	list.sysfs = folder;
	for (const char *const *name =
		     (const char *const[]){"bus", "bus/event_source", "bus/event_source/devices",
					   "bus/event_source/devices/cpu",
					   "bus/event_source/devices/cpu/format", NULL};
	     *name; name++) {
		char path[300];

		snprintf(path, sizeof(path), "%s/%s", folder, *name);
		mkdir(path, 0700);
	}
	write_file("bus/event_source/devices/cpu/type", "4\n");
	write_file("bus/event_source/devices/cpu/format/event", "config:0-7\n");
	write_file("bus/event_source/devices/cpu/format/umask", "config:8-15\n");
	ck_assert(pk_event_list_parse(&list, "Retired:u") == PK_OK);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_str_eq(list.items[0].name, "Retired:u");
	ck_assert_uint_eq(list.items[0].attr.type, 4);
	ck_assert_uint_eq(list.items[0].attr.config, 0x3c0);
	ck_assert_double_eq(list.items[0].stat.scale, 2000);
	ck_assert_str_eq(list.items[0].stat.unit, "things");
	list.messages.quiet = true;
	ck_assert(pk_event_list_parse(&list, "unheard") != PK_OK);
	pk_event_list_free(&list);
	pk_pmu_json_free(json);
	remove_folder();
}
END_TEST

RUN_TESTS("pmu_json", terms, units, metrics, scales, damaged, processors, architecture, events)
