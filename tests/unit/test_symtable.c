/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symtable.h"

static struct pk_symtable t;

static void setup(void)
{
	t = (struct pk_symtable){.demangle = true};
}

static void teardown(void)
{
	pk_symtable_clear(&t);
}

static void add(uint64_t start, uint64_t size, const char *name, uint32_t info)
{
	uint32_t offset;

	ck_assert(pk_symtable_names(&t, name, strlen(name) + 1, &offset) == PK_OK);
	ck_assert(pk_symtable_add(&t, start, size, offset, info) == PK_OK);
}

static void settle(void)
{
	ck_assert(pk_symtable_settle(&t) == PK_OK);
	ck_assert(pk_symtable_flatten(&t, PK_OVERLAP_INNERMOST) == PK_OK);
}

/* Checks the name at `addr`, and the offset in the symbol. If there is no symbol, `name` is "". */
static void expect(uint64_t addr, const char *name, uint64_t offset)
{
	struct pk_symtable_entry *e = pk_symtable_find(&t, addr);

	if (!*name) {
		ck_assert_msg(!e, "%#" PRIx64 " is in %s", addr, e ? pk_symtable_name(&t, e) : "");
		return;
	}
	ck_assert_msg(e != NULL, "%#" PRIx64 " is in nothing, not in %s", addr, name);
	ck_assert_str_eq(pk_symtable_name(&t, e), name);
	ck_assert_uint_eq(addr - pk_symtable_start(e), offset);
}

START_TEST(nothing)
{
	settle();
	expect(0, "", 0);
	expect(UINT64_MAX, "", 0);
}
END_TEST

START_TEST(sizes)
{
	add(0x300, 0, "unknown", 0);
	add(0x100, 0x10, "sized", 0);
	add(0x380, 0x10, "next", 0);
	add(0x1004, 0, "last", 0);
	settle();
	expect(0xff, "", 0);
	expect(0x100, "sized", 0);
	expect(0x10f, "sized", 15);
	expect(0x110, "", 0);
	expect(0x37f, "unknown", 0x7f);
	expect(0x380, "next", 0);
	expect(0x390, "", 0);
	expect(0x2fff, "last", 0x1ffb); /* up to the end of the page after the page of the symbol */
	expect(0x3000, "", 0);
}
END_TEST

START_TEST(many)
{
	enum { N = 100000 };
	char name[16];

	/* The symbols are added in another order. Each is added once, because 7919 and N have no
	 * common divisor. */
	for (unsigned i = 0; i < N; i++) {
		unsigned n = (unsigned)((uint64_t)i * 7919 % N);

		snprintf(name, sizeof(name), "s%u", n);
		add((uint64_t)n << 20, 1 << 19, name, 0);
	}
	settle();
	ck_assert_uint_eq(t.count, N);
	for (unsigned i = 0; i < N; i += 37) {
		snprintf(name, sizeof(name), "s%u", i);
		expect(((uint64_t)i << 20) + 5, name, 5);
		expect(((uint64_t)i << 20) + (1 << 19), "", 0);
	}
}
END_TEST

struct alias {
	const char *worse, *better;
	uint32_t worse_info, better_info;
	unsigned worse_size, better_size;
};

/* Pairs of symbols with the same range. Each pair tests one rule: the second symbol is better by
 * this rule, and worse by the later rules. */
static const struct alias aliases[] = {
	{"longer_name", "typed", PK_ENTRY_GLOBAL | PK_ENTRY_NOTYPE, PK_ENTRY_WEAK, 8, 8},
	{"longer_name", "strong", PK_ENTRY_WEAK, 0, 8, 8},
	{"longer_name", "__global", 0, PK_ENTRY_GLOBAL, 8, 8},
	{"__longer_name", "_bars", 0, 0, 8, 8},
	{"short", "longer", 0, 0, 8, 8},
	{"SyS_read", "sys_read", 0, 0, 8, 8},
	/* Names are compared as they are printed: here x() and not _Z1xv. */
	{"_a_long_name", "_Z1xv", 0, 0, 8, 8},
};

