/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the reading of .eh_frame and .debug_frame: entries, augmentations, and all instructions. */
#include <stdlib.h>

#include "cfi_builder.h"

/* ---- Instructions ---- */

START_TEST(rows_begin_where_they_are_advanced_to)
{
	struct pk_cfi_row row;

	/* Five instructions that advance the location, in this order: advance_loc, advance_loc1,
	 * advance_loc2, advance_loc4, MIPS_advance_loc8. */
	FUNCTION("\x41\x0e\x10\x02\x0f\x0e\x18\x03\x10\x00\x0e\x20\x04\x20\x00\x00\x00\x0e\x28"
		 "\x1d\x40\x00\x00\x00\x00\x00\x00\x00\x0e\x30");
	for (unsigned int i = 0; i < CODE_SIZE; i++) {
		row = row_at(CODE + i);
		expect_cfa(&row, 7,
			   i < 0x01   ? 8
			   : i < 0x10 ? 16
			   : i < 0x20 ? 24
			   : i < 0x40 ? 32
			   : i < 0x80 ? 40
				      : 48);
	}
	expect_none(CODE - 2);
	expect_none(CODE + CODE_SIZE);
}
END_TEST

/* A coroutine returns to the start of a function that no call precedes. The address before it has
 * the row of this function, unless another function has this address. */
START_TEST(address_before_a_function)
{
	struct pk_cfi_row row;

	FUNCTION("\x0e\x10");
	row = row_at(CODE - 1);
	expect_cfa(&row, 7, 16);
	cie("", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE - CODE_SIZE, false, "\x0e\x18", 2);
	fde_at(CODE, false, "\x0e\x10", 2);
	finish_section();
	row = row_at(CODE - 1);
	expect_cfa(&row, 7, 24);
}
END_TEST

/* The frame pointer is that of the caller, whose stack can be at lower addresses. */
START_TEST(stack_switch)
{
	const struct pk_cfi_sections sections = {.stack_switch = {CODE + 0x10, 0x20}};
	struct pk_cfi *by_frame = pk_cfi_new(pk_cfi_machine_find("x86_64", 2), &sections);
	struct pk_cfi_row row;

	ck_assert_ptr_nonnull(by_frame);
	ck_assert_int_eq(pk_cfi_find(by_frame, CODE + 0x0f, &row), PK_CFI_NONE);
	ck_assert_int_eq(pk_cfi_find(by_frame, CODE + 0x10, &row), PK_CFI_OK);
	expect_cfa(&row, 6, 16);
	expect_rule(&row, 6, PK_CFI_OFFSET, -16);
	expect_rule(&row, 16, PK_CFI_OFFSET, -8);
	ck_assert(row.signal_frame);
	ck_assert_int_eq(pk_cfi_find(by_frame, CODE + 0x30, &row), PK_CFI_NONE);
	pk_cfi_free(by_frame);
}
END_TEST

START_TEST(location_is_set)
{
	struct pk_cfi_row row;

	FUNCTION("\x01\x20\x10\x00\x00\x00\x00\x00\x00\x0e\x10");
	row = row_at(CODE + 0x1f);
	expect_cfa(&row, 7, 8);
	row = row_at(CODE + 0x20);
	expect_cfa(&row, 7, 16);
}
END_TEST

START_TEST(cfa)
{
	struct pk_cfi_row row;

	FUNCTION("\x0c\x06\x10"); /* def_cfa */
	row = row_at(CODE);
	expect_cfa(&row, 6, 16);
	FUNCTION("\x12\x06\x7e"); /* def_cfa_sf */
	row = row_at(CODE);
	expect_cfa(&row, 6, 16);
	FUNCTION("\x0d\x06"); /* def_cfa_register */
	row = row_at(CODE);
	expect_cfa(&row, 6, 8);
	FUNCTION("\x0e\x90\x01"); /* def_cfa_offset */
	row = row_at(CODE);
	expect_cfa(&row, 7, 144);
	FUNCTION("\x13\x7d"); /* def_cfa_offset_sf */
	row = row_at(CODE);
	expect_cfa(&row, 7, 24);
	FUNCTION("\x0f\x03\x77\x08\x06"); /* def_cfa_expression: breg7 8, deref */
	row = row_at(CODE);
	ck_assert_int_eq(row.cfa.kind, PK_CFI_VAL_EXPRESSION);
	ck_assert_uint_eq(section[row.cfa.n], 3);
}
END_TEST

