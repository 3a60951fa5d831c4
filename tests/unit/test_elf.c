/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"
#include "elf_builder.h"
#include "elf_symbols.h"

static struct pk_symtable t;

static void setup(void)
{
	t = (struct pk_symtable){.demangle = true};
}

static void teardown(void)
{
	pk_symtable_clear(&t);
}

static void expect(uint64_t offset, const char *name, uint64_t from_start)
{
	struct pk_symtable_entry *e = pk_symtable_find(&t, offset);

	if (!*name) {
		ck_assert_msg(!e, "%#" PRIx64 " is in %s", offset,
			      e ? pk_symtable_name(&t, e) : "");
		return;
	}
	ck_assert_msg(e != NULL, "%#" PRIx64 " is in nothing, not in %s", offset, name);
	ck_assert_str_eq(pk_symtable_name(&t, e), name);
	ck_assert_uint_eq(offset - pk_symtable_start(e), from_start);
}

static void load(const void *bytes, size_t size)
{
	struct pk_elf *elf = pk_elf_open_memory(bytes, size, NULL);

	ck_assert_ptr_nonnull(elf);
	ck_assert(pk_elf_load_symbols(elf, elf, &t) == PK_OK);
	pk_elf_close(elf);
}

static void load_built(struct built *b)
{
	built_build(b);
	load(b->bytes, b->used);
}

