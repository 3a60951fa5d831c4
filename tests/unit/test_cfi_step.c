/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the step from the registers of a function to the registers of its caller: rules,
 * expressions, machines, frame pointers. */
#include <endian.h>
#include <stdlib.h>

#include "cfi_builder.h"

#define STACK 0x7000

static uint8_t stack[256];
static struct pk_memory memory;
static struct pk_frame_state state;

/* Prepares a stack of 32 words, 0xa00, 0xa01 ... The stack pointer of x86-64 is at its start. All
 * registers are known: 0xb00, 0xb01 ... */
static void prepare(void)
{
	for (unsigned int i = 0; i < 32; i++) {
		const uint64_t word = htole64(0xa00 + i);

		memcpy(stack + 8 * i, &word, 8);
	}
	memory = (struct pk_memory){stack, STACK, sizeof(stack), 0, NULL};
	for (unsigned int i = 0; i < PK_CFI_REGISTERS; i++)
		state.value[i] = 0xb00 + i;
	state.value[7] = STACK;
	state.known = (UINT64_C(1) << PK_CFI_REGISTERS) - 1;
	state.pc = state.value[16] = CODE;
}

static enum pk_cfi_status step(void)
{
	const struct pk_cfi_row row = row_at(CODE);

	return pk_cfi_step(cfi, &row, &memory, &state);
}

START_TEST(rules)
{
	FUNCTION("\x0e\x20\x86\x02\x03\x00\x00\x09\x03\x0c\x14\x0d\x01\x07\x01");
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0xa03);
	ck_assert_uint_eq(state.value[16], 0xa03);
	ck_assert_uint_eq(state.value[7], STACK + 32);
	ck_assert_uint_eq(state.value[6], 0xa02);
	ck_assert_uint_eq(state.value[3], 0xb0c);
	ck_assert_uint_eq(state.value[13], STACK + 32 - 8);
	ck_assert_uint_eq(state.value[12], 0xb0c);
	ck_assert(!(state.known >> 1 & 1));
	ck_assert_uint_eq(state.known | 2, (UINT64_C(1) << PK_CFI_REGISTERS) - 1);
}
END_TEST

START_TEST(registers_are_exchanged)
{
	FUNCTION("\x09\x03\x0c\x09\x0c\x03");
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.value[3], 0xb0c);
	ck_assert_uint_eq(state.value[12], 0xb03);
}
END_TEST

START_TEST(the_stack_pointer_has_a_rule)
{
	FUNCTION("\x87\x02\x0e\x20");
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.value[7], 0xa02);
	ck_assert(state.known >> 7 & 1);
}
END_TEST

START_TEST(there_is_no_caller)
{
	const struct pk_frame_state before = state;

	FUNCTION("\x07\x10"); /* an undefined return address, as in _start */
	ck_assert_int_eq(step(), PK_CFI_END);
	FUNCTION("\x0e\x88\x02"); /* CFA - 8 is the first word after the dump */
	ck_assert_int_eq(step(), PK_CFI_MEMORY);
	ck_assert_uint_eq(memory.fault, STACK + sizeof(stack));
	FUNCTION("\x0e\x00"); /* CFA - 8 is the word before the dump */
	ck_assert_int_eq(step(), PK_CFI_MEMORY);
	ck_assert_uint_eq(memory.fault, STACK - 8);
	FUNCTION("\x0e\x84\x02"); /* the dump has only half of the word at CFA - 8 */
	ck_assert_int_eq(step(), PK_CFI_MEMORY);
	ck_assert_mem_eq(&state, &before, sizeof(state));
	state.known &= ~(UINT64_C(1) << 6);
	FUNCTION("\x0c\x06\x10");
	ck_assert_int_eq(step(), PK_CFI_UNKNOWN);
}
END_TEST

START_TEST(a_register_outside_of_the_dump_is_not_known)
{
	FUNCTION("\x11\x03\x58\x86\x02\x0e\x20"); /* rbx at CFA + 320 */
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert(!(state.known >> 3 & 1));
	ck_assert(state.known >> 6 & 1);
}
END_TEST