START_TEST(cfa_that_makes_no_sense)
{
	FUNCTION("\x0f\x02\x77\x08\x0e\x10"); /* offset for an expression */
	expect_bad(CODE);
	FUNCTION("\x0c\x21\x10"); /* the CFA is relative to a register that is not supported */
	expect_bad(CODE);
	FUNCTION("\x0e\xff\xff\xff\xff\xff\x01"); /* the offset of the CFA is too large */
	expect_bad(CODE);
	cie("", "", 0, 16, "\x90\x01", 2); /* there is no rule for the CFA */
	fde_at(CODE, false, "", 0);
	finish_section();
	expect_bad(CODE);
}
END_TEST

START_TEST(registers)
{
	struct pk_cfi_row row;

	FUNCTION("\x83\x02"	    /* offset 3, 2 */
		 "\x05\x0c\x03"	    /* offset_extended 12, 3 */
		 "\x11\x0d\x7c"	    /* offset_extended_sf 13, -4 */
		 "\x2f\x0e\x05"	    /* GNU_negative_offset_extended 14, 5 */
		 "\x14\x07\x02"	    /* val_offset 7, 2 */
		 "\x15\x06\x7e"	    /* val_offset_sf 6, -2 */
		 "\x09\x01\x02"	    /* register 1: saved in register 2 */
		 "\x07\x00"	    /* undefined 0 */
		 "\x10\x04\x01\x30" /* expression 4: lit0 */
		 "\x16\x05\x01\x31" /* val_expression 5: lit1 */
		 "\x09\x08\x40"	    /* register 8: saved in register 64, which is not supported */
		 "\x05\x40\x01"	    /* register 64, which is not supported */
		 "\x2e\x10");	    /* GNU_args_size */
	row = row_at(CODE);
	expect_rule(&row, 3, PK_CFI_OFFSET, -16);
	expect_rule(&row, 12, PK_CFI_OFFSET, -24);
	expect_rule(&row, 13, PK_CFI_OFFSET, 32);
	expect_rule(&row, 14, PK_CFI_OFFSET, 40);
	expect_rule(&row, 7, PK_CFI_VAL_OFFSET, -16);
	expect_rule(&row, 6, PK_CFI_VAL_OFFSET, 16);
	expect_rule(&row, 1, PK_CFI_REGISTER, 2);
	expect_rule(&row, 0, PK_CFI_UNDEFINED, 0);
	expect_rule(&row, 8, PK_CFI_UNDEFINED, 0);
	expect_rule(&row, 16, PK_CFI_OFFSET, -8);
	for (unsigned int i = 0; i < row.count; i++)
		if (row.rules[i].kind == PK_CFI_EXPRESSION)
			ck_assert_int_eq(section[row.rules[i].n + 1], 0x30);
		else if (row.rules[i].kind == PK_CFI_VAL_EXPRESSION)
			ck_assert_int_eq(section[row.rules[i].n + 1], 0x31);
	ck_assert_uint_eq(row.count, 12);
}
END_TEST

START_TEST(states_are_restored)
{
	struct pk_cfi_row row;

	/* rbx is saved, and remember_state; rbx is restored, as after a pop; restore_state. */
	FUNCTION("\x41\x0e\x10\x83\x02\x0a\x41\x0e\x08\xc3\x41\x0b\x41\x06\x03\x41\x08\x10");
	row = row_at(CODE + 1);
	expect_cfa(&row, 7, 16);
	expect_rule(&row, 3, PK_CFI_OFFSET, -16);
	row = row_at(CODE + 2);
	expect_cfa(&row, 7, 8);
	expect_rule(&row, 3, PK_CFI_SAME, 0);
	row = row_at(CODE + 3);
	expect_cfa(&row, 7, 16);
	expect_rule(&row, 3, PK_CFI_OFFSET, -16);
	row = row_at(CODE + 4); /* restore_extended */
	expect_rule(&row, 3, PK_CFI_SAME, 0);
	expect_bad(CODE + 5); /* the return address has the rule "same value" */
}
END_TEST

START_TEST(bad_programs)
{
	char many[128];

	FUNCTION("\x0b"); /* restore_state without remember_state */
	expect_bad(CODE);
	FUNCTION("\x3f"); /* an instruction that does not exist */
	expect_bad(CODE);
	FUNCTION("\x2d"); /* an instruction of another machine */
	expect_bad(CODE);
	FUNCTION("\x0e\x80\x80\x80"); /* the entry ends in the operand */
	expect_bad(CODE);
	FUNCTION("\x0f\x7f\x30"); /* an incomplete expression */
	expect_bad(CODE);
	memset(many, 0x0a, sizeof(many)); /* remember_state without a limit */
	FUNCTION(many);
	expect_bad(CODE);
	/* Instructions after the requested row are ignored. */
	FUNCTION("\x44\x3f");
	row_at(CODE + 3);
	expect_bad(CODE + 4);
}
END_TEST

