// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pkutil.h"
#include "usdt.h"

#define ARGUMENTS_MOST 64 /* sys/sdt.h has up to 12 */
#define WORD_MAX       32
#define FRAME_GUESS    1024u  /* bytes between a frame pointer and the top of the stack */
#define STACK_MOST     16384u /* more than that is not worth copying */

/* ---- Registers: numbers are perf's ---- */

struct machine {
	uint32_t elf;
	uint8_t stack, frame;
	bool (*find)(const char *name, struct pk_argument *argument);
};

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

static const struct machine machines[] = {
	{EM_X86_64, 7, 6, x86_register},      {EM_386, 7, 6, x86_register},
	{EM_AARCH64, 31, 29, arm64_register}, {EM_ARM, 13, 11, arm_register},
	{EM_S390, 15, 11, s390_register},     {EM_RISCV, 2, 8, riscv_register},
	{EM_PPC64, 1, 31, power_register},
};

static const struct machine *machine_of(const struct pk_usdt *usdt)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf == usdt->machine)
			return &machines[i];
	return NULL;
}

/* ---- Operands ---- */

struct operand {
	const struct machine *machine;
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

/* False: nothing that is known, or to be had. */
static bool read_operand(struct operand *operand)
{
	struct pk_argument *argument = operand->argument;
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

/* x86 has constants behind a $ alone: a bare number is an address. */
static bool is_constant(const struct pk_argument *argument, const char *text,
			const struct machine *machine)
{
	return argument->kind != PK_ARGUMENT_VALUE || *text == '$' ||
	       (machine->elf != EM_X86_64 && machine->elf != EM_386);
}

/* [-]SIZE@OPERAND; without a size a word, unsigned. */
static void read_argument(const struct machine *machine, char *text, uint8_t word,
			  struct pk_argument *argument)
{
	struct operand operand = {.machine = machine, .at = text, .argument = argument};
	char *mark = strchr(text, '@');
	uint64_t size = word;

	argument->kind = PK_ARGUMENT_UNKNOWN;
	argument->size = word;
	argument->base = argument->index = PK_ARGUMENT_NO_REGISTER;
	if (mark) {
		argument->flags = *text == '-' ? PK_ARGUMENT_SIGNED : 0;
		if (!take_number(&operand, &size) || operand.at != mark)
			return; /* with an f: floating point */
		size = argument->flags ? -size : size;
		operand.at = ++mark;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	argument->size = (uint8_t)size;
	if (!machine || !read_operand(&operand) ||
	    !is_constant(argument, mark ? mark : text, machine))
		argument->kind = PK_ARGUMENT_UNKNOWN;
}

/* ---- All of them ---- */

/* Where the one that text begins with ends: at a blank outside of parentheses and brackets. */
static size_t length_of(const char *text)
{
	int depth = 0;
	size_t size = 0;

	for (; text[size] && (text[size] != ' ' || depth > 0); size++) {
		depth += text[size] == '(' || text[size] == '[';
		depth -= text[size] == ')' || text[size] == ']';
	}
	return size;
}

struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt)
{
	const struct machine *machine = machine_of(usdt);
	struct pk_arguments *arguments;
	char *copy = strdup(usdt->arguments), *text = copy;

	arguments = calloc(1, sizeof(*arguments) + ARGUMENTS_MOST * sizeof(arguments->items[0]));
	if (!arguments || !copy) {
		free(arguments);
		free(copy);
		return NULL;
	}
	arguments->stack = machine ? machine->stack : PK_ARGUMENT_NO_REGISTER;
	arguments->byte_order = usdt->big_endian ? 2 : 1;
	for (text += strspn(text, " "); *text && arguments->count < ARGUMENTS_MOST;) {
		const size_t size = length_of(text);
		char *next = text + size + strspn(text + size, " ");
		struct pk_argument *argument = &arguments->items[arguments->count++];

		text[size] = 0;
		snprintf(argument->name, sizeof(argument->name), "arg%zu", arguments->count);
		read_argument(machine, text, usdt->word, argument);
		text = next;
	}
	free(copy);
	return arguments;
}

static uint64_t stack_needed(const struct machine *machine, const struct pk_argument *argument)
{
	const uint64_t end = argument->value + argument->size;

	if (argument->kind != PK_ARGUMENT_MEMORY)
		return 0;
	if (argument->base == machine->stack && argument->index == PK_ARGUMENT_NO_REGISTER)
		return end <= STACK_MOST ? end : 0;
	return argument->base == machine->stack || argument->base == machine->frame ? FRAME_GUESS
										    : 0;
}

uint32_t pk_usdt_stack_size(const struct pk_usdt *usdt, const struct pk_arguments *arguments)
{
	const struct machine *machine = machine_of(usdt);
	uint64_t most = 0;

	for (size_t i = 0; machine && i < arguments->count; i++) {
		const uint64_t size = stack_needed(machine, &arguments->items[i]);

		most = size > most ? size : most;
	}
	return (uint32_t)PK_ALIGN8(most);
}
