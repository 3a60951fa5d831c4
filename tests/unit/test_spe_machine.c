/* SPDX-License-Identifier: BSD-2-Clause */
/* The models of the CPUs, and the thread of an operation. */
#include "spe_machine.h"
#include "stream_builder.h"

static struct spe_machine machine;
static struct built b;
static struct pk_event event;

static void setup(void)
{
	b = (struct built){0};
	event = (struct pk_event){0};
	/* The trailers of kernel records have pid, tid, CPU and an identifier. */
	event.layout.trailer.tid = 24;
	event.layout.trailer.cpu = 16;
}

static void teardown(void)
{
	built_clear(&b);
	spe_machine_free(&machine);
}

static void read_record(void)
{
	const struct pk_record record = last_built(&b);

	if (record.type == PERF_RECORD_AUXTRACE_INFO)
		ck_assert(spe_machine_info(&machine, &record) == PK_OK);
	else
		ck_assert(spe_machine_record(&machine, &record, &event) == PK_OK);
	built_clear(&b);
}

#define READ(type, misc, widths, ...)                                                              \
	do {                                                                                       \
		RECORD(&b, type, misc, widths, __VA_ARGS__);                                       \
		read_record();                                                                     \
	} while (0)

static void expect_cpu(uint32_t number, uint64_t midr, uint64_t reported)
{
	const struct spe_cpu cpu = spe_machine_cpu(&machine, number);

	ck_assert_uint_eq(cpu.midr, midr);
	ck_assert_uint_eq(cpu.reported, reported);
}

/* An operation on a CPU or of a thread. `context` is 0 if it has none. */
static void expect_task(uint32_t cpu, uint32_t queue_tid, uint32_t context, uint32_t pid,
			uint32_t tid)
{
	const struct spe_record record = {.context = context, .has_context = context};
	const struct spe_operation operation = {.record = &record, .cpu = cpu, .tid = queue_tid};
	uint32_t pid_found, tid_found;

	ck_assert(spe_machine_task(&machine, &operation, &pid_found, &tid_found) == PK_OK);
	ck_assert_uint_eq(pid_found, pid);
	ck_assert_uint_eq(tid_found, tid);
}

/* ---- Models ---- */

START_TEST(described)
{
	char id[24] = "0x00000000413fd0c1";

	open_record(&b, PERF_RECORD_HEADER_FEATURE, 0);
	PUT(&b, "84", PERF_FEATURE_CPUID, sizeof(id));
	put_bytes(&b, id, sizeof(id));
	close_record(&b);
	read_record();
	READ(PERF_RECORD_AUXTRACE_INFO, 0, "4488", 4, 0, 9, 1);
	ck_assert_uint_eq(machine.pmu_type, 9);
	expect_cpu(0, 0x413fd0c1, 0);
	expect_cpu(UINT32_MAX, 0x413fd0c1, 0);
}
END_TEST

START_TEST(each_cpu)
{
	READ(PERF_RECORD_AUXTRACE_INFO, 0, "4488888888888888888", 4, 0, 2, 4, 9, 2, 0x1010, 0, 4,
	     0x413fd0c1, 9, 1024, 0x800000, 0x1010, 5, 3, 0x410fd490, 9, 1024);
	ck_assert_uint_eq(machine.pmu_type, 9);
	expect_cpu(0, 0x413fd0c1, 0x800000);
	expect_cpu(5, 0x410fd490, 0);
	expect_cpu(1, 0, 0);
	/* The CPUs differ, so the model of a trace without a CPU is unknown. */
	expect_cpu(UINT32_MAX, 0, 0);
}
END_TEST

START_TEST(uniform)
{
	READ(PERF_RECORD_AUXTRACE_INFO, 0, "44888888888888888", 4, 0, 2, 4, 9, 2, 0x1010, 0, 3,
	     0x413fd0c1, 9, 1024, 0x1010, 1, 3, 0x413fd0c1, 9);
	expect_cpu(0, 0x413fd0c1, 0);
	expect_cpu(1, 0, 0); /* the record ends before its last number */
	expect_cpu(UINT32_MAX, 0x413fd0c1, 0);
}
END_TEST

/* The numbers of an attacker. */
START_TEST(hostile)
{
	static const uint64_t numbers[] = {0, 1, 3, 4, 5, 1000, UINT64_MAX, UINT64_MAX / 8};

	for (size_t i = 0; i < COUNT(numbers); i++) {
		for (size_t j = 0; j < COUNT(numbers); j++) {
			READ(PERF_RECORD_AUXTRACE_INFO, 0, "44888888888", 4, 0, 2, numbers[i], 9,
			     numbers[j], 0x1010, numbers[j], numbers[j], 7, 9);
			spe_machine_cpu(&machine, 0);
			spe_machine_clear(&machine);
		}
	}
	READ(PERF_RECORD_AUXTRACE_INFO, 0, "44", 4, 0);
	READ(PERF_RECORD_AUXTRACE_INFO, 0, "448", 4, 0, 1);
	expect_cpu(0, 0, 0);
}
END_TEST

/* ---- Tasks ---- */

#define TRAILER_OF(pid, tid, cpu) pid, tid, cpu, 0, 1

START_TEST(contexts)
{
	READ(PERF_RECORD_COMM, 0, "44844448", 100, 101, 0x6f6f66, TRAILER_OF(0, 0, 0));
	READ(PERF_RECORD_FORK, 0, "4444844448", 100, 100, 102, 101, 5, TRAILER_OF(0, 0, 0));
	expect_task(0, UINT32_MAX, 101, 100, 101);
	expect_task(0, UINT32_MAX, 102, 100, 102);
	/* The context is valid until the next one, on the same CPU. */
	expect_task(0, UINT32_MAX, 0, 100, 102);
	expect_task(1, UINT32_MAX, 0, UINT32_MAX, UINT32_MAX);
	expect_task(0, UINT32_MAX, 103, UINT32_MAX, 103);
	expect_task(UINT32_MAX, 101, 0, 100, 101);
}
END_TEST

START_TEST(switches)
{
	READ(PERF_RECORD_COMM, 0, "44844448", 100, 101, 0x6f6f66, TRAILER_OF(0, 0, 0));
	READ(PERF_RECORD_ITRACE_START, 0, "4444448", 200, 201, TRAILER_OF(200, 201, 3));
	expect_task(3, UINT32_MAX, 0, 200, 201);
	READ(PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, "4444448", 100, 101,
	     TRAILER_OF(200, 201, 3));
	expect_task(3, UINT32_MAX, 0, 100, 101);
	READ(PERF_RECORD_SWITCH_CPU_WIDE, 0, "4444448", 100, 101, TRAILER_OF(0, 0, 3));
	expect_task(3, UINT32_MAX, 0, 0, 0);
	READ(PERF_RECORD_SWITCH, 0, "44448", TRAILER_OF(200, 201, 4));
	expect_task(4, UINT32_MAX, 0, 200, 201);
	READ(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, "44448", TRAILER_OF(200, 201, 4));
	expect_task(4, UINT32_MAX, 0, 200, 201);
	spe_machine_clear(&machine);
	expect_task(4, UINT32_MAX, 0, UINT32_MAX, UINT32_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spe_machine");
	TCase *tests = tcase_create("spe_machine");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, described);
	tcase_add_test(tests, each_cpu);
	tcase_add_test(tests, uniform);
	tcase_add_test(tests, hostile);
	tcase_add_test(tests, contexts);
	tcase_add_test(tests, switches);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
