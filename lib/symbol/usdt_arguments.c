// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe_operand.h"
#include "usdt.h"

/* x86 has constants behind a $ alone: a bare number is an address. */
static bool is_constant(const struct pk_argument *argument, const char *text,
			const struct probe_machine *machine)
{
	return argument->kind != PK_ARGUMENT_VALUE || *text == '$' ||
	       (machine->elf != EM_X86_64 && machine->elf != EM_386);
}

/* [-]SIZE@OPERAND; without a size a word, unsigned. */
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
			return; /* with an f: floating point */
		text = mark + 1;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	argument->size = (uint8_t)size;
	if (!machine || !probe_operand(machine, text, argument) ||
	    !is_constant(argument, text, machine))
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
	for (text += strspn(text, " "); *text && arguments->count < PROBE_ARGUMENTS_MOST;) {
		const size_t size = length_of(text);
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
