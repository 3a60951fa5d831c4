/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_image.h"
#include "file.h"

#define MIB (UINT64_C(1) << 20)

static int fd;
static bool has_holes; /* the file system of the tests supports holes */

static void setup(void)
{
	FILE *f = tmpfile();

	ck_assert_ptr_nonnull(f);
	fd = dup(fileno(f));
	fclose(f);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)MIB), 0);
	has_holes = lseek(fd, 0, SEEK_DATA) < 0;
}

static void teardown(void)
{
	close(fd);
}

static void put(uint64_t at, const char *text)
{
	ck_assert_int_eq(pwrite(fd, text, strlen(text), (off_t)at), (ssize_t)strlen(text));
}

START_TEST(small_holes_are_zeros)
{
	size_t size;
	char *text;

	put(0, "begin");
	put(MIB - 3, "end");
	text = pk_file_read(fd, 2 * MIB, &size);
	ck_assert_uint_eq(size, MIB);
	ck_assert_str_eq(text, "begin");
	ck_assert_str_eq(text + MIB - 3, "end");
	free(text);
	ck_assert_ptr_null(pk_file_read(fd, MIB - 1, &size));
}
END_TEST

START_TEST(large_holes_are_left_out)
{
	size_t size;
	char *text;

	put(0, "begin");
	put(800 * MIB, "middle");
	put(1600 * MIB, "end");
	if (!has_holes) {
		fprintf(stderr, "files have no holes here\n");
		return;
	}
	ck_assert_uint_lt(pk_file_data(fd, 1600 * MIB + 3), MIB);
	text = pk_file_read(fd, MIB, &size);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_lt(size, MIB);
	ck_assert_ptr_nonnull(memmem(text, size, "middle", 6));
	ck_assert_str_eq(text + size - 3, "end");
	free(text);
}
END_TEST

START_TEST(dense)
{
	ck_assert(pk_file_is_dense(fd, MIB));
	ck_assert_int_eq(ftruncate(fd, (off_t)(1000 * MIB)), 0);
	ck_assert(pk_file_is_dense(fd, MIB));
	ck_assert(!has_holes || !pk_file_is_dense(fd, 1000 * MIB));
}
END_TEST

/* An ELF file whose sections are holes takes no disk space. */
START_TEST(hollow_object)
{
	struct pk_elf *elf;
	struct pk_failures failures = {0};
	char buffer[4096];
	FILE *self = fopen("/proc/self/exe", "re");
	uint64_t size = 0;
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), self))) {
		ck_assert_int_eq(pwrite(fd, buffer, n, (off_t)size), (ssize_t)n);
		size += n;
	}
	fclose(self);
	ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
	elf = pk_elf_open(dup(fd), "self", &failures);
	ck_assert_ptr_nonnull(elf);
	pk_elf_close(elf);
	ck_assert_int_eq(ftruncate(fd, (off_t)(100 * size + 100 * MIB)), 0);
	elf = pk_elf_open(dup(fd), "self", &failures);
	ck_assert(!has_holes || !elf);
	pk_elf_close(elf);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("file");
	TCase *c = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, small_holes_are_zeros);
	tcase_add_test(c, large_holes_are_left_out);
	tcase_add_test(c, dense);
	tcase_add_test(c, hollow_object);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
