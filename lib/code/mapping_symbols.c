// SPDX-License-Identifier: BSD-2-Clause
/* Where code of one kind begins and ends, which symbols tell where the bytes themselves do not. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "object_code_internal.h"

static bool has_mappings(const struct pk_elf *elf)
{
	const unsigned machine = pk_elf_machine(elf);

	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV;
}

static int compare(const void *left, const void *right)
{
	const struct pk_mapping *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

static void add(struct pk_machine_code *c, uint64_t at, char kind)
{
	c->mappings[c->mappings_count++] = (struct pk_mapping){at, kind};
}

/* Mapping symbols; or, of 32-bit Arm, functions, whose lowest bit says that they are Thumb code. */
static void take_table(struct pk_machine_code *c, const struct pk_elf *elf,
		       const struct pk_elf_section *table, const char *names, uint64_t names_size,
		       bool functions)
{
	const struct pk_elf_records records = pk_elf_symbols(elf, table);

	c->mappings =
		pk_need(pk_elf_failures(elf), malloc((records.count + 1) * sizeof(*c->mappings)));
	for (size_t i = 0; c->mappings && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(&records, i);
		const char *name = symbol.name < names_size ? names + symbol.name : "";

		if (functions && symbol.type == STT_FUNC && symbol.section != SHN_UNDEF)
			add(c, symbol.value & ~UINT64_C(1), symbol.value & 1 ? 't' : 'a');
		else if (!functions && symbol.type == STT_NOTYPE && name[0] == '$' && name[1] &&
			 strchr("adtx", name[1]))
			add(c, symbol.value, name[1]);
	}
	if (c->mappings_count)
		qsort(c->mappings, c->mappings_count, sizeof(*c->mappings), compare);
}

static void read_mappings(struct pk_machine_code *c, const struct pk_elf *elf, const char *name,
			  bool functions)
{
	const struct pk_elf_section *table = pk_elf_section(elf, name), *sections;
	size_t count;
	char *names;

	sections = pk_elf_sections(elf, &count);
	if (c->mappings_count || !table ||
	    (table->type != SHT_SYMTAB && table->type != SHT_DYNSYM) || table->link >= count ||
	    sections[table->link].type != SHT_STRTAB)
		return;
	free(c->mappings);
	c->mappings = NULL;
	names = pk_elf_bytes(elf, sections[table->link].offset, sections[table->link].size);
	if (names)
		take_table(c, elf, table, names, sections[table->link].size, functions);
	free(names);
}

/* The file's own symbols, or those that were stripped from it. */
static void find_mappings(struct pk_machine_code *c)
{
	struct pk_object *o = c->object;
	struct pk_search search;
	struct pk_found found = {0};

	c->mappings_read = true;
	if (!c->elf || !has_mappings(c->elf))
		return;
	read_mappings(c, c->elf, ".symtab", false);
	if (!c->mappings_count && o->kind == PK_KIND_FILE && !pk_is_vdso(o->path)) {
		search = pk_object_search(o);
		pk_search_file(&search, &found);
		if (found.symbols && found.symbols != found.runtime)
			read_mappings(c, found.symbols, ".symtab", false);
		pk_found_release(&found);
	}
	if (pk_elf_machine(c->elf) != EM_ARM)
		return;
	read_mappings(c, c->elf, ".symtab", true);
	read_mappings(c, c->elf, ".dynsym", true);
}

char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end)
{
	size_t low = 0, high;

	if (!c->mappings_read)
		find_mappings(c);
	for (high = c->mappings_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->mappings[middle].at <= shown)
			low = middle + 1;
		else
			high = middle;
	}
	*end = low < c->mappings_count ? c->mappings[low].at : UINT64_MAX;
	return low ? c->mappings[low - 1].kind : 0;
}
