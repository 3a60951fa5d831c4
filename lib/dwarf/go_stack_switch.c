// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "go_stack_switch.h"

#define NAME "runtime.asmcgocall"

struct pk_cfi_code pk_go_stack_switch(const struct pk_elf *elf)
{
	const struct pk_elf_section *sections, *table = pk_elf_section(elf, ".symtab");
	struct pk_cfi_code code = {0};
	struct pk_elf_records records;
	size_t count, size;
	char *names;

	sections = pk_elf_sections(elf, &count);
	if (!table || table->link >= count || sections[table->link].size > UINT32_MAX ||
	    (!pk_elf_section(elf, ".gopclntab") && !pk_elf_section(elf, ".data.rel.ro.gopclntab")))
		return code;
	size = (size_t)sections[table->link].size;
	records = pk_elf_symbols(elf, table);
	names = records.count ? pk_elf_bytes(elf, sections[table->link].offset, size) : NULL;
	if (names && size && names[size - 1])
		size = 0; /* the last name has no end */
	for (size_t i = 0; names && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &records, i);

		if (symbol.section == SHN_UNDEF || symbol.type != STT_FUNC || symbol.name >= size)
			continue;
		if (!strcmp(names + symbol.name, NAME ".abi0") ||
		    (!code.size && !strcmp(names + symbol.name, NAME)))
			code = (struct pk_cfi_code){symbol.value, symbol.size};
	}
	free(names);
	return code;
}
