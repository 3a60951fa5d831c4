/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/usdt.c lib/event/probe_fetch.c */
/* Reads the probes in an ELF file. If the input is not an ELF file, it is used as a machine and the
 * arguments of a probe. */
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "elf_image.h"
#include "probe_fetch.h"
#include "usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Selects two of the arguments, with types. */
static void check_choice(const struct pk_usdt *usdt, const struct pk_arguments *arguments,
			 struct buffer *text)
{
	struct pk_arguments *chosen = pk_probe_arguments_empty(usdt->machine, usdt->big_endian);
	struct probe_text probe;

	if (!chosen || pk_probe_text_parse(&probe, "some:thing arg2:string first=arg1:x")) {
		free(chosen);
		return;
	}
	if (!pk_probe_arguments_choose(arguments, &probe, chosen)) {
		check_that(chosen->count == 2 && arguments->count >= 2);
		pk_probe_arguments_define(usdt->machine, chosen, &probe, text);
	}
	pk_probe_text_free(&probe);
	free(chosen);
}

static void check_arguments(void *arg, const struct pk_usdt *usdt)
{
	uint32_t stack_size;
	struct pk_arguments *arguments = pk_usdt_arguments(usdt, &stack_size);
	const struct probe_text none = {0};
	struct buffer text = {0};

	(void)arg;
	if (!arguments)
		return;
	check_that(stack_size <= 16384 && stack_size % 8 == 0);
	for (size_t i = 0; i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];
		const uint8_t bytes = argument->size;

		check_that(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
		check_that(argument->kind <= PK_ARGUMENT_MEMORY);
		check_that(argument->kind != PK_ARGUMENT_REGISTER || argument->base < 64);
	}
	/* The definition must not contain a line end, because the kernel would read another
	 * definition after it. */
	pk_probe_arguments_define(usdt->machine, arguments, &none, &text);
	check_choice(usdt, arguments, &text);
	for (size_t i = 0; i < text.size; i++)
		check_that(text.data[i] >= ' ' && text.data[i] <= '~');
	free(text.data);
	free(arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_elf *elf = pk_elf_open_memory(data, size, NULL);
	struct pk_usdt usdt = {.word = 8};
	char *text;

	if (elf)
		pk_usdt_each_of(elf, check_arguments, NULL);
	pk_elf_close(elf);
	if (elf || size < 1)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	usdt.machine = data[0];
	usdt.arguments = text;
	check_arguments(NULL, &usdt);
	free(text);
	return 0;
}