/* In an epilogue, registers that were popped still have rules. */
START_TEST(a_register_below_the_stack_pointer_is_unchanged)
{
	const uint64_t before = state.value[3];

	FUNCTION("\x83\x80\x01\x86\x02\x0e\x20"); /* rbx at CFA - 1024 */
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert(state.known >> 3 & 1);
	ck_assert_uint_eq(state.value[3], before);
	state.known &= ~(UINT64_C(1) << 3);
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert(!(state.known >> 3 & 1));
}
END_TEST

/* ---- Expressions: the result of each expression is the value of rbx ---- */

#define E(bytes) bytes, sizeof(bytes) - 1

static const struct {
	const char *bytes;
	size_t size;
	uint64_t value;
} expressions[] = {
	{E("\x03\x88\x77\x66\x55\x44\x33\x22\x11"), 0x1122334455667788}, /* addr */
	{E("\x77\x10\x06"), 0xa02},					 /* breg7 16, deref */
	{E("\x77\x10\x94\x01"), 2},					 /* deref_size */
	{E("\x08\xff"), 0xff},
	{E("\x09\xff"), UINT64_MAX},
	{E("\x0a\xfe\xff"), 0xfffe},
	{E("\x0b\xfe\xff"), UINT64_MAX - 1},
	{E("\x0c\xff\xff\xff\xff"), UINT32_MAX},
	{E("\x0d\xff\xff\xff\xff"), UINT64_MAX},
	{E("\x0e\x01\0\0\0\0\0\0\x80"), 0x8000000000000001},
	{E("\x0f\x01\0\0\0\0\0\0\x80"), 0x8000000000000001},
	{E("\x10\xe5\x8e\x26"), 624485}, /* constu, consts */
	{E("\x11\x7e"), UINT64_MAX - 1},
	{E("\x35\x12\x22"), 10},	       /* dup plus */
	{E("\x35\x36\x13"), 5},		       /* drop */
	{E("\x35\x36\x14\x1c"), 1},	       /* over minus: 6 - 5 */
	{E("\x35\x36\x37\x15\x02"), 5},	       /* pick */
	{E("\x35\x36\x16\x1c"), 1},	       /* swap */
	{E("\x31\x32\x33\x17\x1c\x1c"), 4},    /* rot: 3 1 2, minus, minus */
	{E("\x09\xf9\x19"), 7},		       /* abs */
	{E("\x08\x0c\x08\x0a\x1a"), 8},	       /* and */
	{E("\x09\xf8\x33\x1b"), (uint64_t)-2}, /* div */
	{E("\x08\x0b\x33\x1d"), 2},	       /* mod */
	{E("\x36\x37\x1e"), 42},
	{E("\x36\x1f"), (uint64_t)-6},
	{E("\x30\x20"), UINT64_MAX},
	{E("\x08\x0c\x08\x0a\x21"), 14},
	{E("\x36\x23\x81\x01"), 135}, /* plus_uconst */
	{E("\x31\x34\x24"), 16},
	{E("\x09\xff\x08\x3c\x25"), 15},
	{E("\x09\xf0\x34\x26"), UINT64_MAX}, /* shra */
	{E("\x31\x08\x40\x24"), 0},	     /* a shift by more than the width of a number */
	{E("\x31\x08\x40\x25"), 0},
	{E("\x09\xff\x08\x40\x26"), UINT64_MAX},
	{E("\x08\x0c\x08\x0a\x27"), 6},
	{E("\x31\x31\x28\x02\x00\x35\x36\x37"), 7}, /* bra, taken: skips 2 bytes */
	{E("\x31\x30\x28\x01\x00\x35"), 5},	    /* bra, not taken */
	{E("\x31\x2f\x01\x00\x35\x96"), 1},	    /* skip, nop */
	{E("\x09\xff\x31\x2d"), 1},		    /* lt */
	{E("\x09\xff\x31\x2b"), 0},		    /* gt */
	{E("\x31\x31\x29"), 1},			    /* eq */
	{E("\x31\x32\x2a"), 0},			    /* ge */
	{E("\x31\x32\x2c"), 1},			    /* le */
	{E("\x31\x32\x2e"), 1},			    /* ne */
	{E("\x4f"), 31},			    /* lit31 */
	{E("\x73\x7f"), 0xb02},			    /* breg3 -1 */
	{E("\x92\x20\x01"), 0xb21},		    /* bregx 32, 1 */
	/* The expression of the linker for entries of the PLT. It is rsp + 8, and rsp + 16 after
	   the push. */
	{E("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"), STACK + 8},
};

