/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_symbols.h"

static const struct pk_elf_section *section_of(const struct pk_elf *elf, const char *name,
					       uint32_t type)
{
	const struct pk_elf_section *s = pk_elf_section(elf, name);

	return s && s->type == type ? s : NULL;
}

bool pk_elf_has_symtab(const struct pk_elf *elf)
{
	return section_of(elf, ".symtab", SHT_SYMTAB);
}

bool pk_elf_has_dynsym(const struct pk_elf *elf)
{
	return section_of(elf, ".dynsym", SHT_DYNSYM);
}

struct loading {
	const struct pk_elf *symbols, *runtime;
	struct pk_symtable *t;
	uint32_t names; /* where this string table begins in t->names */
	uint32_t names_size;
};

static bool is_label(const struct pk_elf_symbol *s)
{
	return s->type == STT_NOTYPE && s->visibility != STV_HIDDEN &&
	       s->visibility != STV_INTERNAL;
}

static bool is_wanted_type(const struct pk_elf_symbol *s)
{
	return s->type == STT_FUNC || s->type == STT_GNU_IFUNC || s->type == STT_OBJECT ||
	       is_label(s);
}

/* By its name, as perf does it. Each symbol asks: a long name must not make that expensive. */
static bool has_labels(const char *section)
{
	enum { LOOKED_AT = 256 };
	const size_t size = strnlen(section, LOOKED_AT);

	return memmem(section, size, "text", 4) || memmem(section, size, "data", 4);
}

/* "$a", "$d.5", "$x": where code of one kind begins, not names of functions. */
static bool is_mapping_symbol(unsigned machine, const char *name)
{
	if (name[0] != '$' || !name[1])
		return false;
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64: return strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
	case EM_RISCV: return strchr("dx", name[1]);
	default: return false;
	}
}

/*
 * The section a symbol is in: of the file with the symbols, unless that is a file of debug
 * information, where sections have lost their place.
 */
static const struct pk_elf_section *home(const struct loading *l, uint32_t index)
{
	size_t count;
	const struct pk_elf_section *s = pk_elf_sections(l->symbols, &count);

	if (index >= count || index >= SHN_LORESERVE || !(s[index].flags & SHF_ALLOC))
		return NULL;
	if (s[index].type != SHT_NOBITS)
		return &s[index];
	s = pk_elf_sections(l->runtime, &count);
	return index < count ? &s[index] : NULL;
}

static uint64_t file_offset(const struct loading *l, const struct pk_elf_section *s, uint64_t value)
{
	uint64_t offset;

	return pk_elf_offset_of(l->runtime, value, &offset) ? offset
							    : value - (s->addr - s->offset);
}

static uint32_t entry_info(const struct pk_elf_symbol *s)
{
	return (s->bind == STB_GLOBAL ? PK_ENTRY_GLOBAL : 0) |
	       (s->bind == STB_WEAK ? PK_ENTRY_WEAK : 0) |
	       (s->type == STT_NOTYPE ? PK_ENTRY_NOTYPE : 0) |
	       (s->type == STT_GNU_IFUNC ? PK_ENTRY_IFUNC : 0);
}

/* False: out of memory. */
static bool take_symbol(struct loading *l, const struct pk_elf_symbol *s)
{
	const unsigned machine = pk_elf_machine(l->symbols);
	const struct pk_elf_section *section;
	uint64_t value = s->value;
	const char *name;

	if (!is_wanted_type(s) || !s->name || s->name >= l->names_size || s->section == SHN_UNDEF ||
	    s->section == SHN_ABS)
		return true;
	name = l->t->names + l->names + s->name;
	if (is_mapping_symbol(machine, name))
		return true;
	section = home(l, s->section);
	if (!section)
		return true;
	if (s->type == STT_NOTYPE && !has_labels(section->name))
		return true;
	if (machine == EM_ARM && (s->type == STT_FUNC || s->type == STT_GNU_IFUNC))
		value &= ~UINT64_C(1); /* Thumb code is marked so */
	return pk_symtable_add(l->t, file_offset(l, section, value), s->size, l->names + s->name,
			       entry_info(s));
}

static bool load_section(struct loading *l, const struct pk_elf_section *section)
{
	const struct pk_elf_section *strings;
	struct pk_elf_records records;
	size_t count;
	char *names;
	bool ok;

	strings = pk_elf_sections(l->symbols, &count);
	if (section->link >= count || strings[section->link].type != SHT_STRTAB)
		return true;
	strings += section->link;
	names = pk_elf_bytes(l->symbols, strings->offset, strings->size);
	if (!names)
		return true;
	ok = pk_symtable_names(l->t, names, strings->size + 1, &l->names);
	free(names);
	l->names_size = (uint32_t)strings->size;
	if (!ok)
		return false;
	records = pk_elf_symbols(l->symbols, section);
	for (size_t i = 0; ok && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(&records, i);

		ok = take_symbol(l, &symbol);
	}
	return ok && pk_symtable_settle(l->t, NULL, NULL);
}

bool pk_elf_load_symbols(const struct pk_elf *symbols, const struct pk_elf *runtime,
			 struct pk_symtable *t)
{
	struct loading l = {.symbols = symbols, .runtime = runtime, .t = t};
	const struct pk_elf_section *symtab = section_of(symbols, ".symtab", SHT_SYMTAB);
	const struct pk_elf_section *dynsym = section_of(symbols, ".dynsym", SHT_DYNSYM);
	bool ok = true;

	if (symtab)
		ok = load_section(&l, symtab);
	/* What .gnu_debugdata has is only what its file's own .dynsym has not. */
	if (pk_elf_is_part(symbols)) {
		l.symbols = runtime;
		dynsym = section_of(runtime, ".dynsym", SHT_DYNSYM);
	}
	if (ok && dynsym)
		ok = load_section(&l, dynsym);
	if (ok && t->count)
		ok = pk_elf_add_plt(runtime, t);
	if (ok)
		ok = pk_symtable_flatten(t, PK_OVERLAP_INNERMOST);
	if (!ok)
		pk_symtable_clear(t);
	return ok;
}
