// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "file.h"
#include "pkstream.h"
#include "pkutil.h"
#include "usdt.h"

/* ---- Machines ---- */

/* Describes the registers of a machine. Registers are numbered as in perf. */
struct probe_machine {
	uint32_t elf; /* EM_* */
	uint8_t stack, frame;
	/* Sets base and shift of *argument. Returns false if there is no such register. */
	bool (*find)(const char *name, struct pk_argument *argument);
	/* The registers that contain a function's result and arguments. */
	uint8_t result, arguments_count, arguments[8];
};

#define WORD_MAX    32
#define FRAME_GUESS 1024u /* bytes from the top of the stack to a frame pointer */

/* ---- Registers, with perf's numbers ---- */

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

/* Parses the prefix and a number that is at most `most`. */
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

/* The known machines, with the registers of results and arguments. */
static const struct probe_machine machines[] = {
	{EM_X86_64, 7, 6, x86_register, 0, 6, {5, 4, 3, 2, 16, 17}},
	{EM_386, 7, 6, x86_register, 0, 0, {0}},
	{EM_AARCH64, 31, 29, arm64_register, 0, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
	{EM_ARM, 13, 11, arm_register, 0, 4, {0, 1, 2, 3}},
	{EM_S390, 15, 11, s390_register, 2, 5, {2, 3, 4, 5, 6}},
	{EM_RISCV, 2, 8, riscv_register, 10, 8, {10, 11, 12, 13, 14, 15, 16, 17}},
	{EM_PPC64, 1, 31, power_register, 3, 8, {3, 4, 5, 6, 7, 8, 9, 10}},
};

/* Returns the machine that has this number in ELF files, or NULL if it is not known. */
static const struct probe_machine *probe_machine(uint32_t elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

/* ---- Operands ---- */

/* The state of parsing an operand. */
struct operand {
	const struct probe_machine *machine;
	const char *at; /* the current position of the parser */
	struct pk_argument *argument;
};

static void skip_blanks(struct operand *operand)
{
	while (*operand->at == ' ')
		operand->at++;
}

static bool accept(struct operand *operand, char what)
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

/* Reads a number, in decimal or with 0x. It can have a sign. */
static bool read_number(struct operand *operand, uint64_t *number)
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

/* Reads the name of a register, which can have a % before it. */
static bool read_register(struct operand *operand, struct pk_argument *found)
{
	char word[WORD_MAX];
	size_t size = 0;

	accept(operand, '%');
	while (isalnum((unsigned char)operand->at[size]))
		size++;
	if (!size || size >= sizeof(word))
		return false;
	memcpy(word, operand->at, size);
	word[size] = 0;
	operand->at += size;
	return operand->machine->find(word, found);
}

/* Reads a register of an address. It must be a whole register, not a part such as "ah". */
static bool read_address_register(struct operand *operand, uint8_t *number)
{
	struct pk_argument found = {0};

	if (!read_register(operand, &found) || found.shift)
		return false;
	*number = found.base;
	return true;
}

/* Reads "(BASE,INDEX,SCALE)". Each of the three can be missing. */
static bool read_parentheses(struct operand *operand)
{
	struct pk_argument *argument = operand->argument;
	uint64_t scale = 1;

	if (!accept(operand, '('))
		return false;
	if (*operand->at != ',' && !read_address_register(operand, &argument->base))
		return false;
	if (accept(operand, ',')) {
		if (!read_address_register(operand, &argument->index))
			return false;
		if (accept(operand, ',') && !read_number(operand, &scale))
			return false;
	}
	argument->scale = (uint8_t)scale;
	return accept(operand, ')') && scale && scale <= 8;
}

/* Reads "[BASE]", "[BASE, #NUMBER]", "[BASE, INDEX]" or "[BASE, INDEX, lsl #N]". */
static bool read_brackets(struct operand *operand)
{
	struct pk_argument *argument = operand->argument;
	uint64_t shift = 0;

	if (!accept(operand, '[') || !read_address_register(operand, &argument->base))
		return false;
	if (accept(operand, ',')) {
		accept(operand, '#');
		if (!read_number(operand, &argument->value)) {
			if (!read_address_register(operand, &argument->index))
				return false;
			argument->scale = 1;
		}
	}
	if (argument->index != PK_ARGUMENT_NO_REGISTER && accept(operand, ',')) {
		skip_blanks(operand);
		if (strncmp(operand->at, "lsl ", 4) != 0)
			return false;
		operand->at += 4;
		accept(operand, '#');
		if (!read_number(operand, &shift) || shift > 3)
			return false;
		argument->scale = (uint8_t)(1u << shift);
	}
	return accept(operand, ']');
}

/* Parses an operand, and sets kind, base, index, scale, shift and value. Before the call, base and
 * index must be PK_ARGUMENT_NO_REGISTER. Returns false if the operand is unknown or cannot be read.
 */
static bool probe_operand(const struct probe_machine *machine, const char *text,
			  struct pk_argument *argument)
{
	struct operand words = {.machine = machine, .at = text, .argument = argument};
	struct operand *operand = &words;
	const bool marked = accept(operand, '$') || accept(operand, '#');

	if (*operand->at == '[') {
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && read_brackets(operand) && at_end(operand);
	}
	if (*operand->at == '(') {
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && read_parentheses(operand) && at_end(operand);
	}
	if (read_number(operand, &argument->value)) {
		argument->kind = PK_ARGUMENT_VALUE;
		if (at_end(operand))
			return true;
		argument->kind = PK_ARGUMENT_MEMORY;
		return !marked && read_parentheses(operand) && at_end(operand);
	}
	argument->kind = PK_ARGUMENT_REGISTER;
	return !marked && read_register(operand, argument) && at_end(operand);
}

/* Allocates an empty list with space for PK_PROBE_ARGUMENTS_MOST arguments. `machine` may be NULL.
 * Returns NULL if memory is exhausted. */
static struct pk_arguments *probe_arguments_new(const struct probe_machine *machine,
						bool big_endian)
{
	struct pk_arguments *arguments = calloc(
		1, sizeof(*arguments) + PK_PROBE_ARGUMENTS_MOST * sizeof(arguments->items[0]));

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
		return end <= PK_PROBE_STACK_MOST ? end : 0;
	return argument->base == machine->stack || argument->base == machine->frame ? FRAME_GUESS
										    : 0;
}

/* Returns how many bytes from the top of the stack must be recorded to read the arguments that are
 * on the stack. */
static uint32_t probe_stack_size(const struct probe_machine *machine,
				 const struct pk_arguments *arguments)
{
	uint64_t most = 0;

	for (size_t i = 0; machine && i < arguments->count; i++) {
		const uint64_t size = stack_needed(machine, &arguments->items[i]);

		most = size > most ? size : most;
	}
	return (uint32_t)PK_ALIGN8(most);
}

bool pk_probe_register(uint32_t machine, const char *name, struct pk_argument *argument)
{
	const struct probe_machine *found = probe_machine(machine);

	return found && found->find(name, argument);
}

bool pk_probe_passed_in(uint32_t machine, unsigned int number, uint8_t *reg)
{
	const struct probe_machine *found = probe_machine(machine);

	if (!found || number > found->arguments_count)
		return false;
	*reg = number ? found->arguments[number - 1] : found->result;
	return true;
}

bool pk_probe_stack(uint32_t machine, uint8_t *reg)
{
	const struct probe_machine *found = probe_machine(machine);

	if (found)
		*reg = found->stack;
	return found;
}

struct pk_arguments *pk_probe_arguments_empty(uint32_t machine, bool big_endian)
{
	return probe_arguments_new(probe_machine(machine), big_endian);
}

uint32_t pk_probe_stack_size(uint32_t machine, const struct pk_arguments *arguments)
{
	return probe_stack_size(probe_machine(machine), arguments);
}

/* ---- Notes ---- */

/* A note of the section .note.stapsdt has type 3 and name "stapsdt". It contains three addresses
 * (of the probe, of .stapsdt.base at link time, of the semaphore), and then the provider, the name
 * and the arguments. */
#define NOTE_NAME   "stapsdt"
#define NOTE_TYPE   3
#define NOTE_HEADER 12

#define NOTES_MAX (64u << 20) /* in bytes; real files need some 100 KiB */

/* The state of reading the notes of a section. */
struct notes {
	const struct pk_elf *elf;
	const uint8_t *at, *end;
	size_t word;   /* size of an address in bytes */
	uint64_t base; /* address that .stapsdt.base has in this file */
};

static uint32_t number(const struct notes *notes, const uint8_t *p)
{
	const uint32_t value = pk_load_u32(p);

	return pk_elf_swapped(notes->elf) ? __builtin_bswap32(value) : value;
}

static uint64_t address(const struct notes *notes, const uint8_t *p)
{
	uint64_t value;

	if (notes->word == 4)
		return number(notes, p);
	value = pk_load_u64(p);
	return pk_elf_swapped(notes->elf) ? __builtin_bswap64(value) : value;
}

/* Reads a NUL-terminated text. Returns NULL if there is no NUL before end. */
static const char *next_text(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *start = *at, *zero = memchr(start, 0, (size_t)(end - start));

	if (!zero)
		return NULL;
	*at = zero + 1;
	return (const char *)start;
}

static bool read_probe(const struct notes *notes, const uint8_t *at, const uint8_t *end,
		       struct pk_usdt *usdt)
{
	uint64_t pc, base, semaphore;

	if ((size_t)(end - at) < 3 * notes->word)
		return false;
	pc = address(notes, at);
	base = address(notes, at + notes->word);
	semaphore = address(notes, at + 2 * notes->word);
	at += 3 * notes->word;
	usdt->provider = next_text(&at, end);
	usdt->name = usdt->provider ? next_text(&at, end) : NULL;
	usdt->arguments = usdt->name ? next_text(&at, end) : NULL;
	if (!usdt->arguments)
		return false;
	/* If prelink has moved the file, the addresses in the note must be corrected. */
	if (notes->base && base) {
		pc += notes->base - base;
		semaphore += semaphore ? notes->base - base : 0;
	}
	usdt->semaphore = 0;
	return pk_elf_offset_of(notes->elf, pc, &usdt->offset) &&
	       (!semaphore || pk_elf_offset_of(notes->elf, semaphore, &usdt->semaphore));
}

/* Finds the next probe. Returns false if there are no more, or if the next note is malformed. */
static bool next_probe(struct notes *notes, struct pk_usdt *usdt)
{
	while ((size_t)(notes->end - notes->at) >= NOTE_HEADER) {
		const uint8_t *note = notes->at + NOTE_HEADER;
		const uint64_t name = number(notes, notes->at), size = number(notes, notes->at + 4);
		const uint32_t type = number(notes, notes->at + 8);
		const uint64_t left = (uint64_t)(notes->end - note);
		const uint64_t name_room = (name + 3) & ~UINT64_C(3);
		const uint64_t room = name_room + ((size + 3) & ~UINT64_C(3));

		if (name_room + size > left)
			return false;
		notes->at = room < left ? note + room : notes->end;
		if (type == NOTE_TYPE && name == sizeof(NOTE_NAME) &&
		    !memcmp(note, NOTE_NAME, sizeof(NOTE_NAME)) &&
		    read_probe(notes, note + name_room, note + name_room + size, usdt))
			return true;
	}
	return false;
}

void pk_usdt_each_of(const struct pk_elf *elf, void (*each)(void *arg, const struct pk_usdt *usdt),
		     void *arg)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".note.stapsdt");
	const struct pk_elf_section *base = pk_elf_section(elf, ".stapsdt.base");
	const bool swapped = pk_elf_swapped(elf);
	struct notes notes = {.elf = elf, .word = pk_elf_is_64(elf) ? 8 : 4};
	struct pk_usdt usdt = {.machine = pk_elf_machine(elf),
			       .word = (uint8_t)notes.word,
			       .big_endian = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)};
	uint8_t *data = NULL;

	if (section && section->size <= NOTES_MAX)
		data = pk_elf_bytes(elf, section->offset, section->size);
	if (!data)
		return;
	notes.base = base ? base->addr : 0;
	notes.at = data;
	notes.end = data + section->size;
	while (next_probe(&notes, &usdt))
		each(arg, &usdt);
	free(data);
}