static void expect_better(const char *mangled)
{
	struct pk_symtable_entry *e;

	add(0x1000, 1, "after", 0);
	settle();
	e = pk_symtable_find(&t, 0x100);
	ck_assert_ptr_nonnull(e);
	ck_assert_str_eq(t.names + e->name, mangled);
	ck_assert_uint_eq(t.count, 2);
}

START_TEST(alias_behind)
{
	const struct alias *a = &aliases[_i];

	add(0x100, a->worse_size, a->worse, a->worse_info);
	add(0x100, a->better_size, a->better, a->better_info);
	expect_better(a->better);
}
END_TEST

START_TEST(alias_before)
{
	const struct alias *a = &aliases[_i];

	add(0x100, a->better_size, a->better, a->better_info);
	add(0x100, a->worse_size, a->worse, a->worse_info);
	expect_better(a->better);
}
END_TEST

START_TEST(alias_equal)
{
	add(0x100, 8, "first", 0);
	add(0x100, 8, "other", PK_ENTRY_IFUNC);
	expect_better("first");
	ck_assert(pk_symtable_find(&t, 0x100)->info & PK_ENTRY_IFUNC);
}
END_TEST

/* The first symbol has no size, and the second symbol starts at the same address. */
START_TEST(alias_unsized_first)
{
	add(0x100, 0, "longer_name", PK_ENTRY_GLOBAL);
	add(0x100, 8, "sized", PK_ENTRY_NOTYPE);
	expect_better("sized");
}
END_TEST

/* No symbol has a size. Then the last symbol gets the whole range, and is therefore better. */
START_TEST(alias_unsized)
{
	add(0x100, 0, "_stext", PK_ENTRY_GLOBAL);
	add(0x100, 0, "_text", 0);
	settle();
	expect(0x100, "_text", 0);
}
END_TEST

START_TEST(innermost)
{
	add(0x100, 0x100, "outer", 0);
	add(0x120, 0x40, "middle", 0);
	add(0x130, 0x10, "inner", 0);
	add(0x1f0, 0x20, "over the end", 0);
	settle();
	expect(0x11f, "outer", 0x1f);
	expect(0x120, "middle", 0);
	expect(0x130, "inner", 0);
	expect(0x140, "middle", 0x20);
	expect(0x15f, "middle", 0x3f);
	expect(0x160, "outer", 0x60);
	expect(0x1ef, "outer", 0xef);
	expect(0x200, "over the end", 0x10);
	expect(0x210, "", 0);
}
END_TEST

START_TEST(newest)
{
	add(0x100, 0x100, "old", 0);
	add(0x180, 0x100, "new", 0);
	add(0x140, 0x80, "newest", 0);
	add(0x150, 8, "hidden?", 0);
	add(0x100, 0x10, "at the same start", 0);
	ck_assert(pk_symtable_flatten(&t, PK_OVERLAP_NEWEST) == PK_OK);
	expect(0x100, "at the same start", 0);
	expect(0x110, "old", 0x10);
	expect(0x140, "newest", 0);
	expect(0x150, "hidden?", 0);
	expect(0x158, "newest", 0x18);
	expect(0x1bf, "newest", 0x7f);
	expect(0x1c0, "new", 0x40);
	expect(0x27f, "new", 0xff);
	expect(0x280, "", 0);
}
END_TEST

/* Finding the outermost symbol must not need a new search on each level. */
START_TEST(nested_deeply)
{
	enum { N = 200000 };

	for (uint64_t i = 0; i < N; i++)
		ck_assert(pk_symtable_add(&t, i * 4, 8 * N - i * 8, 0, 0) == PK_OK);
	add(UINT64_MAX - 1, 1, "end", 0);
	settle();
	ck_assert_uint_le(t.count, 2 * N + 2);
	ck_assert_uint_eq(pk_symtable_start(pk_symtable_find(&t, 8 * N - 1)), 0);
}
END_TEST

