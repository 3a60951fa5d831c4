// SPDX-License-Identifier: BSD-2-Clause
/* Tests the last names of threads, and when names are removed. */
#include "stream_builder.h"
#include "task_names.h"

static struct task_names names;

static void give(struct built *b)
{
	struct pk_record record = last_built(b);

	ck_assert(pk_task_names_record(&names, &record) == PK_OK);
	built_clear(b);
}

static void renamed(uint32_t tid, const char *comm)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_COMM, 0);
	PUT(&b, "44", tid, tid);
	put_string(&b, comm);
	close_record(&b);
	give(&b);
}

static void task(uint32_t type, uint32_t tid, uint32_t parent)
{
	struct built b = {0};

	RECORD(&b, type, 0, "44448", tid, parent, tid, parent, 0);
	give(&b);
}

static const char *name_of(uint32_t tid)
{
	const char *text = pk_task_names_get(&names, tid, NULL);

	return text ? text : "-";
}

START_TEST(records)
{
	renamed(5, "shell");
	task(PERF_RECORD_FORK, 6, 5);
	ck_assert_str_eq(name_of(6), "shell");
	renamed(6, "cc");
	ck_assert_str_eq(name_of(6), "cc");
	ck_assert_str_eq(name_of(5), "shell");
	task(PERF_RECORD_FORK, 5, 9); /* same tid, unknown parent */
	ck_assert_str_eq(name_of(5), "-");
	pk_task_names_free(&names);
	names = (struct task_names){0};
}
END_TEST

START_TEST(ended)
{
	renamed(5, "shell");
	task(PERF_RECORD_FORK, 6, 5);
	task(PERF_RECORD_FORK, 7, 5);
	renamed(7, "ld");
	task(PERF_RECORD_EXIT, 5, 1);
	task(PERF_RECORD_EXIT, 7, 1);
	task(PERF_RECORD_EXIT, 8, 1);
	ck_assert_str_eq(name_of(5), "shell");
	task(PERF_RECORD_FORK, 9, 5); /* child of another thread of the process that ended */
	ck_assert(pk_task_names_forget_ended(&names) == PK_OK);
	ck_assert_str_eq(name_of(5), "-");
	ck_assert_str_eq(name_of(6), "shell");
	ck_assert_str_eq(name_of(7), "-");
	ck_assert_str_eq(name_of(9), "shell");
	ck_assert_uint_eq(names.texts.count, 1);
	renamed(7, "again");
	ck_assert(pk_task_names_forget_ended(&names) == PK_OK);
	ck_assert_str_eq(name_of(7), "again");
	pk_task_names_free(&names);
	names = (struct task_names){0};
}
END_TEST

RUN_TESTS("task_names", records, ended)