static void expect_value(const char *bytes, size_t size, bool known, uint64_t value)
{
	char code[64] = "\x16\x03";

	ck_assert_uint_lt(size, sizeof(code) - 3);
	code[2] = (char)size;
	memcpy(code + 3, bytes, size);
	cie("", "", 0, 16, X86_64_CODE, 5);
	fde_at(CODE, false, code, size + 3);
	finish_section();
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_int_eq(state.known >> 3 & 1, known);
	if (known)
		ck_assert_uint_eq(state.value[3], value);
}

START_TEST(expression)
{
	expect_value(expressions[_i].bytes, expressions[_i].size, true, expressions[_i].value);
}
END_TEST

static const struct {
	const char *bytes;
	size_t size;
} bad_expressions[] = {
	{E("\x06\x06\x06")}, /* reads the CFA, then 0xa01, then 0, which are not in the dump */
	{E("\x13\x13")},     /* drop on an empty stack */
	{E("\x13")},	     /* drop on an empty stack */
	{E("\x15\x05")},     /* too few values */
	{E("\x30\x30\x1b")}, /* division by zero */
	{E("\x30\x30\x1d")},
	{E("\x77\x10\x94\x03")}, /* deref_size of three bytes */
	{E("\x77\x10\x94\x00")},
	{E("\x2f\xfd\xff")}, /* an endless loop */
	{E("\x2f\x10\x00")}, /* a jump out of the expression */
	{E("\x2f\xf0\xff")},
	{E("\x31\x12\x12\x2f\xfb\xff")}, /* a loop that makes the stack ever larger */
	{E("\x03\x01")},		 /* a missing operand */
	{E("\xff")},			 /* an operation that does not exist */
	{E("\x92\x21\x00")},		 /* a register that does not exist */
};

START_TEST(bad_expression)
{
	expect_value(bad_expressions[_i].bytes, bad_expressions[_i].size, false, 0);
}
END_TEST

/* The caller limits the number of instructions and operations for a whole stack. */
START_TEST(limited_work)
{
	uint64_t work = 100;
	struct pk_cfi_row row;

	FUNCTION("\x0f\x02\x77\x20\x10\x03\x02\x23\x10\x10\x10\x02\x77\x08");
	ck_assert_int_eq(pk_cfi_find_within(cfi, CODE, &work, &row), PK_CFI_OK);
	ck_assert_uint_le(work, 95); /* 2 of the CIE, 3 of the FDE, padding */
	ck_assert_uint_ge(work, 80);
	work = 3;
	ck_assert_int_eq(pk_cfi_find_within(cfi, CODE, &work, &row), PK_CFI_BAD);
	ck_assert_uint_eq(work, 0);
	work = 4;
	memory.work = &work;
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(work, 1);
	prepare();
	memory.work = &work;
	ck_assert_int_eq(step(), PK_CFI_BAD); /* limit reached in the last expression */
	ck_assert_uint_eq(work, 0);
}
END_TEST

START_TEST(expressions_for_places)
{
	/* Expressions for the CFA, for rbx (which starts with the CFA on the stack) and for the
	 * return address, as in signal frames. */
	FUNCTION("\x0f\x02\x77\x20\x10\x03\x02\x23\x10\x10\x10\x02\x77\x08");
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.value[7], STACK + 32);
	ck_assert_uint_eq(state.value[3], 0xa06);
	ck_assert_uint_eq(state.pc, 0xa01);
}
END_TEST

/* ---- Machines ---- */

START_TEST(signed_return_address)
{
	const uint64_t value = htole64(0x0030aaaad9060a70);

	memcpy(stack + 8, &value, 8);
	cie("", "", 0, 30, "\x0c\x1f\x10\x9d\x02\x9e\x01\x2d", 8);
	fde_at(CODE, false, "", 0);
	finish_with("aarch64", 2, false);
	state.value[31] = STACK;
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0xaaaad9060a70);
	ck_assert_uint_eq(state.value[29], 0xa00);
	ck_assert_uint_eq(state.value[31], STACK + 16);
}
END_TEST

START_TEST(leaf_without_a_frame)
{
	cie("", "", 0, 30, "\x0c\x1f\x00", 3);
	fde_at(CODE, false, "", 0);
	finish_with("aarch64", 2, false);
	state.value[31] = STACK;
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0xb1e);
	ck_assert_uint_eq(state.value[31], STACK);
	state.known &= ~(UINT64_C(1) << 30);
	ck_assert_int_eq(step(), PK_CFI_UNKNOWN);
}
END_TEST