START_TEST(labels_inside)
{
	add(0x100, 0x80, "function", PK_ENTRY_GLOBAL);
	add(0x140, 0, "label", PK_ENTRY_NOTYPE | PK_ENTRY_GLOBAL);
	add(0x160, 8, "sized", PK_ENTRY_NOTYPE);
	add(0x180, 0, "outside", PK_ENTRY_NOTYPE);
	settle();
	expect(0x140, "function", 0x40);
	expect(0x160, "sized", 0);
	expect(0x168, "function", 0x68);
	expect(0x180, "outside", 0);
}
END_TEST

START_TEST(edges)
{
	add(UINT64_MAX, 0, "nowhere", 0);
	add(UINT64_MAX - 16, UINT64_MAX, "wraps", 0);
	add(0, UINT64_C(1) << 40, "large", 0);
	settle();
	expect(UINT64_MAX - 16, "wraps", 0);
	expect(UINT64_MAX - 1, "wraps", 15);
	expect(UINT64_MAX, "", 0);
	expect(0, "large", 0);
	expect(UINT32_MAX - 1, "large", UINT32_MAX - 1);
	expect(UINT64_C(1) << 39, "", 0); /* cut at 4 GiB, more than any code */
}
END_TEST

START_TEST(names)
{
	add(0x10, 8, "_ZN3foo3barEiPKc", 0);
	add(0x20, 8, "_ZN3foo3barEv", PK_ENTRY_PLT);
	add(0x30, 8, "", PK_ENTRY_PLT);
	add(0x40, 8, "_Znot a mangled name", 0);
	add(0x50, 8, "_Z3foov.cold", 0);
	settle();
	for (int again = 0; again < 2; again++) {
		expect(0x10, "foo::bar(int, char const*)", 0);
		expect(0x20, "foo::bar()@plt", 0);
		expect(0x30, "offset_0x30@plt", 0);
		expect(0x40, "_Znot a mangled name", 0);
		expect(0x50, "foo() [clone .cold]", 0);
	}
}
END_TEST

START_TEST(names_not_demangled)
{
	t.demangle = false;
	add(0x10, 8, "_Z3foov", 0);
	add(0x20, 8, "_Z3foov", PK_ENTRY_PLT);
	settle();
	expect(0x10, "_Z3foov", 0);
	expect(0x20, "_Z3foov@plt", 0);
}
END_TEST

/* Each parameter is a pair of the previous parameter. Without a limit, the text would have a
 * terabyte. */
START_TEST(demangling_bomb)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z1fSt4pairIiiE";
	size_t used = strlen(name);

	for (int i = 0; i < 30; i++)
		used += (size_t)snprintf(name + used, sizeof(name) - used, "S_IS%c_S%c_E",
					 digits[i], digits[i]);
	add(0x10, 8, name, 0);
	settle();
	expect(0x10, name, 0);
}
END_TEST

int main(void)
{
	const int alias_count = sizeof(aliases) / sizeof(aliases[0]);
	Suite *s = suite_create("symtable");
	TCase *c = tcase_create("symtable");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, nothing);
	tcase_add_test(c, sizes);
	tcase_add_test(c, many);
	tcase_add_loop_test(c, alias_behind, 0, alias_count);
	tcase_add_loop_test(c, alias_before, 0, alias_count);
	tcase_add_test(c, alias_equal);
	tcase_add_test(c, alias_unsized);
	tcase_add_test(c, alias_unsized_first);
	tcase_add_test(c, innermost);
	tcase_add_test(c, newest);
	tcase_add_test(c, nested_deeply);
	tcase_add_test(c, labels_inside);
	tcase_add_test(c, edges);
	tcase_add_test(c, names);
	tcase_add_test(c, names_not_demangled);
	tcase_add_test(c, demangling_bomb);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
