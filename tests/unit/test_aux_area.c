// SPDX-License-Identifier: BSD-2-Clause
/* Tests how many bytes of an overwritten AUX area are new in a snapshot. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aux_area.h"
#include "pkutil.h"

#define SIZE ((size_t)64 << 10)

static struct perf_ring_page page;
static uint8_t data[SIZE];
static struct aux_area area;
static uint64_t position;
static struct pk_writer *writer;
static FILE *file;

static void start(void)
{
	page = (struct perf_ring_page){.aux_head = 0};
	position = 0;
	memset(data, 0, sizeof(data));
	area = (struct aux_area){.page = &page,
				 .data = data,
				 .size = SIZE,
				 .known = calloc(1, SIZE / 4),
				 .known_size = SIZE / 4};
	file = tmpfile();
	ck_assert(area.known && file);
	ck_assert_int_eq(pk_writer_new(&(struct pk_writer_options){.fd = fileno(file)}, &writer),
			 PK_OK);
}

static void end(void)
{
	pk_writer_free(writer);
	fclose(file);
	free(area.known);
}

/* Writes bytes as a trace unit, which reports its position in the area. */
static void trace(size_t size)
{
	for (; size--; position++)
		data[position % SIZE] = (uint8_t)((position >> 3) >> 8 * (position & 7));
	page.aux_head = position % SIZE;
}

static size_t snapshot(void)
{
	return aux_area_snapshot(&area, SIZE, writer);
}

START_TEST(new_bytes_only)
{
	trace(48000);
	ck_assert_uint_eq(snapshot(), 48000);
	ck_assert_uint_eq(snapshot(), 0);
	trace(1000);
	ck_assert_uint_eq(snapshot(), 1000);
	trace(SIZE - 1000);
	ck_assert_uint_eq(snapshot(), SIZE - 1000);
	trace(SIZE - 8);
	ck_assert_uint_eq(snapshot(), SIZE);
}
END_TEST

START_TEST(wrapped)
{
	trace(5 * SIZE + 8);
	ck_assert_uint_eq(snapshot(), SIZE);
	trace(SIZE);
	ck_assert_uint_eq(snapshot(), SIZE);
	trace(SIZE + 40000);
	ck_assert_uint_eq(snapshot(), SIZE);
	trace(2 * SIZE - 1000);
	ck_assert_uint_eq(snapshot(), SIZE);
	trace(SIZE / 2);
	ck_assert_uint_eq(snapshot(), SIZE / 2);
}
END_TEST

START_TEST(limited)
{
	trace(40000);
	ck_assert_uint_eq(aux_area_snapshot(&area, 16384, writer), 16384);
	trace(20000);
	ck_assert_uint_eq(aux_area_snapshot(&area, 16384, writer), 16384);
	trace(8000);
	ck_assert_uint_eq(aux_area_snapshot(&area, 16384, writer), 8000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("aux_area");
	TCase *cases = tcase_create("snapshot");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(cases, start, end);
	tcase_add_test(cases, new_bytes_only);
	tcase_add_test(cases, wrapped);
	tcase_add_test(cases, limited);
	suite_add_tcase(suite, cases);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
