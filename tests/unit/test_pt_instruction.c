/* SPDX-License-Identifier: BSD-2-Clause */
/* The classes and sizes of branches, in 64-bit code and 32-bit code. */
#include <check.h>
#include <stdlib.h>

#include "pt_instruction.h"

static const struct {
	const char *bytes;
	unsigned int size;
	enum pt_class class;
} all[] = {
	{"\x74\x05\x90\x90\x90\x90\x90", 2, PT_CONDITIONAL},
	{"\xe3\x05\x90\x90\x90\x90\x90", 2, PT_CONDITIONAL},
	{"\x0f\x84\x01\x02\x03\x04\x90", 6, PT_CONDITIONAL},
	{"\xe8\x01\x02\x03\x04\x90\x90", 5, PT_CALL},
	{"\xff\x15\x01\x02\x03\x04\x90", 6, PT_CALL},
	{"\xff\xd0\x90\x90\x90\x90\x90", 2, PT_CALL},
	{"\xf2\xff\xe0\x90\x90\x90\x90", 3, PT_JUMP},
	{"\xeb\x01\x90\x90\x90\x90\x90", 2, PT_JUMP},
	{"\xe9\x01\x02\x03\x04\x90\x90", 5, PT_JUMP},
	{"\xff\x25\x01\x02\x03\x04\x90", 6, PT_JUMP},
	{"\xc3\x90\x90\x90\x90\x90\x90", 1, PT_RETURN},
	{"\xc2\x08\x00\x90\x90\x90\x90", 3, PT_RETURN},
	{"\xf3\xc3\x90\x90\x90\x90\x90", 2, PT_RETURN},
	{"\x0f\x05\x90\x90\x90\x90\x90", 2, PT_SYSCALL},
	{"\xcd\x80\x90\x90\x90\x90\x90", 2, PT_SYSCALL},
	{"\x0f\x07\x90\x90\x90\x90\x90", 2, PT_SYSRET},
	{"\xcf\x90\x90\x90\x90\x90\x90", 1, PT_SYSRET},
	{"\xff\xc0\x90\x90\x90\x90\x90", 2, PT_OTHER},
	{"\x0f\x1f\x00\x90\x90\x90\x90", 3, PT_OTHER},
	{"\x90\x90\x90\x90\x90\x90\x90", 1, PT_OTHER},
};

START_TEST(classes)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (int is_64 = 0; is_64 < 2; is_64++) {
			const struct pt_instruction found =
				pt_instruction_of((const uint8_t *)all[i].bytes, 7, is_64);

			ck_assert_msg(found.size == all[i].size && found.class == all[i].class,
				      "instruction %zu: %u bytes, class %d", i, found.size,
				      (int)found.class);
		}
}
END_TEST

START_TEST(cut)
{
	const uint8_t call[] = {0xe8, 1, 2};

	ck_assert_uint_eq(pt_instruction_of(call, 3, true).size, 0);
	ck_assert_uint_eq(pt_instruction_of(call, 0, true).size, 0);
	ck_assert_int_eq(pt_instruction_of(call, 0, true).class, PT_OTHER);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pt_instruction");
	TCase *tests = tcase_create("instructions");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, classes);
	tcase_add_test(tests, cut);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