/* Loads a file of fuzz/corpus/elf, which a real linker made. */
static void load_file(const char *name)
{
	char path[128];
	struct pk_elf *elf;
	int fd;

	snprintf(path, sizeof(path), "fuzz/corpus/elf/%s", name);
	fd = open(path, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	elf = pk_elf_open(fd, "a file", NULL);
	ck_assert_ptr_nonnull(elf);
	ck_assert(pk_elf_load_symbols(elf, elf, &t) == PK_OK);
	pk_elf_close(elf);
}

/* Tests both classes and both byte orders. In the two segments, the difference of address and
 * offset is not the same. */
START_TEST(segments)
{
	struct built b = {
		.is32 = _i & 1,
		.big = _i & 2,
		.machine = _i & 1 ? EM_PPC : EM_S390,
		.segments = {{0, 0x10000, 0x1000, 0x1000}, {0x2000, 0x15000, 0x800, 0x1000}},
		.symbols =
			{
				{"low", 0x10100, 0x20, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT},
				{"high", 0x15010, 0x10, STB_LOCAL, STT_FUNC, 0, BUILT_OTHER},
				{"in_no_segment", 0x10000 + 0x3000, 0x10, STB_LOCAL, STT_FUNC, 0,
				 BUILT_TEXT},
			},
	};

	load_built(&b);
	expect(0x100, "low", 0);
	expect(0x11f, "low", 0x1f);
	expect(0x120, "", 0);
	expect(0x2010, "high", 0);
	expect(0x3008, "in_no_segment", 8); /* found by its section */
}
END_TEST

START_TEST(kinds)
{
	struct built b = {
		.machine = EM_X86_64,
		.segments = {{0, 0, 0x4000, 0x4000}},
		.symbols =
			{
				{"function", 0x100, 8, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT},
				{"ifunc", 0x110, 8, STB_GLOBAL, STT_GNU_IFUNC, 0, BUILT_TEXT},
				{"object", 0x120, 8, STB_GLOBAL, STT_OBJECT, 0, BUILT_OTHER},
				{"label", 0x130, 8, STB_LOCAL, STT_NOTYPE, 0, BUILT_TEXT},
				{"label_elsewhere", 0x140, 8, STB_LOCAL, STT_NOTYPE, 0,
				 BUILT_OTHER},
				{"hidden_label", 0x150, 8, STB_LOCAL, STT_NOTYPE, STV_HIDDEN,
				 BUILT_TEXT},
				{"file", 0x160, 8, STB_LOCAL, STT_FILE, 0, SHN_ABS},
				{"section", 0x170, 8, STB_LOCAL, STT_SECTION, 0, BUILT_TEXT},
				{"undefined", 0x180, 8, STB_GLOBAL, STT_FUNC, 0, SHN_UNDEF},
				{"absolute", 0x190, 8, STB_GLOBAL, STT_FUNC, 0, SHN_ABS},
				{"common", 0x1a0, 8, STB_GLOBAL, STT_OBJECT, 0, SHN_COMMON},
				{"unallocated", 0x1b0, 8, STB_GLOBAL, STT_FUNC, 0, BUILT_COMMENT},
				{"no_section", 0x1c0, 8, STB_GLOBAL, STT_FUNC, 0, 500},
				{"", 0x1d0, 8, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT},
				{"$x", 0x1e0, 8, STB_LOCAL, STT_FUNC, 0, BUILT_TEXT},
			},
	};

	load_built(&b);
	ck_assert_uint_eq(t.count, 5);
	expect(0x100, "function", 0);
	expect(0x110, "ifunc", 0);
	expect(0x120, "object", 0);
	expect(0x130, "label", 0);
	expect(0x1e0, "$x", 0); /* an ordinary name on this machine */
}
END_TEST

START_TEST(arm)
{
	struct built b = {
		.is32 = true,
		.machine = EM_ARM,
		.segments = {{0, 0, 0x4000, 0x4000}},
		.symbols =
			{
				{"thumb", 0x101, 0x20, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT},
				{"$t", 0x110, 0, STB_LOCAL, STT_NOTYPE, 0, BUILT_TEXT},
				{"$d.12", 0x118, 0, STB_LOCAL, STT_NOTYPE, 0, BUILT_TEXT},
				{"$data", 0x200, 8, STB_LOCAL, STT_FUNC, 0, BUILT_TEXT},
				{"table", 0x301, 8, STB_LOCAL, STT_OBJECT, 0, BUILT_TEXT},
			},
	};

	load_built(&b);
	ck_assert_uint_eq(t.count, 3);
	expect(0x100, "thumb", 0);
	expect(0x11c, "thumb", 0x1c);
	expect(0x200, "$data", 0);
	expect(0x301, "table", 0);
}
END_TEST

START_TEST(plt_lazy)
{
	load_file("x86-64-lazy.so");
	expect(0x3af, ".plt", 15);
	expect(0x3b0, "puts@plt", 0);
	expect(0x3cf, "other@plt", 15);
	expect(0x3d0, "chosen@plt", 0);
	expect(0x3e0, "label_here", 0);
	expect(0x3e8, "impl", 2);
	expect(0x3f0, "visible", 4); /* not the alias __visible, which is weak */
}
END_TEST

START_TEST(plt_with_second_table)
{
	load_file("x86-64-ibt.so");
	expect(0x430, ".plt", 0);
	expect(0x46f, ".plt", 0x3f);
	expect(0x470, "puts@plt", 0);
	expect(0x480, "other@plt", 0);
	expect(0x49f, "chosen@plt", 15);
	expect(0x4ed, "chosen", 0); /* not the alias resolve, which is local */
}
END_TEST

START_TEST(plt_stripped)
{
	load_file("x86-64-stripped.so");
	expect(0x470, "puts@plt", 0);
	expect(0x4b0, "visible", 0);
	expect(0x4a2, "", 0); /* quiet() was only in .symtab, which is stripped */
}
END_TEST

START_TEST(plt_static)
{
	load_file("x86-64-static");
	expect(0x160, "chosen@plt", 0);
	expect(0x168, "impl", 0);
}
END_TEST

START_TEST(plt_i386)
{
	load_file("i386.so");
	expect(0x260, ".plt", 0);
	expect(0x270, "puts@plt", 0);
	expect(0x290, "chosen@plt", 0);
}
END_TEST

/* The header of the section .plt does not contain the size of its entries. s390x.so was made by
 * hand with the layout of binutils. */
START_TEST(plt_without_entry_size)
{
	load_file("s390x.so");
	expect(0x300, "_init", 0);
	expect(0x301, "", 0); /* _init has no size */
	expect(0x340, ".plt", 0);
	expect(0x360, "puts@plt", 0);
	expect(0x39f, "other@plt", 0x1f);
	expect(0x3a0, "visible", 0);
	pk_symtable_clear(&t);
	load_file("riscv64.so");
	expect(0x290, ".plt", 0);
	expect(0x290 + 0x20, "puts@plt", 0);
	expect(0x290 + 0x3f, "other@plt", 0xf);
}
END_TEST

/* The section has no bytes in the file. The bytes at its offset belong to another section. */
START_TEST(plt_without_code)
{
	load_file("ppc64le.so");
	expect(0x240, "0000001a.plt_call.other", 0);
	expect(0x27f, "0000001a.plt_call.puts", 0x1f);
	expect(0x280, "visible", 0);
	for (uint64_t offset = 0xf08; offset < 0xf28; offset += 8)
		expect(offset, "", 0);
}
END_TEST

/* A stripped library. Two symbols have no size; the call frame information of one of them has 8
 * bytes. A third symbol has a size, and an alias without a size. Code of other functions follows
 * each of these symbols. */
START_TEST(without_size)
{
	load_file("sizeless.so");
	expect(0x240, "bare", 0);
	expect(0x241, "", 0);
	expect(0x25f, "", 0);
	expect(0x260, "framed", 0);
	expect(0x267, "framed", 7);
	expect(0x268, "", 0);
	expect(0x280, "sized", 0);
	expect(0x28f, "sized", 15);
	expect(0x290, "", 0);
}
END_TEST

START_TEST(cxx)
{
	load_file("cxx.so");
	expect(0x2dc, "a::g(char const*, int)", 0);
	expect(0x2e2, "a::B<int>::f(int) const", 0);
	expect(0x2e6, "a::B<int>::B()", 0);
}
END_TEST

/* The symbols are in one file, and the places in another file. */
START_TEST(separate_debug)
{
	int debug_fd = open("fuzz/corpus/elf/debug-only", O_RDONLY);
	int fd = open("fuzz/corpus/elf/x86-64-lazy.so", O_RDONLY);
	struct pk_elf *debug = pk_elf_open(debug_fd, "a file", NULL),
		      *elf = pk_elf_open(fd, "a file", NULL);
	struct pk_build_id a, b;

	ck_assert(debug && elf);
	ck_assert(pk_elf_build_id(debug, &a) && pk_elf_build_id(elf, &b));
	ck_assert_uint_eq(a.size, 20);
	ck_assert(pk_build_id_equal(&a, &b));
	ck_assert(pk_elf_has_symtab(debug) && !pk_elf_has_dynsym(debug));
	ck_assert(pk_elf_load_symbols(debug, elf, &t) == PK_OK);
	expect(0x3b0, "puts@plt", 0);
	expect(0x3e2, "quiet", 0);
	expect(0x3f0, "visible", 4);
	pk_elf_close(debug);
	pk_elf_close(elf);
}
END_TEST

START_TEST(cut_anywhere)
{
	struct built b = {
		.machine = EM_X86_64,
		.segments = {{0, 0, 0x4000, 0x4000}},
		.build_id = {1},
		.symbols = {{"function", 0x100, 8, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT}},
	};
	struct pk_build_id id;

	built_build(&b);
	for (size_t size = 0; size <= b.used; size++) {
		uint8_t *bytes = malloc(size + 1);
		struct pk_elf *elf;

		memcpy(bytes, b.bytes, size);
		elf = pk_elf_open_memory(bytes, size, NULL);
		ck_assert(elf || size < b.used);
		if (elf) {
			ck_assert(pk_elf_load_symbols(elf, elf, &t) == PK_OK);
			ck_assert_uint_eq(t.count, size == b.used);
			ck_assert(pk_elf_build_id(elf, &id) || size < b.used);
			pk_symtable_clear(&t);
		}
		pk_elf_close(elf);
		free(bytes);
	}
}
END_TEST

/* Replaces each 32-bit number of the file in turn by a large number. */
START_TEST(any_number_large)
{
	struct built b = {
		.is32 = _i & 1,
		.big = _i & 2,
		.machine = EM_ARM,
		.segments = {{0, 0, 0x4000, 0x4000}},
		.build_id = {1},
		.symbols = {{"function", 0x100, 8, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT}},
	};
	static const uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff, 0xfffffff0};
	struct pk_build_id id;

	built_build(&b);
	for (size_t at = EI_NIDENT; at + 4 <= b.used; at += 4)
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			uint8_t saved[4];
			struct pk_elf *elf;

			memcpy(saved, b.bytes + at, 4);
			memcpy(b.bytes + at, &values[v], 4);
			elf = pk_elf_open_memory(b.bytes, b.used, NULL);
			if (elf) {
				pk_elf_build_id(elf, &id);
				ck_assert(pk_elf_load_symbols(elf, elf, &t) == PK_OK);
				ck_assert_uint_le(t.count, 2);
			}
			pk_symtable_clear(&t);
			pk_elf_close(elf);
			memcpy(b.bytes + at, saved, 4);
		}
}
END_TEST

