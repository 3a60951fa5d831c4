// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <string.h>

#include "go_stack_switch.h"

#define NAME "runtime.asmcgocall"

static void note_function(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct pk_cfi_code *code = arg;

	if (!strcmp(name, NAME ".abi0") || (!code->size && !strcmp(name, NAME)))
		*code = (struct pk_cfi_code){symbol->value, symbol->size};
}

struct pk_cfi_code pk_go_stack_switch(const struct pk_elf *elf)
{
	struct pk_cfi_code code = {0};

	if (pk_elf_section(elf, ".gopclntab") || pk_elf_section(elf, ".data.rel.ro.gopclntab"))
		pk_elf_each_symbol(elf, ".symtab", STT_FUNC, note_function, &code);
	return code;
}
