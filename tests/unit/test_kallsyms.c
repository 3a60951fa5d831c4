/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
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

/* Symbols that are added to others are the same as if all were parsed together. */
START_TEST(extended)
{
	static const char first[] =
		"ffffffff81000000 T _text\nffffffff81000100 T last\n"
		"ffffffffc0200000 t one\t[ext4]\nffffffffc0200100 t two\t[ext4]\n"
		"ffffffffc0209000 d data\t[ext4]\nffffffffc0300000 t init\t[mod]\n",
			  rest[] = "ffffffffc0200f00 t bpf_prog_1\t[bpf]\n"
				   "ffffffffc0204000 t bpf_prog_2\t[bpf]\n"
				   "ffffffffc0300100 t ftrace\t[__builtin__ftrace]\n"
				   "ffffffffc0600000 t bpf_prog_3\t[bpf]\n";
	struct pk_kallsyms part = {.table.failures = NULL}, all = {.table.failures = NULL};
	char text[sizeof(first) + sizeof(rest)];

	snprintf(text, sizeof(text), "%s%s", first, rest);
	parse(text);
	ck_assert(pk_kallsyms_parse(&part, strdup(first), strlen(first)) == PK_OK);
	ck_assert(pk_kallsyms_extend(&part, rest, strlen(rest), &all) == PK_OK);
	pk_kallsyms_clear(&part);
	ck_assert_uint_eq(all.table.count, k.table.count);
	for (size_t i = 0; i < k.table.count; i++) {
		struct pk_symtable_entry *a = &all.table.entries[i], *b = &k.table.entries[i];
		const char *in_a = pk_kallsyms_module(&all, a), *in_b = pk_kallsyms_module(&k, b);

		ck_assert_uint_eq(a->at, b->at);
		ck_assert_uint_eq(a->size, b->size);
		ck_assert_uint_eq(a->back, b->back);
		ck_assert_str_eq(pk_symtable_name(&all.table, a), pk_symtable_name(&k.table, b));
		ck_assert_str_eq(in_a ? in_a : "", in_b ? in_b : "");
	}
	ck_assert_mem_eq(all.references, k.references, sizeof(k.references));
	pk_kallsyms_clear(&all);
}
END_TEST

/* The symbols of the running kernel are the same after they were kept in the cache. */
START_TEST(cached)
{
	struct pk_kallsyms loaded = {.table.failures = NULL};
	char folder[64], command[128];
	struct pk_symbol_cache c;
	struct pk_cache_key key;
	uint64_t address;

	snprintf(folder, sizeof(folder), "/tmp/pk-kallsyms.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	strcat(folder, "/pk");
	pk_symbol_cache_open(&c, folder);
	pk_kallsyms_key(&key);
	ck_assert_uint_gt(key.size, 0);
	ck_assert(!pk_kallsyms_load(&c, &key, &loaded));
	parse("ffffffff81000000 T _text\nffffffff81000100 T start\n"
	      "ffffffffc0200000 t init\t[mod]\nffffffffc0300000 t two\t[other]\n");
	pk_kallsyms_save(&c, &key, &k);
	pk_symbol_cache_close(&c);
	pk_kallsyms_clear(&k);

	pk_symbol_cache_open(&c, folder);
	ck_assert(pk_kallsyms_load(&c, &key, &k));
	ck_assert_uint_eq(k.table.count, 4);
	expect(0xffffffff81000180, "start", "");
	expect(0xffffffffc0200001, "init", "mod");
	expect(0xffffffffc0300001, "two", "other");
	ck_assert(pk_kallsyms_reference(&k, "_text", &address));
	ck_assert_uint_eq(address, 0xffffffff81000000);
	pk_kallsyms_clear(&k);
	pk_symbol_cache_close(&c);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Symbols of code that the kernel generates are not copied, at any address. */
START_TEST(generated)
{
	static const char text[] = "ffffffff81000000 T _text\nffffffff81000100 T start\n"
				   "ffffffffc0200000 t init\t[mod]\n";
	static const char *const others[] = {
		"ffffffffc0370000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]\n",
		"ffffffffc0201000 t ftrace_trampoline\t[__builtin__ftrace]\n"
		"ffffffffc0370000 t bpf_trampoline_6442\t[bpf]\n"
		"ffffffffc0202000 t kprobe_insn_page\t[__builtin__kprobes]\n",
	};
	char all[512];

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(all, sizeof(all), "%s%s", text, others[i]);
		ck_assert_uint_eq(pk_kallsyms_lasting_size(all, strlen(all)), strlen(text));
	}
	ck_assert_uint_eq(pk_kallsyms_lasting_size(text, strlen(text)), strlen(text));
}
END_TEST

/* Only the ends of the last symbols of the kernel and of each module are estimates. */
START_TEST(lacking)
{
	static const char lines[] =
		"ffffffff81000000 T _text\nffffffff81000100 T last\n"
		"ffffffffc0200000 t one\t[ext4]\nffffffffc0200100 t two\t[ext4]\n";
	static const struct {
		uint64_t address;
		bool may;
	} cases[] = {
		{0xffffffff80fff000, true}, {0xffffffff81000000, false}, {0xffffffff81000100, true},
		{0xffffffff81009000, true}, {0xffffffffc0200001, false}, {0xffffffffc0200101, true},
	};

	parse(lines);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_int_eq(
			pk_kallsyms_may_lack(&k, pk_symtable_find(&k.table, cases[i].address)),
			cases[i].may);
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
	tcase_add_test(c, extended);
	tcase_add_test(c, cached);
	tcase_add_test(c, generated);
	tcase_add_test(c, lacking);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