START_TEST(build_ids)
{
	static const uint8_t notes[] = {
		/* A note of another kind, whose size is not a multiple of 4. */
		6,
		0,
		0,
		0,
		3,
		0,
		0,
		0,
		1,
		0,
		0,
		0,
		'L',
		'i',
		'n',
		'u',
		'x',
		0,
		0,
		0,
		9,
		9,
		9,
		0,
		/* A build-id of only 3 bytes. */
		4,
		0,
		0,
		0,
		3,
		0,
		0,
		0,
		3,
		0,
		0,
		0,
		'G',
		'N',
		'U',
		0,
		0xab,
		0xcd,
		0xef,
		0,
	};
	static const uint8_t swapped[] = {0, 0, 0, 4,	0,   0,	  0, 2, 0,
					  0, 0, 3, 'G', 'N', 'U', 0, 1, 2};
	struct pk_build_id id, padded;
	char hex[PK_BUILD_ID_HEX];

	ck_assert(pk_build_id_of_notes(notes, sizeof(notes), &id));
	pk_build_id_format(&id, hex);
	ck_assert_str_eq(hex, "abcdef");
	padded = id;
	padded.size = 20;
	ck_assert(pk_build_id_equal(&id, &padded));
	padded.bytes[19] = 1;
	ck_assert(!pk_build_id_equal(&id, &padded));
	padded.size = 0;
	ck_assert(!pk_build_id_equal(&id, &padded));
	ck_assert(!pk_build_id_equal(&padded, &padded));
	ck_assert(pk_build_id_of_notes(swapped, sizeof(swapped), &id));
	ck_assert_uint_eq(id.size, 2);
	for (size_t size = 0; size + 1 < sizeof(notes); size++)
		ck_assert(!pk_build_id_of_notes(notes, size, &id));
}
END_TEST

