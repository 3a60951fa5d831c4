/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the unwind table of 32-bit Arm: rows of real functions, and rows for each instruction. */
#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arm_exidx.h"

#define TABLE	 0x10000
#define FUNCTION 0x8000

static uint8_t table[16], extab[64];
static size_t extab_size;
static struct pk_cfi_row row;

static void put(uint8_t *to, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(word >> (8 * i));
}

/* Looks up the address in a table with one function. `word` is the second word of the function's
 * entry. .ARM.extab follows the table. */
static enum pk_cfi_status find(uint32_t word, uint64_t address)
{
	const struct pk_cfi_sections sections = {
		.exidx = {table, sizeof(table), TABLE},
		.extab = {extab, extab_size, TABLE + sizeof(table)},
	};
	struct pk_cfi *cfi = pk_cfi_new(pk_cfi_machine_by_elf(EM_ARM), &sections);
	enum pk_cfi_status status;

	ck_assert_ptr_nonnull(cfi);
	put(table, (FUNCTION - TABLE) & 0x7fffffff);
	put(table + 4, word);
	put(table + 8, (FUNCTION + 0x100 - TABLE - 8) & 0x7fffffff);
	put(table + 12, 1);
	status = pk_cfi_find(cfi, address, &row);
	ck_assert_uint_eq(pk_cfi_count(cfi), 2);
	pk_cfi_free(cfi);
	return status;
}

/* Looks up an address in a function whose entry has these three bytes of instructions. */
static enum pk_cfi_status instructions(uint8_t a, uint8_t b, uint8_t c)
{
	return find(0x80000000 | (uint32_t)a << 16 | (uint32_t)b << 8 | c, FUNCTION + 4);
}

/* Checks the row: the CFA is the register `base` plus `cfa`. `rules` contains the saved registers,
 * each with its offset from the CFA. */
static void expect(unsigned int base, int cfa, const int (*rules)[2], unsigned int count)
{
	ck_assert_int_eq(row.cfa.kind, PK_CFI_VAL_OFFSET);
	ck_assert_uint_eq(row.cfa.reg, base);
	ck_assert_int_eq(row.cfa.n, cfa);
	ck_assert_uint_eq(row.count, count);
	for (unsigned int i = 0; i < count; i++) {
		ck_assert_uint_eq(row.rules[i].reg, (unsigned int)rules[i][0]);
		ck_assert_int_eq(row.rules[i].n, rules[i][1]);
	}
}
#define RULES(...)                                                                                 \
	(const int[][2]){__VA_ARGS__},                                                             \
		(unsigned int)(sizeof((int[][2]){__VA_ARGS__}) / sizeof(int[2]))

START_TEST(compact)
{
	ck_assert_int_eq(instructions(0xa8, 0xb0, 0xb0), PK_CFI_OK); /* pop {r4, lr} */
	expect(13, 8, RULES({4, -8}, {14, -4}));
	ck_assert_uint_eq(row.ra, 14);
	ck_assert(!row.signal_frame);
	ck_assert_int_eq(instructions(0x02, 0xab, 0xb0), PK_CFI_OK); /* vsp += 12; pop r4-r7, lr */
	expect(13, 32, RULES({4, -20}, {5, -16}, {6, -12}, {7, -8}, {14, -4}));
	ck_assert_int_eq(instructions(0x97, 0x41, 0xa0), PK_CFI_OK); /* vsp = r7 - 8; pop r4 */
	expect(7, -4, RULES({4, -4}));
	ck_assert_int_eq(instructions(0xb1, 0x08, 0xa9), PK_CFI_OK); /* pop r3; pop r4, r5, lr */
	expect(13, 16, RULES({3, -16}, {4, -12}, {5, -8}, {14, -4}));
	ck_assert_int_eq(instructions(0x88, 0x00, 0xb0), PK_CFI_OK); /* pop {pc} */
	expect(13, 4, RULES({15, -4}));
	ck_assert_uint_eq(row.ra, 15);
	ck_assert_int_eq(instructions(0x8a, 0x00, 0xb0), PK_CFI_OK); /* pop {sp, pc} */
	ck_assert(row.signal_frame);
	/* At the first instruction of a function, no register has been saved. */
	ck_assert_int_eq(find(0x80a8b0b0, FUNCTION), PK_CFI_OK);
	expect(13, 0, NULL, 0);
}
END_TEST

