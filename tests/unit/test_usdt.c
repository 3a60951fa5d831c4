// SPDX-License-Identifier: BSD-2-Clause
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "elf_image.h"
#include "pkprivate.h"
#include "usdt.h"

static struct pk_arguments *arguments;
static struct pk_usdt usdt;
static uint32_t stack_size;

static void setup(void)
{
	usdt = (struct pk_usdt){.machine = EM_X86_64, .word = 8};
	arguments = NULL;
}

static void teardown(void)
{
	free(arguments);
}

static size_t parse(const char *text)
{
	free(arguments);
	usdt.arguments = text;
	arguments = pk_usdt_arguments(&usdt, &stack_size);
	ck_assert_ptr_nonnull(arguments);
	return arguments->count;
}

static const char *in_words(const struct pk_argument *a)
{
	static char words[100];

	ck_assert(a->size == 1 || a->size == 2 || a->size == 4 || a->size == 8);
	snprintf(words, sizeof(words), "%s%d ", a->flags & PK_ARGUMENT_SIGNED ? "s" : "u",
		 8 * a->size);
	switch (a->kind) {
	case PK_ARGUMENT_VALUE:
		snprintf(words + strlen(words), 50, "value %lld", (long long)a->value);
		break;
	case PK_ARGUMENT_REGISTER:
		snprintf(words + strlen(words), 50, "register %d >> %d", a->base, a->shift);
		break;
	case PK_ARGUMENT_MEMORY:
		snprintf(words + strlen(words), 50, "memory %d + %d * %d + %lld", a->base, a->index,
			 a->scale, (long long)a->value);
		break;
	default: snprintf(words + strlen(words), 50, "unknown"); break;
	}
	return words;
}

/* Parses a text with one argument. Returns a description of the argument. */
static const char *one(const char *text)
{
	ck_assert_uint_eq(parse(text), 1);
	ck_assert_str_eq(arguments->items[0].name, "arg1");
	return in_words(&arguments->items[0]);
}

START_TEST(x86)
{
	ck_assert_str_eq(one("8@%rdi"), "u64 register 5 >> 0");
	ck_assert_str_eq(one("-4@%eax"), "s32 register 0 >> 0");
	ck_assert_str_eq(one("2@%r10w"), "u16 register 18 >> 0");
	ck_assert_str_eq(one("-1@%r15b"), "s8 register 23 >> 0");
	ck_assert_str_eq(one("1@%bh"), "u8 register 1 >> 8");
	ck_assert_str_eq(one("%rsp"), "u64 register 7 >> 0");
	ck_assert_str_eq(one("-4@$-5"), "s32 value -5");
	ck_assert_str_eq(one("8@$0x10"), "u64 value 16");
	ck_assert_str_eq(one("8@$-9223372036854775808"), "u64 value -9223372036854775808");
	ck_assert_str_eq(one("4@-20(%rbp)"), "u32 memory 6 + 255 * 1 + -20");
	ck_assert_str_eq(one("8@(%rax,%rbx,8)"), "u64 memory 0 + 1 * 8 + 0");
	ck_assert_str_eq(one("8@16(%rax,%r9)"), "u64 memory 0 + 17 * 1 + 16");
	ck_assert_str_eq(one("8@4096(,%rcx,4)"), "u64 memory 255 + 2 * 4 + 4096");
}
END_TEST

START_TEST(not_to_be_had)
{
	static const char *const texts[] = {
		"8@sym(%rip)",
		"8@-8+sym(%rip)",
		"8@sym+4(%rip)",
		"4@global",
		"8f@%xmm0",
		"8@%xmm0",
		"4@%r7",
		"4@%r16",
		"4@%r8x",
		"4@%r08",
		"4@%r8dd",
		"8@%",
		"8@",
		"8@%fs:0x10",
		"8@(%rax",
		"8@(%ah)",
		"8@(%rax,%rbx,9)",
		"8@(%rax,%rbx,0)",
		"8@(%rax))",
		"8@$5(%rax)",
		"8@$",
		"8@5",
		"3@%rax",
		"x@%rax",
		"99999999999999999999@%rax",
		"8@$99999999999999999999",
		"8@8@%rax",
		"@",
		"8@%rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr",
		"8@(,)",
		"8@(%rax,,8)",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *words = one(texts[i]);

		ck_assert_msg(strstr(words, "unknown"), "%s: %s", texts[i], words);
	}
}
END_TEST

