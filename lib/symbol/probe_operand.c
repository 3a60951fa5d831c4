// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pkutil.h"
#include "probe_operand.h"

#define WORD_MAX    32
#define FRAME_GUESS 1024u  /* bytes between a frame pointer and the top of the stack */
#define STACK_MOST  16384u /* more than that is not worth copying */

/* ---- Registers: numbers are perf's ---- */

static bool x86_register(const char *name, struct pk_argument *argument)
{
	static const struct {
		const char *names[5];
		uint8_t number;
	} table[] = {
		{{"rax", "eax", "ax", "al", "ah"}, 0}, {{"rbx", "ebx", "bx", "bl", "bh"}, 1},
		{{"rcx", "ecx", "cx", "cl", "ch"}, 2}, {{"rdx", "edx", "dx", "dl", "dh"}, 3},
		{{"rsi", "esi", "si", "sil", ""}, 4},  {{"rdi", "edi", "di", "dil", ""}, 5},
		{{"rbp", "ebp", "bp", "bpl", ""}, 6},  {{"rsp", "esp", "sp", "spl", ""}, 7},
	};
	unsigned int number;
	char width[2] = "";

	for (size_t row = 0; row < sizeof(table) / sizeof(table[0]); row++) {
		for (int i = 0; i < 5; i++) {
			if (strcmp(name, table[row].names[i]) != 0)
				continue;
			argument->base = table[row].number;
			argument->shift = i == 4 ? 8 : 0;
			return *name;
		}
	}
	if (sscanf(name, "r%2u%1s", &number, width) < 1 || number < 8 || number > 15 ||
	    (*width && !strchr("dwb", *width)))
		return false;
	argument->base = (uint8_t)(number + 8);
	return strlen(name) == (number > 9 ? 3u : 2u) + strlen(width);
}

/* "PREFIX" and a number up to most. */
static bool numbered(const char *name, const char *prefix, unsigned long most,
		     struct pk_argument *argument)
{
	const size_t size = strlen(prefix);
	unsigned long number;
	char *end;

	if (strncmp(name, prefix, size) != 0 || !isdigit((unsigned char)name[size]))
		return false;
	number = strtoul(name + size, &end, 10);
	argument->base = (uint8_t)number;
	return !*end && number <= most;
}

static bool arm64_register(const char *name, struct pk_argument *argument)
{
	argument->base = 31;
	return !strcmp(name, "sp") || numbered(name, "x", 30, argument) ||
	       numbered(name, "w", 30, argument);
}

static bool arm_register(const char *name, struct pk_argument *argument)
{
	static const char *const names[] = {"fp", "ip", "sp", "lr", "pc"};

	for (uint8_t i = 0; i < 5; i++) {
		argument->base = (uint8_t)(11 + i);
		if (!strcmp(name, names[i]))
			return true;
	}
	return numbered(name, "r", 15, argument);
}

