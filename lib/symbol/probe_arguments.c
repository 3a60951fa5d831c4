// SPDX-License-Identifier: BSD-2-Clause
/* Arguments as perf-probe(1) has them: [NAME=]%REGISTER|$retval|$argN|OFFSET(%REGISTER)[:TYPE] */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf_image.h"
#include "probe_operand.h"
#include "usdt.h"

/* u8 to u64, s and x likewise. */
static bool set_type(struct pk_argument *argument, const char *text)
{
	uint64_t bits;

	argument->size = 8;
	if (!text)
		return true;
	argument->flags = *text == 's' ? PK_ARGUMENT_SIGNED : 0;
	if (!*text || !strchr("usx", *text) || !isdigit((unsigned char)text[1]))
		return false;
	bits = strtoull(text + 1, NULL, 10);
	argument->size = (uint8_t)(bits / 8);
	return (bits == 8 || bits == 16 || bits == 32 || bits == 64) &&
	       strlen(text) == (bits == 8 ? 2u : 3u);
}

static bool set_place(const struct probe_machine *machine, const char *text,
		      struct pk_argument *argument)
{
	unsigned long number;
	char *end;

	argument->base = argument->index = PK_ARGUMENT_NO_REGISTER;
	argument->kind = PK_ARGUMENT_REGISTER;
	if (!strcmp(text, "$retval")) {
		argument->base = machine->result;
		return true;
	}
	if (!strncmp(text, "$arg", 4)) {
		number = strtoul(text + 4, &end, 10);
		if (*end || !number || number > machine->arguments_count)
			return false;
		argument->base = machine->arguments[number - 1];
		return true;
	}
	return (*text == '%' || *text == '+' || *text == '-') &&
	       probe_operand(machine, text, argument) && argument->kind != PK_ARGUMENT_VALUE;
}

/* Names are those of C, which expressions can tell. */
static bool set_name(struct pk_argument *argument, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	if (!size || size >= sizeof(argument->name) || isdigit((unsigned char)*text))
		return false;
	memcpy(argument->name, text, size);
	return true;
}

static bool read_probe_argument(const struct probe_machine *machine, char *word, size_t index,
				struct pk_argument *argument)
{
	char *place = strchr(word, '='), *type, name[16];

	snprintf(name, sizeof(name), "arg%zu", index + 1);
	if (place)
		*place++ = 0;
	else
		place = word;
	type = strchr(place, ':');
	if (type)
		*type++ = 0;
	return set_name(argument, place == word ? name : word,
			strlen(place == word ? name : word)) &&
	       set_type(argument, type) && set_place(machine, place, argument);
}

static bool read_words(const struct probe_machine *machine, char *text,
		       struct pk_arguments *arguments)
{
	char *word;

	while ((word = strsep(&text, " "))) {
		if (!*word)
			continue;
		if (arguments->count == PROBE_ARGUMENTS_MOST ||
		    !read_probe_argument(machine, word, arguments->count,
					 &arguments->items[arguments->count]))
			return false;
		arguments->count++;
	}
	return true;
}

struct pk_arguments *pk_probe_arguments(const struct pk_elf *elf, const char *text,
					uint32_t *stack_size)
{
	const struct probe_machine *machine = probe_machine(pk_elf_machine(elf));
	const bool big = pk_elf_swapped(elf) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct pk_arguments *arguments = machine ? probe_arguments_new(machine, big) : NULL;
	char *copy = strdup(text);

	if (arguments && copy && read_words(machine, copy, arguments)) {
		*stack_size = probe_stack_size(machine, arguments);
	} else {
		free(arguments);
		arguments = NULL;
	}
	free(copy);
	return arguments;
}

struct pk_arguments *pk_probe_arguments_of(const char *path, const char *text, uint32_t *stack_size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pk_elf *elf = fd < 0 ? NULL : pk_elf_open(fd, path, NULL);
	struct pk_arguments *arguments = elf ? pk_probe_arguments(elf, text, stack_size) : NULL;

	pk_elf_close(elf);
	return arguments;
}