START_TEST(words_of_32_bits)
{
	section_size = 0;
	begin_entry();
	put_uint(0, 4);
	put("\x01\0\x01\x7c\x08\x0c\x04\x04\x88\x01", 10);
	end_entry();
	begin_entry();
	put_uint(section_size, 4);
	put_uint(CODE, 4);
	put_uint(CODE_SIZE, 4);
	put("\x0e\x0c\x83\x02", 4);
	end_entry();
	finish_with("i686", 1, false);
	memcpy(stack, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", 12);
	state.value[4] = STACK;
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0x0c0b0a09);
	ck_assert_uint_eq(state.value[3], 0x08070605);
	ck_assert_uint_eq(state.value[4], STACK + 12);
}
END_TEST

START_TEST(other_byte_order)
{
	static const uint8_t bytes[] = {
		0, 0, 0, 12, 0, 0, 0, 0, 1, 0, 1, 0x78, 14, 0x0c, 15, 0xa0, /* CFA = r15 + 160 */
		1, 0, 0, 0, /* the second byte of the LEB128 number 160 */
	};

	section_size = 0;
	put(bytes, sizeof(bytes));
	section[3] = sizeof(bytes) - 4;
	put("\0\0\0\x1c\0\0\0\x18\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\x01\0\x0c\x0f\x18\x8e\x02\0\0\0",
	    32);
	finish_with("s390x", 2, false);
	memcpy(stack + 8, "\0\0\x03\xff\x12\x34\x56\x78", 8);
	state.value[15] = STACK;
	ck_assert_int_eq(step(), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0x3ff12345678);
	ck_assert_uint_eq(state.value[15], STACK + 24 - 160);
}
END_TEST

START_TEST(frame_pointers)
{
	const struct pk_cfi_machine *x86_64 = pk_cfi_machine_find("x86_64", 2);
	struct pk_frame_state before;

	state.value[6] = STACK + 16;
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_OK);
	ck_assert_uint_eq(state.pc, 0xa03);
	ck_assert_uint_eq(state.value[6], 0xa02);
	ck_assert_uint_eq(state.value[7], STACK + 32);
	ck_assert_uint_eq(state.known, 1 << 6 | 1 << 7);
	before = state;
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_UNKNOWN);
	before.value[6] = state.value[6] = STACK + sizeof(stack) - 8;
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_MEMORY);
	ck_assert_uint_eq(memory.fault, STACK + sizeof(stack));
	ck_assert_mem_eq(&state, &before, sizeof(state));
	state.value[6] = STACK + 4 + 32; /* the frame pointer is not aligned */
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_UNKNOWN);
	state.value[6] = 0;
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_END);
	state.known = 0;
	ck_assert_int_eq(pk_frame_pointer_step(x86_64, &memory, &state), PK_CFI_UNKNOWN);
	/* s390x has no frame pointer. */
	ck_assert_int_eq(pk_frame_pointer_step(pk_cfi_machine_find("s390x", 2), &memory, &state),
			 PK_CFI_UNKNOWN);
}
END_TEST

START_TEST(machines)
{
	ck_assert_str_eq(pk_cfi_machine_find("x86_64", 2)->name, "x86_64");
	ck_assert_str_eq(pk_cfi_machine_find("x86_64", 1)->name, "i386");
	ck_assert_str_eq(pk_cfi_machine_find("i686", 1)->name, "i386");
	ck_assert_str_eq(pk_cfi_machine_find("i386", 1)->name, "i386");
	ck_assert_str_eq(pk_cfi_machine_find("aarch64", 2)->name, "aarch64");
	ck_assert_str_eq(pk_cfi_machine_find("armv7l", 1)->name, "arm");
	ck_assert_str_eq(pk_cfi_machine_find("riscv64", 2)->name, "riscv64");
	ck_assert_str_eq(pk_cfi_machine_find("ppc64le", 2)->name, "ppc64le");
	/* A 32-bit task has the registers of arm, at other places in the sample. */
	ck_assert_str_eq(pk_cfi_machine_find("aarch64", 1)->name, "arm");
	ck_assert_uint_eq(pk_cfi_machine_find("aarch64", 1)->perf_pc, 32);
	ck_assert_ptr_null(pk_cfi_machine_find("armv7b", 1));
	ck_assert_ptr_null(pk_cfi_machine_find("armv7l", 2));
	ck_assert_ptr_null(pk_cfi_machine_find("riscv32", 2));
	ck_assert_ptr_null(pk_cfi_machine_find("ppc64", 2));
	ck_assert_ptr_null(pk_cfi_machine_find("x86_64", 0));
	ck_assert_ptr_null(pk_cfi_machine_find("i", 1));
	ck_assert_ptr_null(pk_cfi_machine_find("", 2));
}
END_TEST

