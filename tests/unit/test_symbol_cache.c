/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol_cache.h"

static char dir[64], folder[128], newer[160], older[160];
static struct pk_cache_key key;

static void begin(void)
{
	snprintf(dir, sizeof(dir), "/tmp/pk-cache.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(folder, sizeof(folder), "%s/cache/pk", dir);
	snprintf(newer, sizeof(newer), "%s/symbols", folder);
	snprintf(older, sizeof(older), "%s/symbols.old", folder);
	pk_cache_key_start(&key, "test");
	pk_cache_key_add(&key, "abc", 3);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Makes a table of two symbols. The first one was shown already. */
static void make(struct pk_symtable *t)
{
	static const char names[] = "_Z1fi\0_Z1gi";
	uint32_t at;

	*t = (struct pk_symtable){.demangle = true};
	ck_assert(pk_symtable_names(t, names, sizeof(names), &at) == PK_OK);
	ck_assert(pk_symtable_add(t, 0x100, 0x10, 0, PK_ENTRY_WEAK) == PK_OK);
	ck_assert(pk_symtable_add(t, 0x200, 0x10, 6, 0) == PK_OK);
	ck_assert(pk_symtable_settle(t) == PK_OK);
	ck_assert(pk_symtable_flatten(t, PK_OVERLAP_INNERMOST) == PK_OK);
	ck_assert_str_eq(pk_symtable_name(t, &t->entries[0]), "f(int)");
}

/* Saves the table. Returns the errno of the failure. */
static int save(void)
{
	struct pk_symbol_cache c;
	struct pk_symtable t;
	int error;

	make(&t);
	pk_symbol_cache_open(&c, folder);
	pk_symbol_cache_save(&c, &key, &t, "12345678", 8);
	error = c.error;
	pk_symbol_cache_close(&c);
	pk_symtable_clear(&t);
	return error;
}

/* Returns whether the cache has the table. */
static bool has(void)
{
	struct pk_symbol_cache c;
	struct pk_symtable t = {.demangle = true};
	const void *extra;
	size_t size;
	bool found;

	pk_symbol_cache_open(&c, folder);
	found = pk_symbol_cache_load(&c, &key, &t, &extra, &size);
	if (found) {
		ck_assert_uint_eq(size, 8);
		ck_assert_mem_eq(extra, "12345678", 8);
		ck_assert_uint_eq(t.count, 2);
		ck_assert_uint_eq(t.entries[0].at, 0x100);
		ck_assert(t.entries[0].info & PK_ENTRY_WEAK);
		ck_assert_str_eq(pk_symtable_name(&t, &t.entries[0]), "f(int)");
		ck_assert_str_eq(pk_symtable_name(&t, &t.entries[1]), "g(int)");
		ck_assert_ptr_eq(pk_symtable_find(&t, 0x20f), &t.entries[1]);
	}
	pk_symtable_clear(&t);
	pk_symbol_cache_close(&c);
	return found;
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

START_TEST(keeps)
{
	off_t size;

	begin();
	ck_assert(!has());
	ck_assert_int_eq(save(), 0);
	ck_assert(has());
	size = size_of(newer);
	ck_assert_int_eq(save(), 0); /* is there already */
	ck_assert_int_eq(size_of(newer), size);
	pk_cache_key_add(&key, "d", 1);
	ck_assert(!has());
	ck_assert_int_eq(save(), 0);
	ck_assert(has());
	ck_assert_int_gt(size_of(newer), size);
	end();
}
END_TEST

START_TEST(keys)
{
	static const char bytes[300];
	struct pk_cache_key other;

	begin();
	pk_cache_key_start(&other, "test");
	ck_assert_uint_gt(other.size, 0);
	ck_assert(other.size != key.size);
	pk_cache_key_add(&key, bytes, sizeof(bytes)); /* too long */
	ck_assert_uint_eq(key.size, 0);
	pk_cache_key_add(&key, bytes, 1);
	ck_assert_uint_eq(key.size, 0);
	ck_assert_int_eq(save(), 0);
	ck_assert(!has());
	end();
}
END_TEST

/* Only the user may read the files. */
START_TEST(modes)
{
	struct stat st;

	begin();
	umask(0);
	save();
	ck_assert_int_eq(stat(newer, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(stat(folder, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0700);
	end();
}
END_TEST

/* Whatever byte is wrong, the table is not used, and the next save makes the cache usable again. */
START_TEST(damaged)
{
	static const unsigned char patterns[] = {0x01, 0x20, 0xff};
	const size_t slots = 64 + 4096 * 32;
	size_t size, used = 64;
	unsigned char *bytes;
	int fd;

	begin();
	save();
	fd = open(newer, O_RDWR);
	size = (size_t)size_of(newer);
	bytes = malloc(size + 1);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(read(fd, bytes, size), size);
	while (!bytes[used]) /* the slot that is used */
		used++;
	used = used / 32 * 32;
	for (size_t i = 0; i < size; i++) {
		const unsigned char wrong = bytes[i] ^ patterns[i % sizeof(patterns)];

		if (i >= 64 && i < slots && (i < used || i >= used + 32))
			continue;
		ck_assert_int_eq(pwrite(fd, &wrong, 1, (off_t)i), 1);
		ck_assert_msg(!has(), "byte %zu", i);
		close(fd); /* the file can have been replaced */
		ck_assert_int_eq(save(), 0);
		ck_assert_msg(has(), "byte %zu", i);
		unlink(newer);
		fd = open(newer, O_RDWR | O_CREAT, 0600);
		ck_assert_int_eq(write(fd, bytes, size), size);
		ck_assert(has());
	}
	for (size_t i = size; i--;) {
		if (i > 64 && i < slots)
			i = 64;
		ck_assert_int_eq(ftruncate(fd, (off_t)i), 0);
		ck_assert_msg(!has(), "cut at byte %zu", i);
	}
	close(fd);
	ck_assert_int_eq(save(), 0);
	ck_assert(has());
	free(bytes);
	end();
}
END_TEST

/* If the file is full, its tables move to the old file, and those that are used return. */
START_TEST(full)
{
	begin();
	save();
	ck_assert_int_eq(truncate(newer, 96 << 20), 0);
	ck_assert(has());
	ck_assert_int_lt(size_of(newer), 1 << 20);
	ck_assert_int_eq(size_of(older), 96 << 20);
	save();
	ck_assert_int_eq(unlink(older), 0);
	ck_assert(has());
	end();
}
END_TEST

/* While another program writes, nothing is written. */
START_TEST(busy)
{
	int fd;

	begin();
	has();
	fd = open(newer, O_RDWR);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(save(), 0);
	ck_assert(!has());
	close(fd);
	ck_assert_int_eq(save(), 0);
	ck_assert(has());
	end();
}
END_TEST

/* A file of another user is not used. */
START_TEST(foreign)
{
	begin();
	save();
	ck_assert_int_eq(chmod(newer, 0620), 0);
	ck_assert(!has());
	ck_assert_int_eq(chmod(newer, 0600), 0);
	ck_assert(has());
	if (!geteuid()) {
		ck_assert_int_eq(chown(newer, 65534, -1), 0);
		ck_assert(!has());
		ck_assert_int_eq(chown(newer, 0, -1), 0);
	}
	ck_assert_int_eq(rename(newer, older), 0);
	ck_assert_int_eq(symlink(older, newer), 0);
	ck_assert_int_eq(chmod(older, 0620), 0);
	ck_assert(!has());
	unlink(newer);
	ck_assert_int_eq(mkfifo(newer, 0600), 0);
	ck_assert(!has());
	unlink(newer);
	ck_assert_int_eq(mkdir(newer, 0700), 0);
	ck_assert(!has());
	end();
}
END_TEST

static size_t entries_of(const char *path)
{
	DIR *d = opendir(path);
	size_t count = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count - 2;
}

/* Nothing is written in a folder that other users can write to, that belongs to another user, or
 * that is in a folder of another user. */
START_TEST(foreign_folder)
{
	char real[128], above[128];

	begin();
	snprintf(real, sizeof(real), "%s/real", dir);
	snprintf(above, sizeof(above), "%s/cache", dir);
	save();
	ck_assert(has());
	ck_assert_int_eq(chmod(folder, 0777), 0);
	ck_assert(!has());
	ck_assert_int_eq(chmod(folder, 0700), 0);
	ck_assert_int_eq(chmod(above, 0770), 0);
	ck_assert(has());
	ck_assert_int_eq(rename(above, real), 0);
	ck_assert_int_eq(symlink(real, above), 0);
	ck_assert(has()); /* a link of this user */
	if (!geteuid()) {
		ck_assert_int_eq(lchown(above, 65534, -1), 0);
		ck_assert(!has());
		ck_assert_int_eq(unlink(above), 0);
		ck_assert_int_eq(mkdir(above, 0700), 0);
		ck_assert_int_eq(chown(above, 65534, -1), 0);
		save();
		ck_assert_int_eq(entries_of(above), 0);
		ck_assert_int_eq(rmdir(above), 0);
		ck_assert_int_eq(chown(dir, 65534, -1), 0);
		save();
		ck_assert_int_eq(entries_of(dir), 1);
		ck_assert_int_eq(chown(dir, 0, -1), 0);
	}
	end();
}
END_TEST

START_TEST(nowhere)
{
	static const char *const folders[] = {
		"", "/", "/pk", "pk", "/nonexistent/x/pk", "/proc/no/such/folder"};

	begin();
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(folder, sizeof(folder), "%s", folders[i]);
		if (!strcmp(folder, "/pk") && !geteuid())
			continue; /* root may create it */
		ck_assert_int_eq(save(), 0);
		ck_assert(!has());
	}
	end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_cache");
	TCase *c = tcase_create("symbol_cache");
	SRunner *r;
	int failed;

	tcase_add_test(c, keeps);
	tcase_add_test(c, keys);
	tcase_add_test(c, modes);
	tcase_add_test(c, damaged);
	tcase_add_test(c, full);
	tcase_add_test(c, busy);
	tcase_add_test(c, foreign);
	tcase_add_test(c, foreign_folder);
	tcase_add_test(c, nowhere);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
