/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how call frame information shows whether the functions of an object keep frame pointers. */
#include <stdlib.h>
#include <unistd.h>

#include "cfi_builder.h"
#include "object_debug.h"

/* Call frame information of x86-64. WITH describes push rbp; mov rsp,rbp. WITHOUT describes sub
 * 24,rsp. A leaf function has no instructions. */
#define WITH	"\x0c\x06\x10"
#define WITHOUT "\x0e\x20"

#define expect(result) ck_assert_int_eq(pk_cfi_frame_pointers(cfi), PK_FRAME_POINTERS_##result)

START_TEST(one_function)
{
	FUNCTION(WITH);
	expect(KEPT);
	FUNCTION(WITHOUT);
	expect(OMITTED);
	FUNCTION("");
	expect(UNKNOWN);
	FUNCTION("\x0f\x03\x77\x08\x06"); /* an expression, as in the PLT */
	expect(UNKNOWN);
	FUNCTION(WITH "\x07\x10"); /* an undefined return address, as in the outermost function */
	expect(UNKNOWN);
}
END_TEST

/* The frame exists only after some instructions, and no longer at the last instructions. */
START_TEST(a_part_of_the_function)
{
	FUNCTION("\x02\xb0" WITH);
	expect(KEPT);
	FUNCTION(WITH "\x02\x50\x0c\x07\x08");
	expect(KEPT);
}
END_TEST

static void functions(unsigned int with, unsigned int without, unsigned int leaves)
{
	uint64_t at = CODE;

	cie("", "", 0, 16, X86_64_CODE, 5);
	for (unsigned int i = 0; i < with; i++, at += CODE_SIZE)
		fde_at(at, false, WITH, sizeof(WITH) - 1);
	for (unsigned int i = 0; i < without; i++, at += CODE_SIZE)
		fde_at(at, false, WITHOUT, sizeof(WITHOUT) - 1);
	for (unsigned int i = 0; i < leaves; i++, at += CODE_SIZE)
		fde_at(at, false, "", 0);
	finish_section();
}

START_TEST(most_functions)
{
	functions(20, 0, 20);
	expect(KEPT);
	functions(38, 2, 0);
	expect(KEPT);
	functions(37, 3, 0);
	expect(OMITTED);
	functions(3, 30, 20);
	expect(OMITTED);
}
END_TEST

/* On arm64, a function keeps frame pointers if it saves the frame pointer (29) beside the link
 * register (30). The CFA is relative to the stack pointer (31). */
START_TEST(arm64)
{
	static const char frame[] = "\x0e\x20\x9d\x04\x9e\x03", alone[] = "\x0e\x20\x9e\x04";

	cie("", "", 0, 30, "\x0c\x1f\x00", 3);
	fde_at(CODE, false, frame, sizeof(frame) - 1);
	finish_with("aarch64", 2, false);
	expect(KEPT);
	cie("", "", 0, 30, "\x0c\x1f\x00", 3);
	fde_at(CODE, false, alone, sizeof(alone) - 1);
	finish_with("aarch64", 2, false);
	expect(OMITTED);
	cie("", "", 0, 30, "\x0c\x1f\x00", 3);
	fde_at(CODE, false, "", 0);
	finish_with("aarch64", 2, false);
	expect(UNKNOWN);
}
END_TEST

/* If the section is read piece by piece, the result is the same as for the whole section. */
START_TEST(an_object)
{
	const struct pk_symbols_options options = {.no_cache = true};
	struct pk_symbols *symbols = pk_symbols_new(&options);
	char path[4096] = "";
	enum pk_frame_pointers by_pieces;
	const struct pk_unwind_info *info;
	enum pk_object_state state;
	struct pk_object *o;

	ck_assert_ptr_nonnull(symbols);
	ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	o = pk_symbols_file(symbols, path, NULL, NULL);
	ck_assert_ptr_nonnull(o);
	by_pieces = pk_object_frame_pointers(o);
	info = pk_object_unwind_info(o, &state);
	ck_assert_ptr_nonnull(info);
	cfi = pk_unwind_cfi(info, pk_cfi_machine_by_elf(info->machine));
	ck_assert_ptr_nonnull(cfi);
	ck_assert_uint_gt(pk_cfi_count(cfi), 256);
	ck_assert_int_ne(by_pieces, PK_FRAME_POINTERS_UNKNOWN);
	ck_assert_int_eq(by_pieces, pk_cfi_frame_pointers(cfi));
	free_cfi();
	pk_symbols_free(symbols);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi_frame_pointers");
	TCase *t = tcase_create("cfi_frame_pointers");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, NULL, free_cfi);
	tcase_add_test(t, one_function);
	tcase_add_test(t, a_part_of_the_function);
	tcase_add_test(t, most_functions);
	tcase_add_test(t, arm64);
	tcase_add_test(t, an_object);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
