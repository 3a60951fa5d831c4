/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a lookup distinguishes "there is no such item" from "the lookup failed". */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elf_image.h"
#include "file.h"
#include "symbols.h"

#define OBJECT "fuzz/corpus/elf/cxx.so"

START_TEST(first_is_kept)
{
	struct pk_failures failures = {0};

	ck_assert_ptr_eq(pk_need(&failures, &failures), &failures);
	ck_assert_uint_eq(failures.count, 0);
	pk_failed(&failures, "a", EIO);
	pk_failed(&failures, "b", ENFILE);
	ck_assert_ptr_null(pk_need(&failures, NULL));
	ck_assert_uint_eq(failures.count, 3);
	ck_assert_int_eq(failures.error, EIO);
	ck_assert_str_eq(failures.path, "a");
	ck_assert_str_eq(pk_failure_text(EIO), "Input/output error");
	ck_assert_str_eq(pk_failure_text(ENOMEM), "out of memory");
	ck_assert_str_eq(pk_failure_text(0), "became shorter while it was read");
	pk_failed(NULL, "a", EIO); /* NULL: the failure is counted nowhere */
}
END_TEST

START_TEST(kinds)
{
	static const int answers[] = {ENOENT, ENOTDIR, EACCES, EPERM, EINVAL, ELOOP, ESRCH};
	static const int failures[] = {EIO, EMFILE, ENFILE, ENOMEM, ESTALE};

	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		ck_assert(!pk_is_failure(answers[i]));
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		ck_assert(pk_is_failure(failures[i]));
}
END_TEST

/* The file exists but cannot be read. */
START_TEST(unreadable)
{
	struct pk_failures failures = {0};
	char path[] = "/tmp/pk-failures.XXXXXX";
	size_t size;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "\177ELF", 4), 4);
	close(fd);
	fd = open(path, O_WRONLY);
	ck_assert_ptr_null(pk_file_read(fd, 100, &size));
	ck_assert_int_eq(errno, EBADF);
	ck_assert_ptr_null(pk_elf_open(fd, path, &failures));
	ck_assert_uint_eq(failures.count, 1);
	ck_assert_int_eq(failures.error, EBADF);
	ck_assert_str_eq(failures.path, path);
	/* A file that can be read but has no content. */
	failures = (struct pk_failures){0};
	ck_assert_int_eq(pk_file_open(path, &fd), 0);
	ck_assert_ptr_null(pk_file_read(fd, 3, &size));
	ck_assert_int_eq(errno, EFBIG);
	ck_assert_ptr_null(pk_elf_open(fd, path, &failures));
	ck_assert_uint_eq(failures.count, 0);
	unlink(path);
}
END_TEST

/* The file becomes shorter after it was opened, and a section is then missing. */
START_TEST(shorter)
{
	struct pk_failures failures = {0};
	char path[] = "/tmp/pk-failures.XXXXXX", *bytes;
	const struct pk_elf_section *symtab;
	struct pk_elf *elf;
	size_t size;
	int from, to = mkstemp(path);

	ck_assert_int_eq(pk_file_open(OBJECT, &from), 0);
	bytes = pk_file_read(from, 1 << 20, &size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(write(to, bytes, size), (ssize_t)size);
	elf = pk_elf_open(open(path, O_RDONLY), path, &failures);
	ck_assert_ptr_nonnull(elf);
	symtab = pk_elf_section(elf, ".symtab");
	ck_assert_int_eq(ftruncate(to, (off_t)symtab->offset + 8), 0);
	ck_assert_uint_eq(pk_elf_symbols(elf, symtab).count, 0);
	ck_assert_uint_eq(failures.count, 1);
	ck_assert_ptr_null(pk_elf_bytes(elf, symtab->offset, symtab->size));
	ck_assert_uint_eq(failures.count, 2);
	ck_assert_int_eq(failures.error, 0);
	ck_assert_str_eq(failures.path, path);
	pk_elf_close(elf);
	free(bytes);
	close(from);
	close(to);
	unlink(path);
}
END_TEST

/* The process has no descriptor left to open the file. */
START_TEST(no_descriptors)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){.symfs = "."});
	struct pk_object *o = pk_symbols_file(s, "/" OBJECT, NULL, 0);
	struct pk_object *missing = pk_symbols_file(s, "/no such file", NULL, 0);
	const int lowest = dup(0);
	struct rlimit limit, before;
	struct pk_symbol symbol;

	ck_assert_int_eq(pk_object_state(missing), PK_OBJECT_NO_FILE);
	ck_assert_uint_eq(pk_symbols_failures(s)->count, 0);
	close(lowest);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	before = limit;
	limit.rlim_cur = (rlim_t)lowest;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert(!pk_object_lookup(o, 0x2e0, &symbol));
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_FAILED);
	ck_assert_str_eq(pk_object_reason(o), "could not be read");
	ck_assert_uint_ge(pk_object_failures(o)->count, 1);
	ck_assert_int_eq(pk_object_failures(o)->error, EMFILE);
	ck_assert_str_eq(pk_object_failures(o)->path, "./" OBJECT);
	pk_symbols_free(s);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0); /* LeakSanitizer needs it */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("failures");
	TCase *all = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_test(all, first_is_kept);
	tcase_add_test(all, kinds);
	tcase_add_test(all, unreadable);
	tcase_add_test(all, shorter);
	tcase_add_test(all, no_descriptors);
	suite_add_tcase(s, all);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
