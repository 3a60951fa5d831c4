/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests valid and invalid .eh_frame_hdr sections, and damaged sections. */
#include <stdlib.h>

#include "cfi_builder.h"

/* Builds two functions in descending order in .eh_frame, and a header with their addresses. */
static void with_header(uint8_t *bytes, size_t size, uint32_t count)
{
	const uint64_t address = 0x20000;
	uint32_t places[2];

	cie("", "", 0, 16, X86_64_CODE, 5);
	places[1] = (uint32_t)section_size;
	fde_at(CODE + 2 * CODE_SIZE, false, "\x0e\x20", 2);
	places[0] = (uint32_t)section_size;
	fde_at(CODE, false, "\x0e\x10", 2);
	memcpy(bytes, "\x01\x1b\x03\x3b", 4);
	memcpy(bytes + 8, &(uint32_t){htole32(count)}, 4);
	for (uint32_t i = 0; i < 2 && 20 + 8 * i <= size; i++) {
		const uint32_t pair[] = {
			htole32((uint32_t)(CODE + 2 * i * CODE_SIZE - address)),
			htole32((uint32_t)(SECTION_ADDRESS + places[i] - address))};

		memcpy(bytes + 12 + 8 * i, pair, sizeof(pair));
	}
	header = (struct pk_cfi_section){bytes, size, address};
	finish_section();
	header = (struct pk_cfi_section){0};
}

START_TEST(header_is_searched)
{
	uint8_t bytes[28] = {0};
	struct pk_cfi_row row;

	with_header(bytes, sizeof(bytes), 2);
	ck_assert_uint_eq(pk_cfi_count(cfi), 2);
	row = row_at(CODE);
	expect_cfa(&row, 7, 16);
	row = row_at(CODE + CODE_SIZE - 1);
	expect_cfa(&row, 7, 16);
	row = row_at(CODE + 3 * CODE_SIZE - 1);
	expect_cfa(&row, 7, 32);
	expect_none(CODE - 2);
	expect_none(CODE + CODE_SIZE);
	expect_none(CODE + 3 * CODE_SIZE);
}
END_TEST

START_TEST(headers_that_are_wrong)
{
	uint8_t bytes[28] = {0};

	/* If the header declares more functions than it has entries, or has another format, an
	 * index is built instead. */
	with_header(bytes, sizeof(bytes), 3);
	row_at(CODE + 2 * CODE_SIZE);
	with_header(bytes, 11, 2);
	row_at(CODE + 2 * CODE_SIZE);
	bytes[0] = 2;
	with_header(bytes, sizeof(bytes), 2);
	row_at(CODE + 2 * CODE_SIZE);
	/* One entry has an address outside of .eh_frame. The address in the other entry is not the
	 * start of an FDE. */
	with_header(bytes, sizeof(bytes), 2);
	memset(bytes + 16, 0xff, 4);
	bytes[24]++;
	expect_none(CODE);
	expect_bad(CODE + 2 * CODE_SIZE);
}
END_TEST

/* ---- Damage ---- */

START_TEST(every_cut_is_survived)
{
	size_t whole;

	cie("zPLRS", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x1b\x1b", 11, 16, X86_64_CODE, 5);
	begin_entry();
	put_uint(section_size, 4);
	put_uint(CODE - SECTION_ADDRESS - section_size, 4);
	put_uint(CODE_SIZE, 4);
	put("\x00\x41\x0e\x10\x0f\x03\x77\x08\x06", 9);
	end_entry();
	whole = section_size;
	for (section_size = 0; section_size < whole; section_size++) {
		finish_section();
		expect_none(CODE + 8);
	}
	finish_section();
	row_at(CODE + 8);
}
END_TEST

START_TEST(every_changed_byte_is_survived)
{
	struct pk_cfi_row row;

	cie("zR", "\x1b", 1, 16, X86_64_CODE, 5);
	begin_entry();
	put_uint(section_size, 4);
	put_uint(CODE - SECTION_ADDRESS - section_size, 4);
	put_uint(CODE_SIZE, 4);
	put("\x00\x41\x0e\x10\x83\x02\x41\x0a\x0b", 9);
	end_entry();
	for (size_t i = 0; i < section_size; i++)
		for (unsigned int value = 0; value < 256; value += 5) {
			const uint8_t old = section[i];

			section[i] = (uint8_t)value;
			finish_section();
			if (pk_cfi_find(cfi, CODE + 8, &row) == PK_CFI_OK)
				ck_assert_uint_le(row.count, PK_CFI_RULES);
			section[i] = old;
		}
}
END_TEST

START_TEST(more_rules_than_a_row_has)
{
	char code[128];
	size_t size = 0;

	for (uint8_t reg = 0; reg < 32; reg++) {
		code[size++] = (char)(0x80 | reg);
		code[size++] = 1;
	}
	cie("", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE, false, code, size);
	finish_section();
	expect_bad(CODE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi_damage");
	TCase *t = tcase_create("cfi_damage");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, NULL, free_cfi);
	tcase_add_test(t, header_is_searched);
	tcase_add_test(t, headers_that_are_wrong);
	tcase_add_test(t, every_cut_is_survived);
	tcase_add_test(t, every_changed_byte_is_survived);
	tcase_add_test(t, more_rules_than_a_row_has);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
