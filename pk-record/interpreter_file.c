// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>

#include "interpreter_file.h"

void interpreter_file_symbols(const struct pk_elf *elf, const char *section, unsigned int type,
			      void (*note)(void *arg, const char *name,
					   const struct pk_elf_symbol *symbol),
			      void *arg)
{
	const struct pk_elf_section *sections, *symbols = pk_elf_section(elf, section);
	struct pk_elf_records records;
	size_t count, size;
	char *names;

	sections = pk_elf_sections(elf, &count);
	if (!symbols || symbols->link >= count || sections[symbols->link].size > UINT32_MAX)
		return;
	size = (size_t)sections[symbols->link].size;
	records = pk_elf_symbols(elf, symbols);
	names = records.count ? pk_elf_bytes(elf, sections[symbols->link].offset, size) : NULL;
	for (size_t i = 0; names && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &records, i);

		if (symbol.section != SHN_UNDEF && symbol.type == type && symbol.name < size)
			note(arg, names + symbol.name, &symbol);
	}
	free(names);
}

bool interpreter_file_read(const struct pk_elf *elf, uint64_t address, void *to, size_t size)
{
	uint64_t offset;

	return pk_elf_offset_of(elf, address, &offset) && pk_elf_read(elf, offset, to, size);
}
