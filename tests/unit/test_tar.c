/* SPDX-License-Identifier: BSD-2-Clause */
/* If a file cannot be read, the archive has no incomplete member. */
#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tar.h"

static int out, file;
static struct tar *tar;

static void setup(void)
{
	out = memfd_create("archive", MFD_CLOEXEC);
	file = memfd_create("file", MFD_CLOEXEC);
	ck_assert_int_ge(out, 0);
	ck_assert_int_eq(ftruncate(file, 100000), 0);
	tar = tar_new(out, false);
	ck_assert_ptr_nonnull(tar);
}

static void teardown(void)
{
	tar_free(tar);
	close(out);
	close(file);
}

START_TEST(whole)
{
	struct tar_unreadable why;
	bool read;

	ck_assert(tar_file(tar, "name", file, 100000, &read, &why) == PK_OK);
	ck_assert(read);
	ck_assert_int_eq(lseek(out, 0, SEEK_END), 512 + (100000 + 511) / 512 * 512);
}
END_TEST

START_TEST(shorter)
{
	struct tar_unreadable why;
	bool read;

	ck_assert(tar_file(tar, "name", file, 100001, &read, &why) == PK_OK);
	ck_assert(!read);
	ck_assert_uint_eq(why.offset, 100000);
	ck_assert_int_eq(why.error, 0);
	ck_assert(!why.cut);
	ck_assert_int_eq(lseek(out, 0, SEEK_END), 0);
	/* The next file is added after the last complete member. */
	ck_assert(tar_file(tar, "other", file, 10, &read, &why) == PK_OK);
	ck_assert(read);
	ck_assert_int_eq(lseek(out, 0, SEEK_END), 1024);
}
END_TEST

START_TEST(unreadable)
{
	struct tar_unreadable why;
	int fd = open("/proc/self/mem", O_RDONLY); /* fails at 0: nothing is mapped there */
	bool read;

	ck_assert_int_ge(fd, 0);
	ck_assert(tar_file(tar, "name", fd, 4096, &read, &why) == PK_OK);
	ck_assert(!read);
	ck_assert_uint_eq(why.offset, 0);
	ck_assert_int_eq(why.error, EIO);
	ck_assert_int_eq(lseek(out, 0, SEEK_END), 0);
	close(fd);
}
END_TEST

START_TEST(full)
{
	struct tar_unreadable why;
	int fd = open("/dev/full", O_WRONLY);
	bool read;

	tar_free(tar);
	tar = tar_new(fd, false);
	ck_assert(tar_file(tar, "name", file, 100000, &read, &why) != PK_OK);
	ck_assert(read);
	ck_assert_int_eq(tar_error(tar), ENOSPC);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tar");
	TCase *all = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, whole);
	tcase_add_test(all, shorter);
	tcase_add_test(all, unreadable);
	tcase_add_test(all, full);
	suite_add_tcase(s, all);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
