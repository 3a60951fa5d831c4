// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "vmlinux.h"

struct symbols {
	struct pk_elf_records records;
	char *names;
	uint64_t names_size;
};

static bool open_symbols(const struct pk_elf *elf, struct symbols *s)
{
	const struct pk_elf_section *table = pk_elf_section(elf, ".symtab"), *sections;
	size_t count;

	sections = pk_elf_sections(elf, &count);
	if (!table || table->type != SHT_SYMTAB || table->link >= count ||
	    sections[table->link].type != SHT_STRTAB)
		return false;
	s->names_size = sections[table->link].size;
	s->names = pk_elf_bytes(elf, sections[table->link].offset, s->names_size);
	s->records = pk_elf_symbols(elf, table);
	return s->names;
}

bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value)
{
	struct symbols s;
	bool found = false;

	if (!open_symbols(elf, &s))
		return false;
	for (size_t i = 0; i < s.records.count && !found; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(&s.records, i);

		found = symbol.name < s.names_size && !strcmp(s.names + symbol.name, name);
		if (found)
			*value = symbol.value;
	}
	free(s.names);
	return found;
}

/* Code, and labels in it. */
static bool is_wanted(const struct pk_elf *elf, const struct pk_elf_symbol *symbol)
{
	size_t count;
	const struct pk_elf_section *sections = pk_elf_sections(elf, &count);

	return (symbol->type == STT_FUNC || symbol->type == STT_NOTYPE) &&
	       symbol->section < count && sections[symbol->section].flags & SHF_EXECINSTR;
}

static uint32_t info_of(const struct pk_elf_symbol *symbol)
{
	return (symbol->bind == STB_GLOBAL ? PK_ENTRY_GLOBAL : 0) |
	       (symbol->bind == STB_WEAK ? PK_ENTRY_WEAK : 0) |
	       (symbol->type == STT_NOTYPE ? PK_ENTRY_NOTYPE : 0);
}

bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf)
{
	struct symbols s;
	uint32_t names;
	bool ok;

	*k = (struct pk_kallsyms){.table.failures = k->table.failures};
	if (!open_symbols(elf, &s))
		return true;
	ok = pk_symtable_names(&k->table, s.names, s.names_size + 1, &names);
	for (size_t i = 0; ok && i < s.records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(&s.records, i);

		if (symbol.name < s.names_size && s.names[symbol.name] && is_wanted(elf, &symbol))
			ok = pk_symtable_add(&k->table, symbol.value, symbol.size,
					     names + symbol.name, info_of(&symbol));
	}
	free(s.names);
	ok = ok && pk_symtable_settle(&k->table, NULL, NULL) &&
	     pk_symtable_flatten(&k->table, PK_OVERLAP_INNERMOST);
	if (!ok) {
		pk_kallsyms_clear(k);
		return false;
	}
	for (size_t i = 0; i < PK_KALLSYMS_REFERENCES; i++)
		if (!pk_vmlinux_symbol(elf, pk_kallsyms_reference_name(i), &k->references[i]))
			k->references[i] = 0;
	return true;
}
