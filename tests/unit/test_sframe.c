/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the section .sframe: headers, words of each kind, limits, and damage. test_sframe_rows.c
 * compares sections that assemblers made with call frame information. */
#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "sframe.h"
#include "stream_builder.h"

enum { SORTED = 1, RELATIVE = 4 };
enum { ADDRESS = 0x20000, CODE = 0x1000, CODE_SIZE = 64 };
enum { ARM64 = 2, X86_64, S390X };

static struct built section;
static struct pk_sframe sframe;
static struct pk_cfi_row row;

static const struct pk_cfi_machine *machine_of(int abi)
{
	return pk_cfi_machine_by_elf(abi == ARM64    ? EM_AARCH64
				     : abi == X86_64 ? EM_X86_64
						     : EM_S390);
}

static void put_head(uint8_t version, uint8_t flags, uint8_t abi, int fixed_ra, uint32_t count,
		     uint32_t rows)
{
	built_clear(&section);
	section.swap = machine_of(abi)->swapped;
	PUT(&section, "211", 0xdee2, version, flags);
	PUT(&section, "1111", abi, 0, (uint8_t)fixed_ra, 0);
	PUT(&section, "44444", count, 0, rows, 0, count * (version == 2 ? 20 : 16));
}

/* Writes a section of version 2 with one function and these rows. The start address of a row has
 * one byte. */
static void put_function(uint8_t flags, uint8_t abi, int fixed_ra, uint8_t info, const char *rows,
			 uint32_t size, uint32_t count)
{
	uint32_t start;

	put_head(2, flags, abi, fixed_ra, 1, size);
	start = (uint32_t)(CODE - ADDRESS) - (flags & RELATIVE ? (uint32_t)section.size : 0);
	PUT(&section, "4444112", start, CODE_SIZE, 0, count, info, 16, 0);
	put_bytes(&section, rows, size);
}

/* Writes a section of version 3 with one function and these rows. */
static void put_function_3(uint8_t abi, int fixed_ra, uint8_t info, uint8_t info2, const char *rows,
			   uint32_t size, uint32_t count)
{
	put_head(3, SORTED | RELATIVE, abi, fixed_ra, 1, size + 5);
	PUT(&section, "844", (uint64_t)CODE - ADDRESS - section.size, CODE_SIZE, 0);
	PUT(&section, "2111", count, info, info2, 16);
	put_bytes(&section, rows, size);
}

static enum pk_cfi_status find_in(int abi, uint64_t address)
{
	const struct pk_cfi_section bytes = {section.data, section.size, ADDRESS};
	uint64_t work = 100;

	sframe = pk_sframe(&bytes, machine_of(abi));
	return pk_sframe_find(&sframe, address, &work, &row);
}

static void expect_cfa(unsigned int reg, enum pk_cfi_rule_kind kind, int n)
{
	ck_assert_uint_eq(row.cfa.reg, reg);
	ck_assert_int_eq(row.cfa.kind, kind);
	ck_assert_int_eq(row.cfa.n, n);
}

static void expect_rule(unsigned int i, unsigned int reg, enum pk_cfi_rule_kind kind, int n)
{
	ck_assert_uint_lt(i, row.count);
	ck_assert_uint_eq(row.rules[i].reg, reg);
	ck_assert_int_eq(row.rules[i].kind, kind);
	ck_assert_int_eq(row.rules[i].n, n);
}

/* Rows of x86-64. With info 3, the CFA is sp + one word. With 4, it is fp + a word, and a second
 * word follows. With 0x25, it is sp + a word, and both words have two bytes. */
#define ROWS "\x00\x03\x08\x04\x04\x10\xf0\x20\x25\x10\x04\xf0\xff"

START_TEST(rows)
{
	put_function(_i ? SORTED | RELATIVE : SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_OK);
	expect_cfa(7, PK_CFI_VAL_OFFSET, 8);
	ck_assert_uint_eq(row.count, 1);
	expect_rule(0, 16, PK_CFI_OFFSET, -8);
	ck_assert(row.plain && !row.signal_frame);
	for (uint64_t at = 4; at < 0x20; at += 0x1b) {
		ck_assert_int_eq(find_in(X86_64, CODE + at), PK_CFI_OK);
		expect_cfa(6, PK_CFI_VAL_OFFSET, 16);
		expect_rule(1, 6, PK_CFI_OFFSET, -16);
	}
	ck_assert_int_eq(find_in(X86_64, CODE + CODE_SIZE - 1), PK_CFI_OK);
	expect_cfa(7, PK_CFI_VAL_OFFSET, 0x410);
	expect_rule(1, 6, PK_CFI_OFFSET, -16);
	ck_assert_int_eq(find_in(X86_64, CODE - 1), PK_CFI_NONE);
	ck_assert_int_eq(find_in(X86_64, CODE + CODE_SIZE), PK_CFI_NONE);
}
END_TEST

/* The function consists of equal blocks of 16 bytes. In each block, another row applies from byte
 * 11 on. */