START_TEST(coprocessors)
{
	static const struct {
		uint8_t op, operand;
		int size;
	} ops[] = {
		{0xb3, 0x82, 28},  {0xb8, 0xb0, 12},  {0xbf, 0xb0, 68}, {0xc0, 0xb0, 8},
		{0xc5, 0xb0, 48},  {0xc6, 0xa2, 24},  {0xc7, 0x0b, 12}, {0xc8, 0x01, 16},
		{0xc9, 0x0f, 128}, {0xd0, 0xb0, 8},   {0xd7, 0xb0, 64}, {0xb4, 0xb0, 4},
		{0xb5, 0xb0, 0},   {0x3f, 0xb0, 256},
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		ck_assert_int_eq(instructions(ops[i].op, ops[i].operand, 0xb0), PK_CFI_OK);
		expect(13, ops[i].size, NULL, 0);
	}
	ck_assert_int_eq(instructions(0xb2, 0x81, 0x01), PK_CFI_OK);
	expect(13, 0x204 + (0x81 << 2), NULL, 0);
}
END_TEST

START_TEST(in_the_table)
{
	put(extab, 0x81013f3f); /* personality routine 1, one more word */
	put(extab + 4, 0x0aa8b0b0);
	extab_size = 8;
	ck_assert_int_eq(find(TABLE + 16 - (TABLE + 4), FUNCTION + 4), PK_CFI_OK);
	expect(13, 256 + 256 + 44 + 8, RULES({4, -8}, {14, -4}));
	put(extab, 0x7fff0000); /* C++: address of the routine, then instructions */
	put(extab + 4, 0x0197a8b0);
	put(extab + 8, 0xb0b0b0b0);
	extab_size = 12;
	ck_assert_int_eq(find(TABLE + 16 - (TABLE + 4), FUNCTION + 4), PK_CFI_OK);
	expect(7, 8, RULES({4, -8}, {14, -4}));
	put(extab + 4, 0x02973f3f); /* the last word is missing */
	put(extab + 8, 0x3f3f3f3f);
	ck_assert_int_eq(find(TABLE + 16 - (TABLE + 4), FUNCTION + 4), PK_CFI_BAD);
	extab_size = 6;
	ck_assert_int_eq(find(TABLE + 16 - (TABLE + 4), FUNCTION + 4), PK_CFI_BAD);
}
END_TEST

START_TEST(nothing_is_known)
{
	ck_assert_int_eq(find(1, FUNCTION + 4), PK_CFI_NONE);
	ck_assert_int_eq(find(0x80a8b0b0, FUNCTION - 1), PK_CFI_NONE);
	ck_assert_int_eq(find(0x80a8b0b0, FUNCTION + 0x100), PK_CFI_NONE);
	ck_assert_int_eq(instructions(0x80, 0x00, 0xb0), PK_CFI_NONE); /* "refuse to unwind" */
	ck_assert_int_eq(instructions(0xb6, 0xb0, 0xb0), PK_CFI_BAD);
	ck_assert_int_eq(instructions(0xb1, 0x00, 0xb0), PK_CFI_BAD);
	ck_assert_int_eq(instructions(0xe0, 0xb0, 0xb0), PK_CFI_BAD);
	ck_assert_int_eq(instructions(0x9d, 0xb0, 0xb0), PK_CFI_BAD);
	ck_assert_int_eq(instructions(0xa8, 0x97, 0xb0), PK_CFI_BAD); /* vsp = r7 after a pop */
	ck_assert_int_eq(find(0x90b0b0b0, FUNCTION + 4), PK_CFI_BAD);
	ck_assert_int_eq(find(0x83b0b0b0, FUNCTION + 4), PK_CFI_BAD);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arm_exidx");
	TCase *tcase = tcase_create("arm_exidx");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, compact);
	tcase_add_test(tcase, coprocessors);
	tcase_add_test(tcase, in_the_table);
	tcase_add_test(tcase, nothing_is_known);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