START_TEST(build_id_of_file)
{
	struct pk_build_id id;
	char hex[PK_BUILD_ID_HEX];

	ck_assert(pk_build_id_of_file("fuzz/corpus/elf/x86-64-ibt.so", &id, NULL));
	pk_build_id_format(&id, hex);
	ck_assert_str_eq(hex, "44a9a8d71fcb6f8a0bcd84d65d9f90c508921e55");
	ck_assert(!pk_build_id_of_file("Makefile", &id, NULL));
	ck_assert(!pk_build_id_of_file("/dev/zero", &id, NULL));
	ck_assert(!pk_build_id_of_file("no-such-file", &id, NULL));
	ck_assert(!pk_build_id_of_file("no such file", &id, NULL));
	if (access("/sys/kernel/notes", R_OK) == 0)
		ck_assert(pk_build_id_of_file("/sys/kernel/notes", &id, NULL) && id.size >= 8);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("elf");
	TCase *c = tcase_create("elf");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, segments, 0, 4);
	tcase_add_test(c, kinds);
	tcase_add_test(c, arm);
	tcase_add_test(c, plt_lazy);
	tcase_add_test(c, plt_with_second_table);
	tcase_add_test(c, plt_stripped);
	tcase_add_test(c, plt_static);
	tcase_add_test(c, plt_i386);
	tcase_add_test(c, plt_without_entry_size);
	tcase_add_test(c, plt_without_code);
	tcase_add_test(c, without_size);
	tcase_add_test(c, cxx);
	tcase_add_test(c, separate_debug);
	tcase_add_test(c, cut_anywhere);
	tcase_add_loop_test(c, any_number_large, 0, 4);
	tcase_add_test(c, build_ids);
	tcase_add_test(c, build_id_of_file);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