START_TEST(blocks)
{
	put_function(SORTED, X86_64, -8, 0x10, "\x00\x03\x08\x0b\x03\x10", 6, 2);
	for (uint64_t at = 0; at < CODE_SIZE; at++) {
		ck_assert_int_eq(find_in(X86_64, CODE + at), PK_CFI_OK);
		expect_cfa(7, PK_CFI_VAL_OFFSET, at % 16 < 11 ? 8 : 16);
	}
}
END_TEST

/* On s390x, the first word is (offset - 160) / 8. The place of a register can be another register,
 * or be missing. */
START_TEST(words_of_s390x)
{
	put_function(SORTED, S390X, 0, 0,
		     "\x00\x03\x00\x04\x05\x15\xd0\x08\x07\x15\x23\x21\x0c\x07\x15\x00\xb8", 17, 4);
	ck_assert_int_eq(find_in(S390X, CODE), PK_CFI_OK);
	expect_cfa(15, PK_CFI_VAL_OFFSET, 160);
	ck_assert_uint_eq(row.count, 0);
	ck_assert_uint_eq(row.ra, 14);
	ck_assert_int_eq(find_in(S390X, CODE + 4), PK_CFI_OK);
	expect_cfa(15, PK_CFI_VAL_OFFSET, 328);
	expect_rule(0, 14, PK_CFI_OFFSET, -48);
	ck_assert_int_eq(find_in(S390X, CODE + 8), PK_CFI_OK);
	expect_rule(0, 14, PK_CFI_REGISTER, 17);
	expect_rule(1, 11, PK_CFI_REGISTER, 16);
	ck_assert_int_eq(find_in(S390X, CODE + 12), PK_CFI_OK);
	ck_assert_uint_eq(row.count, 1);
	expect_rule(0, 11, PK_CFI_OFFSET, -72);
}
END_TEST

/* Version 3: signal frames, the outermost function, and flexible words. */
START_TEST(version_3)
{
	put_function_3(X86_64, -8, 0x80, 0, "\x00\x03\x10\x04\x01", 5, 2);
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_OK);
	ck_assert(row.signal_frame);
	ck_assert_int_eq(find_in(X86_64, CODE + 4), PK_CFI_OK);
	expect_rule(0, 16, PK_CFI_UNDEFINED, 0);
	/* First row: CFA = r10 + 0. Second row: the CFA is in memory at fp - 8, and fp is at fp +
	 * 0. Third row: fp is at CFA - 16, and the return address is in r11. */
	put_function_3(X86_64, -8, 0, 1,
		       "\x00\x05\x51\x00\x04\x0b\x33\xf8\x00\x33\x00"
		       "\x08\x0d\x31\x08\x59\x00\x02\xf0",
		       19, 3);
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_OK);
	expect_cfa(10, PK_CFI_VAL_OFFSET, 0);
	expect_rule(0, 16, PK_CFI_OFFSET, -8);
	ck_assert_int_eq(find_in(X86_64, CODE + 4), PK_CFI_OK);
	expect_cfa(6, PK_CFI_OFFSET, -8);
	ck_assert(!row.plain);
	expect_rule(0, 16, PK_CFI_OFFSET, -8);
	expect_rule(1, 6, PK_CFI_AT_REGISTER, pk_cfi_sum(6, 0));
	ck_assert_int_eq(find_in(X86_64, CODE + 8), PK_CFI_OK);
	expect_cfa(6, PK_CFI_VAL_OFFSET, 8);
	expect_rule(0, 16, PK_CFI_REGISTER, 11);
	expect_rule(1, 6, PK_CFI_OFFSET, -16);
	for (int n = -20; n < 20; n += 3) {
		ck_assert_uint_eq(pk_cfi_sum_register(pk_cfi_sum(9, n)), 9);
		ck_assert_int_eq(pk_cfi_sum_number(pk_cfi_sum(9, n)), n);
	}
}
END_TEST

/* ---- Sections that are refused ---- */

static void expect_refused(int abi)
{
	ck_assert_int_eq(find_in(abi, CODE), PK_CFI_NONE);
	ck_assert_uint_eq(sframe.count, 0);
}

START_TEST(headers)
{
	const struct {
		size_t at;
		uint8_t value;
	} changes[] = {{0, 0xe3}, {2, 1}, {2, 4},  {3, 0},  {4, 1},  {4, ARM64}, {7, 255},
		       {11, 1},	  {8, 2}, {19, 1}, {23, 1}, {27, 1}, {16, 100}};

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
		section.data[changes[i].at] = changes[i].value;
		expect_refused(X86_64);
	}
	put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
	expect_refused(ARM64);
	expect_refused(S390X);
	/* Additional bytes after the header. */
	put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
	section.data[7] = 20;
	memset(section.data + 20, 0, 8);
	section.data[24] = 20;
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_NONE);
	ck_assert_uint_eq(sframe.functions, 48);
}
END_TEST

static void expect_bad(int abi, uint64_t address)
{
	ck_assert_int_eq(find_in(abi, address), PK_CFI_BAD);
}