bool pk_usdt_each(const char *path, void (*each)(void *arg, const struct pk_usdt *usdt), void *arg)
{
	struct pk_elf *elf;
	int fd;

	if (pk_file_open(path, &fd) != 0)
		return false;
	elf = pk_elf_open(fd, path, NULL);
	if (!elf)
		return false;
	pk_usdt_each_of(elf, each, arg);
	pk_elf_close(elf);
	return true;
}

/* ---- Arguments of notes ---- */

/* Returns false for a bare number on x86, which is an address. On x86, only a number with $ is a
 * constant. */
static bool is_constant(const struct pk_argument *argument, const char *text,
			const struct probe_machine *machine)
{
	return argument->kind != PK_ARGUMENT_VALUE || *text == '$' ||
	       (machine->elf != EM_X86_64 && machine->elf != EM_386);
}

/* Reads "[-]SIZE@OPERAND". An operand without a size is an unsigned word. */
static void read_argument(const struct probe_machine *machine, const char *text, uint8_t word,
			  struct pk_argument *argument)
{
	const char *mark = strchr(text, '@');
	uint64_t size = word;
	char *end;

	argument->kind = PK_ARGUMENT_UNKNOWN;
	argument->size = word;
	argument->base = argument->index = PK_ARGUMENT_NO_REGISTER;
	if (mark) {
		argument->flags = *text == '-' ? PK_ARGUMENT_SIGNED : 0;
		text += *text == '-';
		size = strtoull(text, &end, 10);
		if (!isdigit((unsigned char)*text) || end != mark)
			return; /* "f" after the size means a floating-point number */
		text = mark + 1;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	argument->size = (uint8_t)size;
	if (!machine || !probe_operand(machine, text, argument) ||
	    !is_constant(argument, text, machine))
		argument->kind = PK_ARGUMENT_UNKNOWN;
}

/* ---- All ---- */

size_t pk_probe_argument_length(const char *text)
{
	int depth = 0;
	size_t size = 0;

	for (; text[size] && (text[size] != ' ' || depth > 0); size++) {
		depth += text[size] == '(' || text[size] == '[';
		depth -= text[size] == ')' || text[size] == ']';
	}
	return size;
}

struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt, uint32_t *stack_size)
{
	const struct probe_machine *machine = probe_machine(usdt->machine);
	struct pk_arguments *arguments = probe_arguments_new(machine, usdt->big_endian);
	char *copy = strdup(usdt->arguments), *text = copy;

	if (!arguments || !copy) {
		free(arguments);
		free(copy);
		return NULL;
	}
	for (text += strspn(text, " "); *text && arguments->count < PK_PROBE_ARGUMENTS_MOST;) {
		const size_t size = pk_probe_argument_length(text);
		char *next = text + size + strspn(text + size, " ");
		struct pk_argument *argument = &arguments->items[arguments->count++];

		text[size] = 0;
		snprintf(argument->name, sizeof(argument->name), "arg%zu", arguments->count);
		read_argument(machine, text, usdt->word, argument);
		text = next;
	}
	free(copy);
	*stack_size = probe_stack_size(machine, arguments);
	return arguments;
}
