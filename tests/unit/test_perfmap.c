/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfmap.h"
#include "symbols.h"

static struct pk_symtable t;

static void parse(const char *text)
{
	ck_assert(pk_perf_map_parse(&t, strdup(text), strlen(text)) == PK_OK);
}

static void expect(uint64_t address, const char *name)
{
	struct pk_symtable_entry *e = pk_symtable_find(&t, address);

	ck_assert_str_eq(e ? pk_symtable_name(&t, e) : "", name);
}

START_TEST(lines)
{
	parse("1000 20 first\n"
	      "0x1020 0x10 second one, with blanks\n"
	      "1040 0 empty\n"
	      "DEADbeef 10 upper\r\n"
	      "  50 8   indented\n"
	      "60 8 x");
	expect(0x101f, "first");
	expect(0x102f, "second one, with blanks");
	expect(0x1030, "");
	expect(0x1040, "empty");
	expect(0x1041, "");
	expect(0xdeadbeef, "upper");
	expect(0x57, "indented");
	expect(0x60, "x");
	pk_symtable_clear(&t);
}
END_TEST

START_TEST(bad_lines)
{
	parse("\nnonsense\n2000\n2000 \n2000 10\n2000 10 \nxyz 10 name\n2000 zz name\n"
	      "20000000000000001 10 long\n-5 10 negative\n3000 1 good\n");
	ck_assert_uint_eq(t.count, 1);
	expect(0x3000, "good");
	pk_symtable_clear(&t);
}
END_TEST

START_TEST(later_overrides)
{
	parse("1000 100 old\n1800 10 other\n1040 20 new\n1000 8 start\n1808 10 tail\n");
	expect(0x1000, "start");
	expect(0x1008, "old");
	expect(0x1040, "new");
	expect(0x1060, "old");
	expect(0x1807, "other");
	expect(0x1808, "tail");
	expect(0x1817, "tail");
	pk_symtable_clear(&t);
}
END_TEST

static char dir[] = "/tmp/pk-perfmap.XXXXXX";
static char path[64];

static void make_dir(void)
{
	char tmp[64];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(tmp, sizeof(tmp), "%s/tmp", dir);
	ck_assert_int_eq(mkdir(tmp, 0700), 0);
	snprintf(path, sizeof(path), "%s/tmp/perf-123.map", dir);
}

static void remove_dir(void)
{
	char tmp[64];

	unlink(path);
	snprintf(tmp, sizeof(tmp), "%s/tmp", dir);
	rmdir(tmp);
	rmdir(dir);
}

static void append(const char *text)
{
	FILE *file = fopen(path, "a");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits until the address has a name. The object checks its file only after some time, which is
 * longer if reading the file took long. */
static bool await_name(struct pk_object *o, uint64_t address, struct pk_symbol *symbol)
{
	for (int i = 0; i < 100 && !pk_object_lookup(o, address, symbol); i++)
		wait_ms(50);
	return pk_object_lookup(o, address, symbol);
}

START_TEST(grows)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){.symfs = dir});
	struct pk_object *o = pk_symbols_perf_map(s, 123);
	struct pk_symbol symbol;

	ck_assert(!pk_object_lookup(o, 0x1000, &symbol));
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_NO_FILE);
	append("1000 10 first\n");
	ck_assert(await_name(o, 0x100f, &symbol));
	ck_assert_str_eq(symbol.name, "first");
	ck_assert_uint_eq(symbol.start, 0x1000);
	ck_assert_uint_eq(symbol.end, 0x1010);
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_READY);
	ck_assert_str_eq(pk_object_source(o), path);
	append("2000 10 second\n");
	ck_assert(await_name(o, 0x2000, &symbol));
	ck_assert_str_eq(symbol.name, "second");
	/* The perf map is removed, as after the end of its process. The names remain known. */
	unlink(path);
	wait_ms(150);
	ck_assert(!pk_object_lookup(o, 0x3000, &symbol));
	ck_assert(pk_object_lookup(o, 0x1000, &symbol));
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_READY);
	pk_symbols_free(s);
}
END_TEST

START_TEST(not_a_file)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){.symfs = dir});

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(pk_object_state(pk_symbols_perf_map(s, 123)), PK_OBJECT_UNUSABLE);
	pk_symbols_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfmap");
	TCase *text = tcase_create("text"), *files = tcase_create("files");
	SRunner *r;
	int failed;

	tcase_add_test(text, lines);
	tcase_add_test(text, bad_lines);
	tcase_add_test(text, later_overrides);
	tcase_add_checked_fixture(files, make_dir, remove_dir);
	tcase_add_test(files, grows);
	tcase_add_test(files, not_a_file);
	suite_add_tcase(s, text);
	suite_add_tcase(s, files);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