START_TEST(registers_of_samples)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_find("x86_64", 2);
	uint64_t values[64];

	for (unsigned int i = 0; i < 64; i++)
		values[i] = 0xc00 + i;
	/* The sample has the registers ax, bx, sp, ip and r15. */
	ck_assert(pk_frame_load(machine, 1 << 0 | 1 << 1 | 1 << 7 | 1 << 8 | 1 << 23,
				(const uint8_t *)values, 5, &state));
	ck_assert_uint_eq(state.pc, 0xc03);
	ck_assert_uint_eq(state.value[16], 0xc03);
	ck_assert_uint_eq(state.value[0], 0xc00);
	ck_assert_uint_eq(state.value[3], 0xc01);
	ck_assert_uint_eq(state.value[7], 0xc02);
	ck_assert_uint_eq(state.value[15], 0xc04);
	ck_assert_uint_eq(state.known, 1 << 16 | 1 << 0 | 1 << 3 | 1 << 7 | 1 << 15);
	ck_assert(!pk_frame_load(machine, 1 << 7, (const uint8_t *)values, 1, &state));
	ck_assert(!pk_frame_load(machine, 1 << 8, (const uint8_t *)values, 1, &state));
	ck_assert(!pk_frame_load(machine, 1 << 7 | 1 << 8, (const uint8_t *)values, 1, &state));
	ck_assert(pk_frame_load(machine, UINT64_MAX, (const uint8_t *)values, 64, &state));
	machine = pk_cfi_machine_find("aarch64", 2);
	ck_assert(pk_frame_load(machine, (UINT64_C(1) << 33) - 1, (const uint8_t *)values, 33,
				&state));
	ck_assert_uint_eq(state.pc, 0xc20);
	ck_assert_uint_eq(state.value[31], 0xc1f);
	ck_assert_uint_eq(state.known, UINT32_MAX);
	/* Register 46 of perf is the length of vectors (VG). It is not one of the first 32
	 * registers of DWARF. */
	ck_assert(pk_frame_load(machine,
				1 | UINT64_C(1) << 31 | UINT64_C(1) << 32 | UINT64_C(1) << 46,
				(const uint8_t *)values, 4, &state));
	ck_assert_uint_eq(state.value[0], 0xc00);
	machine = pk_cfi_machine_find("s390x", 2);
	ck_assert(pk_frame_load(machine, (UINT64_C(1) << 34) - 1, (const uint8_t *)values, 34,
				&state));
	ck_assert_uint_eq(state.pc, 0xc21);
	ck_assert_uint_eq(state.value[20], 0xc11);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi_step");
	TCase *t = tcase_create("cfi_step");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, prepare, free_cfi);
	tcase_add_test(t, rules);
	tcase_add_test(t, registers_are_exchanged);
	tcase_add_test(t, the_stack_pointer_has_a_rule);
	tcase_add_test(t, there_is_no_caller);
	tcase_add_test(t, a_register_outside_of_the_dump_is_not_known);
	tcase_add_test(t, a_register_below_the_stack_pointer_is_unchanged);
	tcase_add_loop_test(t, expression, 0, sizeof(expressions) / sizeof(expressions[0]));
	tcase_add_loop_test(t, bad_expression, 0,
			    sizeof(bad_expressions) / sizeof(bad_expressions[0]));
	tcase_add_test(t, limited_work);
	tcase_add_test(t, expressions_for_places);
	tcase_add_test(t, signed_return_address);
	tcase_add_test(t, leaf_without_a_frame);
	tcase_add_test(t, words_of_32_bits);
	tcase_add_test(t, other_byte_order);
	tcase_add_test(t, frame_pointers);
	tcase_add_test(t, machines);
	tcase_add_test(t, registers_of_samples);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