START_TEST(bad_rows)
{
	put_function(SORTED, X86_64, -8, 3, ROWS, sizeof(ROWS) - 1, 3); /* starts of 8 bytes */
	expect_bad(X86_64, CODE);
	put_function(SORTED, X86_64, -8, 0x10, ROWS, sizeof(ROWS) - 1, 3); /* blocks of 0 bytes */
	section.data[28 + 17] = 0;
	expect_bad(X86_64, CODE);
	put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 4); /* one row too many */
	expect_bad(X86_64, CODE + CODE_SIZE - 1);
	put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, UINT32_MAX);
	expect_bad(X86_64, CODE + CODE_SIZE - 1);
	put_function(SORTED, X86_64, -8, 0, "\x04\x03\x08\x02\x03\x10", 6, 2); /* wrong order */
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_NONE);
	expect_bad(X86_64, CODE + 8);
	put_function(SORTED, X86_64, -8, 0, "\x00\x63\x08\0\0\0\0\0\0\0", 10, 1); /* 8-byte words */
	expect_bad(X86_64, CODE);
	put_function(SORTED, X86_64, 0, 0, "\x00\x03\x08", 3, 1); /* no return address */
	expect_bad(X86_64, CODE);
	put_function(SORTED, S390X, 0, 0, "\x00\x05\x00\x43", 4, 1); /* no such register */
	expect_bad(S390X, CODE);
	put_function(SORTED, S390X, 0, 0, "\x00\x05\x00\xff", 4, 1); /* negative register */
	expect_bad(S390X, CODE);
	put_function_3(X86_64, -8, 0, 2, "\x00\x03\x08", 3, 1); /* an unknown type of words */
	expect_bad(X86_64, CODE);
	put_function_3(X86_64, -8, 0, 1, "\x00\x05\x30\x08", 4, 1); /* CFA relative to CFA */
	expect_bad(X86_64, CODE);
	put_function_3(X86_64, -8, 0, 1, "\x00\x03\x31", 3, 1); /* no offset */
	expect_bad(X86_64, CODE);
	put_function_3(X86_64, -8, 0, 1, "\x00\x09\x31\x08\x59\x08", 6, 1); /* ra is r11 + 8 */
	expect_bad(X86_64, CODE);
	put_function_3(X86_64, -8, 0, 1, "\x00\x05\xff\x08", 4, 1); /* register 31 does not exist */
	ck_assert_int_eq(find_in(X86_64, CODE), PK_CFI_OK);
	put_function_3(X86_64, -8, 0, 1, "\x00\x25\x09\x01\x08\x00", 6, 1); /* no such register */
	expect_bad(X86_64, CODE);
}
END_TEST

static uint64_t covered;

static void cover(void *arg, uint64_t start, uint64_t end, const struct pk_cfi_row *ignored)
{
	(void)arg, (void)ignored;
	ck_assert_uint_ge(start, covered);
	ck_assert_uint_gt(end, start);
	covered = end;
}

/* A function of 4 GiB, which consists of blocks of one byte. */
START_TEST(work)
{
	uint64_t left = 1000;

	put_function(SORTED, X86_64, -8, 0x10, ROWS, sizeof(ROWS) - 1, 3);
	memset(section.data + 28 + 4, 0xff, 4);
	section.data[28 + 17] = 1;
	ck_assert_int_eq(find_in(X86_64, CODE + 7777), PK_CFI_OK);
	covered = 0;
	ck_assert(pk_sframe_walk(&sframe, 0, &left, cover, NULL));
	ck_assert_uint_eq(left, 0);
	ck_assert_uint_lt(covered, CODE + 1000);
	left = 2; /* too few steps for the third row */
	put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
	find_in(X86_64, CODE);
	ck_assert_int_eq(pk_sframe_find(&sframe, CODE + 0x20, &left, &row), PK_CFI_BAD);
	ck_assert_uint_eq(left, 0);
}
END_TEST

START_TEST(every_cut_and_changed_byte_is_survived)
{
	for (int version = 2; version < 4; version++) {
		if (version == 2)
			put_function(SORTED, X86_64, -8, 0, ROWS, sizeof(ROWS) - 1, 3);
		else
			put_function_3(X86_64, -8, 0, 0, ROWS, sizeof(ROWS) - 1, 3);
		for (size_t i = 0, whole = section.size; i < whole; i++) {
			const uint8_t old = section.data[i];

			section.size = i;
			expect_refused(X86_64);
			section.size = whole;
			for (unsigned int value = 0; value < 256; value++) {
				uint64_t left = 100;

				section.data[i] = (uint8_t)value;
				find_in(X86_64, CODE + 8);
				covered = 0;
				pk_sframe_walk(&sframe, 0, &left, cover, NULL);
			}
			section.data[i] = old;
		}
	}
	built_clear(&section);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sframe");
	TCase *tcase = tcase_create("sframe");
	SRunner *r;
	int failed;

	tcase_add_loop_test(tcase, rows, 0, 2);
	tcase_add_test(tcase, blocks);
	tcase_add_test(tcase, words_of_s390x);
	tcase_add_test(tcase, version_3);
	tcase_add_test(tcase, headers);
	tcase_add_test(tcase, bad_rows);
	tcase_add_test(tcase, work);
	tcase_add_test(tcase, every_cut_and_changed_byte_is_survived);
	suite_add_tcase(s, tcase);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