START_TEST(others)
{
	usdt.machine = EM_AARCH64;
	ck_assert_str_eq(one("-4@x0"), "s32 register 0 >> 0");
	ck_assert_str_eq(one("4@w30"), "u32 register 30 >> 0");
	ck_assert_str_eq(one("8@[sp, 16]"), "u64 memory 31 + 255 * 0 + 16");
	ck_assert_str_eq(one("8@[x29, #-8]"), "u64 memory 29 + 255 * 0 + -8");
	ck_assert_str_eq(one("1@[x0]"), "u8 memory 0 + 255 * 0 + 0");
	ck_assert_str_eq(one("8@[x0, x1]"), "u64 memory 0 + 1 * 1 + 0");
	ck_assert_str_eq(one("8@[x0, x1, lsl 3]"), "u64 memory 0 + 1 * 8 + 0");
	ck_assert_str_eq(one("-4@5"), "s32 value 5");
	ck_assert_str_eq(one("8@x31"), "u64 unknown");
	ck_assert_str_eq(one("8@[x0, x1, lsl 9]"), "u64 unknown");
	usdt.machine = EM_S390;
	ck_assert_str_eq(one("-4@%r2"), "s32 register 2 >> 0");
	ck_assert_str_eq(one("8@160(%r15)"), "u64 memory 15 + 255 * 1 + 160");
	usdt.machine = EM_RISCV;
	ck_assert_str_eq(one("8@a0"), "u64 register 10 >> 0");
	ck_assert_str_eq(one("8@-24(s0)"), "u64 memory 8 + 255 * 1 + -24");
	usdt.machine = EM_ARM;
	usdt.word = 4;
	ck_assert_str_eq(one("r3"), "u32 register 3 >> 0");
	ck_assert_str_eq(one("4@[fp, #-20]"), "u32 memory 11 + 255 * 0 + -20");
	ck_assert_str_eq(one("4@#7"), "u32 value 7");
	usdt.machine = EM_PPC64;
	ck_assert_str_eq(one("8@8(%r1)"), "u64 memory 1 + 255 * 1 + 8");
	usdt.machine = EM_SPARCV9;
	ck_assert_str_eq(one("8@%o0"), "u64 unknown");
}
END_TEST

START_TEST(lists)
{
	char many[1000] = "";

	ck_assert_uint_eq(parse(""), 0);
	ck_assert_uint_eq(parse("   "), 0);
	ck_assert_uint_eq(parse(" 8@%rdi  -4@$5 "), 2);
	ck_assert_str_eq(arguments->items[1].name, "arg2");
	ck_assert_uint_eq(arguments->stack, 7);
	ck_assert_uint_eq(arguments->byte_order, 1);
	ck_assert_uint_eq(pk_arguments_registers(arguments), 1 << 5);
	usdt.big_endian = true;
	usdt.machine = EM_AARCH64;
	ck_assert_uint_eq(parse("8@[sp, 16] 8@x0"), 2);
	ck_assert_uint_eq(arguments->byte_order, 2);
	ck_assert_uint_eq(pk_arguments_registers(arguments), UINT64_C(1) << 31 | 1);
	memset(many, ' ', sizeof(many) - 1);
	for (size_t i = 0; i < sizeof(many) - 1; i += 2)
		many[i] = '5';
	ck_assert_uint_eq(parse(many), 64);
}
END_TEST

static uint32_t stack_of(const char *text)
{
	parse(text);
	return stack_size;
}

START_TEST(stacks)
{
	ck_assert_uint_eq(stack_of("8@%rdi 4@$1 4@sym(%rip)"), 0);
	ck_assert_uint_eq(stack_of("8@16(%rax)"), 0);
	ck_assert_uint_eq(stack_of("4@(%rsp)"), 8);
	ck_assert_uint_eq(stack_of("4@36(%rsp) 8@8(%rsp)"), 40);
	ck_assert_uint_eq(stack_of("4@-20(%rbp)"), 1024);
	ck_assert_uint_eq(stack_of("4@(%rsp,%rax,4)"), 1024);
	ck_assert_uint_eq(stack_of("4@1000000(%rsp)"), 0); /* larger than a stack dump */
	ck_assert_uint_eq(stack_of("8@-8(%rsp)"), 0);	   /* the address is below the stack dump */
	ck_assert_uint_eq(stack_of("8@9223372036854775807(%rsp)"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lib/symbol: arguments of probes");
	TCase *test = tcase_create("notes");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(test, setup, teardown);
	tcase_add_test(test, x86);
	tcase_add_test(test, not_to_be_had);
	tcase_add_test(test, others);
	tcase_add_test(test, lists);
	tcase_add_test(test, stacks);
	suite_add_tcase(suite, test);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
