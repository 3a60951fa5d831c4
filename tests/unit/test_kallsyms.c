/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kallsyms.h"

static struct pk_kallsyms k;

static void parse(const char *text)
{
	ck_assert(pk_kallsyms_parse(&k, strdup(text), strlen(text)) == PK_OK);
}

static void teardown(void)
{
	pk_kallsyms_clear(&k);
}

static void expect(uint64_t address, const char *name, const char *module)
{
	struct pk_symtable_entry *e = pk_symtable_find(&k.table, address);
	const char *in;

	if (!*name) {
		ck_assert_ptr_null(e);
		return;
	}
	ck_assert_msg(e != NULL, "%#" PRIx64 " is in nothing, not in %s", address, name);
	ck_assert_str_eq(pk_symtable_name(&k.table, e), name);
	in = pk_kallsyms_module(&k, e);
	ck_assert_str_eq(in ? in : "", module);
}

START_TEST(kernel)
{
	parse("ffffffff81000000 T srso_alias_untrain_ret\n"
	      "ffffffff81000000 T _stext\n"
	      "ffffffff81000000 T _text\n"
	      "ffffffff81000100 t local\n"
	      "ffffffff81000200 W weak\n"
	      "ffffffff81000300 t $x\n"
	      "ffffffff81000400 r constant\n"
	      "ffffffff81000500 A absolute\n"
	      "ffffffff81001800 d data\n");
	expect(0xffffffff80ffffff, "", "");
	expect(0xffffffff810000ff, "_text", "");
	expect(0xffffffff81000100, "local", "");
	expect(0xffffffff810017ff, "weak", "");
	expect(0xffffffff81002fff, "data", "");
	expect(0xffffffff81003000, "", "");
	ck_assert(!k.hidden);
}
END_TEST

START_TEST(modules)
{
	parse("1000 T text\n"
	      "1010 T end_of_kernel\n"
	      "80000000 t init\t[first]\n"
	      "80000010 t last_of_first\t[first]\n"
	      "80010010 t go\t[second]\n"
	      "80010020 t prog\t[bpf]\n"
	      "80000008 t other\t[first]\n");
	expect(0x2fff, "end_of_kernel", "");
	expect(0x3000, "", "");
	expect(0x80000007, "init", "first");
	expect(0x80000008, "other", "first");
	expect(0x80001fff, "last_of_first", "first");
	expect(0x80002000, "", "");
	/* "go" can extend into another module. There, the symbol of that module has precedence. */
	expect(0x8001001f, "go", "second");
	expect(0x80010020, "prog", "bpf");
}
END_TEST

START_TEST(references)
{
	uint64_t address;

	parse("ffff800008000000 T _text\nffff800008000000 t __pi__text\nffff800008010000 T "
	      "_stext\n");
	expect(0xffff800008000000, "__pi__text", "");
	ck_assert(pk_kallsyms_reference(&k, "_text", &address));
	ck_assert_uint_eq(address, 0xffff800008000000);
	ck_assert(pk_kallsyms_reference(&k, "_stext", &address));
	ck_assert_uint_eq(address, 0xffff800008010000);
	ck_assert(!pk_kallsyms_reference(&k, "_sinittext", &address));
}
END_TEST

START_TEST(hidden)
{
	uint64_t address;

	parse("0000000000000000 T _text\n0000000000000000 t other\n");
	ck_assert(k.hidden);
	ck_assert(!pk_kallsyms_reference(&k, "_text", &address));
}
END_TEST

START_TEST(odd_lines)
{
	parse("\n\nzz T bad\n10\n10 \n10 T\n10 T \n10T bad\n10 TT bad\n"
	      "11111111111111111 T too_long_an_address\n"
	      "100 T a\t[]\n"
	      "200 T b\t[open\n"
	      "300 T c\tno bracket\n"
	      "400 T last line without an end");
	ck_assert_uint_eq(k.table.count, 4);
	expect(0x100, "a", "");
	expect(0x200, "b", "");
	expect(0x300, "c", "");
	expect(0x400, "last line without an end", "");
}
END_TEST

START_TEST(nothing)
{
	parse("");
	ck_assert_uint_eq(k.table.count, 0);
	ck_assert(!k.hidden);
	expect(0, "", "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kallsyms");
	TCase *c = tcase_create("kallsyms");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_test(c, kernel);
	tcase_add_test(c, modules);
	tcase_add_test(c, references);
	tcase_add_test(c, hidden);
	tcase_add_test(c, odd_lines);
	tcase_add_test(c, nothing);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