START_TEST(machines_instructions)
{
	struct pk_cfi_row row;

	cie("", "", 0, 30, "\x0c\x1f\x00", 3);
	fde_at(CODE, false, "\x2d\x44\x0e\x10\x9d\x02\x9e\x01\x44\x2c\x2d", 11);
	finish_with("aarch64", 2, false);
	row = row_at(CODE);
	expect_cfa(&row, 31, 0);
	expect_rule(&row, 30, PK_CFI_SAME, 0); /* leaf: still in its register */
	row = row_at(CODE + 4);
	expect_cfa(&row, 31, 16);
	expect_rule(&row, 29, PK_CFI_OFFSET, -16);
	expect_rule(&row, 30, PK_CFI_OFFSET, -8);
	row_at(CODE + 8);
}
END_TEST

/* ---- Entries ---- */

START_TEST(augmentations)
{
	struct pk_cfi_row row;

	cie("zS", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE, true, "", 0);
	finish_section();
	ck_assert(row_at(CODE).signal_frame);

	/* The augmentation data: an absolute address of the personality routine, the encoding of
	 * the LSDA, and the encoding of addresses, which are relative and have 4 bytes. */
	cie("zPLR", "\x03\x01\x02\x03\x04\x1b\x1b", 7, 16, X86_64_CODE, 5);
	begin_entry();
	put_uint(section_size, 4);
	put_uint(CODE - SECTION_ADDRESS - section_size, 4);
	put_uint(CODE_SIZE, 4);
	put("\x04\xff\xff\xff\xff\x0e\x10", 7); /* address of the LSDA */
	end_entry();
	finish_section();
	row = row_at(CODE);
	expect_cfa(&row, 7, 16);
	ck_assert(!row.signal_frame);
	row_at(CODE + CODE_SIZE - 1);

	/* An omitted personality routine, letters of arm64 for signing keys and memory tags, and an
	 * unknown letter after which no letter needs data. */
	cie("zPBG?R", "\xff\x7f\x7f", 3, 16, X86_64_CODE, 5);
	fde_at(CODE, true, "\x0e\x10", 2);
	finish_section();
	row = row_at(CODE);
	expect_cfa(&row, 7, 16);

	/* Without the letter 'z', the size of the augmentation data is unknown. */
	cie("?", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE, false, "", 0);
	finish_section();
	expect_none(CODE);
	cie("zRRRRRRRRRRRRRRRR", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE, true, "", 0);
	finish_section();
	expect_none(CODE);
}
END_TEST

START_TEST(augmentation_of_gcc_2)
{
	section_size = 0;
	begin_entry();
	put_uint(0, 4);
	put("\x01"
	    "eh\0"
	    "12345678\x01\x78\x10" X86_64_CODE,
	    1 + 3 + 8 + 3 + 5);
	end_entry();
	fde_at(CODE, false, "", 0);
	finish_section();
	row_at(CODE);
}
END_TEST

static const struct {
	uint8_t encoding, size;
	uint64_t start;
	bool read;
} encodings[] = {
	{0x00, 8, 0x1000, true},  {0x02, 2, 0x1000, true},  {0x03, 4, 0x1000, true},
	{0x04, 8, 0x1000, true},  {0x0a, 2, 0x1000, true},  {0x0b, 4, 0x1000, true},
	{0x0c, 8, 0x1000, true},  {0x1a, 2, 0x1000, true},  {0x1b, 4, 0x1000, true},
	{0x1c, 8, 0x1000, true},  {0x10, 8, 0x1000, true},  {0x3b, 4, 0x1000, false},
	{0x9b, 4, 0x1000, false}, {0x0d, 4, 0x1000, false}, {0xff, 4, 0x1000, false},
};

START_TEST(addresses_are_encoded)
{
	const uint8_t encoding = encodings[_i].encoding;
	const size_t size = encodings[_i].size;
	uint64_t place;

	cie("zR", (const char *)&encoding, 1, 16, X86_64_CODE, 5);
	begin_entry();
	put_uint(section_size, 4);
	place = SECTION_ADDRESS + section_size;
	put_uint(encodings[_i].start - ((encoding & 0x70) == 0x10 ? place : 0), size);
	put_uint(CODE_SIZE, size);
	put_uint(0, 1);
	end_entry();
	finish_section();
	ck_assert_uint_eq(pk_cfi_count(cfi), encodings[_i].read);
	if (encodings[_i].read && size > 2)
		row_at(CODE);
}
END_TEST