static bool riscv_register(const char *name, struct pk_argument *argument)
{
	static const char *const names[] = {"ra", "sp",	 "gp",	"tp", "t0", "t1", "t2", "s0",
					    "s1", "a0",	 "a1",	"a2", "a3", "a4", "a5", "a6",
					    "a7", "s2",	 "s3",	"s4", "s5", "s6", "s7", "s8",
					    "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

	for (uint8_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		argument->base = (uint8_t)(i + 1);
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool s390_register(const char *name, struct pk_argument *argument)
{
	return numbered(name, "r", 15, argument);
}

static bool power_register(const char *name, struct pk_argument *argument)
{
	return numbered(name, "r", 31, argument);
}

/* Where functions get what they are called with, and leave what they return. */
static const struct probe_machine machines[] = {
	{EM_X86_64, 7, 6, x86_register, 0, 6, {5, 4, 3, 2, 16, 17}},
	{EM_386, 7, 6, x86_register, 0, 0, {0}},
	{EM_AARCH64, 31, 29, arm64_register, 0, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
	{EM_ARM, 13, 11, arm_register, 0, 4, {0, 1, 2, 3}},
	{EM_S390, 15, 11, s390_register, 2, 5, {2, 3, 4, 5, 6}},
	{EM_RISCV, 2, 8, riscv_register, 10, 8, {10, 11, 12, 13, 14, 15, 16, 17}},
	{EM_PPC64, 1, 31, power_register, 3, 8, {3, 4, 5, 6, 7, 8, 9, 10}},
};

const struct probe_machine *probe_machine(uint32_t elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

/* ---- Operands ---- */

struct operand {
	const struct probe_machine *machine;
	const char *at; /* reads it word by word */
	struct pk_argument *argument;
};

static void skip_blanks(struct operand *operand)
{
	while (*operand->at == ' ')
		operand->at++;
}

static bool take(struct operand *operand, char what)
{
	skip_blanks(operand);
	if (*operand->at != what)
		return false;
	operand->at++;
	return true;
}

static bool at_end(struct operand *operand)
{
	skip_blanks(operand);
	return !*operand->at;
}

/* A number: decimal, 0x, with a sign. */
static bool take_number(struct operand *operand, uint64_t *number)
{
	const char *digits;
	bool negative;
	char *end;

	skip_blanks(operand);
	negative = *operand->at == '-';
	digits = operand->at + (negative || *operand->at == '+');
	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*number = strtoull(digits, &end, 0);
	if (errno)
		return false;
	if (negative)
		*number = -*number;
	operand->at = end;
	return true;
}

/* A register's name, which % may stand before. */
static bool take_register(struct operand *operand, struct pk_argument *found)
{
	char word[WORD_MAX];
	size_t size = 0;

	take(operand, '%');
	while (isalnum((unsigned char)operand->at[size]))
		size++;
	if (!size || size >= sizeof(word))
		return false;
	memcpy(word, operand->at, size);
	word[size] = 0;
	operand->at += size;
	return operand->machine->find(word, found);
}

/* In an address there are whole registers only. */
static bool take_address_register(struct operand *operand, uint8_t *number)
{
	struct pk_argument found = {0};

	if (!take_register(operand, &found) || found.shift)
		return false;
	*number = found.base;
	return true;
}

/* (BASE,INDEX,SCALE), each of which may be missing. */
static bool take_parentheses(struct operand *operand)
{
	struct pk_argument *argument = operand->argument;
	uint64_t scale = 1;

	if (!take(operand, '('))
		return false;
	if (*operand->at != ',' && !take_address_register(operand, &argument->base))
		return false;
	if (take(operand, ',')) {
		if (!take_address_register(operand, &argument->index))
			return false;
		if (take(operand, ',') && !take_number(operand, &scale))
			return false;
	}
	argument->scale = (uint8_t)scale;
	return take(operand, ')') && scale && scale <= 8;
}

/* [BASE], [BASE, #NUMBER], [BASE, INDEX], [BASE, INDEX, lsl #N] */
static bool take_brackets(struct operand *operand)
{
	struct pk_argument *argument = operand->argument;
	uint64_t shift = 0;

	if (!take(operand, '[') || !take_address_register(operand, &argument->base))
		return false;
	if (take(operand, ',')) {
		take(operand, '#');
		if (!take_number(operand, &argument->value)) {
			if (!take_address_register(operand, &argument->index))
				return false;
			argument->scale = 1;
		}
	}
	if (argument->index != PK_ARGUMENT_NO_REGISTER && take(operand, ',')) {
		skip_blanks(operand);
		if (strncmp(operand->at, "lsl ", 4) != 0)
			return false;
		operand->at += 4;
		take(operand, '#');
		if (!take_number(operand, &shift) || shift > 3)
			return false;
		argument->scale = (uint8_t)(1u << shift);
	}
	return take(operand, ']');
}

bool probe_operand(const struct probe_machine *machine, const char *text,
		   struct pk_argument *argument)
{
	struct operand words = {.machine = machine, .at = text, .argument = argument};
	struct operand *operand = &words;
	const bool marked = take(operand, '$') || take(operand, '#');

	if (*operand->at == '[') {
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && take_brackets(operand) && at_end(operand);
	}
	if (*operand->at == '(') {
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && take_parentheses(operand) && at_end(operand);
	}
	if (take_number(operand, &argument->value)) {
		argument->kind = PK_ARGUMENT_VALUE;
		if (at_end(operand))
			return true;
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && take_parentheses(operand) && at_end(operand);
	}
	argument->kind = PK_ARGUMENT_REGISTER;
	return !marked && take_register(operand, argument) && at_end(operand);
}

struct pk_arguments *probe_arguments_new(const struct probe_machine *machine, bool big_endian)
{
	struct pk_arguments *arguments =
		calloc(1, sizeof(*arguments) + PROBE_ARGUMENTS_MOST * sizeof(arguments->items[0]));

	if (!arguments)
		return NULL;
	arguments->stack = machine ? machine->stack : PK_ARGUMENT_NO_REGISTER;
	arguments->byte_order = big_endian ? 2 : 1;
	return arguments;
}

static uint64_t stack_needed(const struct probe_machine *machine,
			     const struct pk_argument *argument)
{
	const uint64_t end = argument->value + argument->size;

	if (argument->kind != PK_ARGUMENT_MEMORY)
		return 0;
	if (argument->base == machine->stack && argument->index == PK_ARGUMENT_NO_REGISTER)
		return end <= STACK_MOST ? end : 0;
	return argument->base == machine->stack || argument->base == machine->frame ? FRAME_GUESS
										    : 0;
}

uint32_t probe_stack_size(const struct probe_machine *machine, const struct pk_arguments *arguments)
{
	uint64_t most = 0;

	for (size_t i = 0; machine && i < arguments->count; i++) {
		const uint64_t size = stack_needed(machine, &arguments->items[i]);

		most = size > most ? size : most;
	}
	return (uint32_t)PK_ALIGN8(most);
}