START_TEST(leb_addresses)
{
	cie("zR", "\x01", 1, 16, X86_64_CODE, 5);
	begin_entry();
	put_uint(section_size, 4);
	put("\x80\x20\x80\x02\x00", 5);
	end_entry();
	finish_section();
	row_at(CODE + CODE_SIZE - 1);
	expect_none(CODE + CODE_SIZE);
}
END_TEST

START_TEST(terminators_and_order)
{
	struct pk_cfi_row row;

	cie("", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE + 2 * CODE_SIZE, false, "\x0e\x20", 2);
	put_uint(0, 4); /* end mark of the first object file; FDEs of another object file follow */
	fde_at(CODE, false, "\x0e\x10", 2);
	put_uint(0, 4);
	finish_section();
	ck_assert_uint_eq(pk_cfi_count(cfi), 2);
	row = row_at(CODE);
	expect_cfa(&row, 7, 16);
	expect_none(CODE + CODE_SIZE);
	row = row_at(CODE + 2 * CODE_SIZE);
	expect_cfa(&row, 7, 32);
}
END_TEST

/* Starts a CIE of .debug_frame. From version 4 on, the CIE contains the sizes of addresses and of
 * segments. */
static void debug_cie(uint8_t version, uint8_t address_size, uint8_t segments)
{
	section_size = 0;
	begin_entry();
	put_uint(UINT32_MAX, 4);
	put_uint(version, 1);
	put_uint(0, 1);
	if (version >= 4) {
		put_uint(address_size, 1);
		put_uint(segments, 1);
	}
	put("\x01\x78\x10" X86_64_CODE, 8);
	end_entry();
}

static void debug_fde(void)
{
	begin_entry();
	put_uint(0, 4); /* offset of the FDE's CIE */
	put_uint(CODE, 8);
	put_uint(CODE_SIZE, 8);
	end_entry();
	finish_with("x86_64", 2, true);
}

START_TEST(debug_frame)
{
	for (uint8_t version = 0; version < 6; version++) {
		debug_cie(version, 8, 0);
		debug_fde();
		if (version == 1 || version == 3 || version == 4)
			ck_assert(row_at(CODE).in_debug_frame);
		else
			expect_none(CODE);
	}
	debug_cie(4, 8, 1);
	debug_fde();
	expect_none(CODE);
	debug_cie(4, 3, 0);
	debug_fde();
	expect_none(CODE);
}
END_TEST

START_TEST(sixty_four_bit_entries)
{
	section_size = 0;
	put_uint(UINT32_MAX, 4);
	put_uint(8 + 5 + 5 + 6, 8);
	put_uint(UINT64_MAX, 8);
	put("\x03\x00\x01\x78\x10" X86_64_CODE "\0\0\0\0\0\0", 5 + 5 + 6);
	put_uint(UINT32_MAX, 4);
	put_uint(8 + 16, 8);
	put_uint(0, 8);
	put_uint(CODE, 8);
	put_uint(CODE_SIZE, 8);
	finish_with("x86_64", 2, true);
	ck_assert_uint_eq(pk_cfi_count(cfi), 1);
	row_at(CODE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi");
	TCase *t = tcase_create("cfi");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, NULL, free_cfi);
	tcase_add_test(t, rows_begin_where_they_are_advanced_to);
	tcase_add_test(t, address_before_a_function);
	tcase_add_test(t, stack_switch);
	tcase_add_test(t, location_is_set);
	tcase_add_test(t, cfa);
	tcase_add_test(t, cfa_that_makes_no_sense);
	tcase_add_test(t, registers);
	tcase_add_test(t, states_are_restored);
	tcase_add_test(t, bad_programs);
	tcase_add_test(t, machines_instructions);
	tcase_add_test(t, augmentations);
	tcase_add_test(t, augmentation_of_gcc_2);
	tcase_add_loop_test(t, addresses_are_encoded, 0, sizeof(encodings) / sizeof(encodings[0]));
	tcase_add_test(t, leb_addresses);
	tcase_add_test(t, terminators_and_order);
	tcase_add_test(t, debug_frame);
	tcase_add_test(t, sixty_four_bit_entries);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
