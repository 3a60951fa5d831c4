// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "eh_frame.h"
#include "elf_symbols.h"
#include "gopclntab.h"
#include "machine.h"
#include "range.h"

/* ---- String tables ---- */

/* A string table of a file that was copied to the names of the symbol table. */
struct string_table {
	const struct pk_elf *elf;
	uint64_t offset;      /* offset of the table in the file */
	uint32_t start, size; /* `size` is 0 if the table is not completely in the file, or cannot
			       * be read */
	bool no_memory;
};

/* If the section is the table that was copied last, the table is not copied again. This happens
 * often, because .dynsym and the relocations share one string table. */
static void read_strings(const struct pk_elf *elf, const struct pk_elf_section *s,
			 struct pk_symtable *t, struct string_table *table)
{
	char *room;

	if (table->size && table->elf == elf && table->offset == s->offset &&
	    table->size == s->size)
		return;
	*table = (struct string_table){.elf = elf, .offset = s->offset};
	if (s->offset > pk_elf_size(elf) || s->size > pk_elf_size(elf) - s->offset)
		return;
	room = pk_symtable_names_room(t, s->size + 1, &table->start);
	if (!room) {
		table->no_memory = true;
		return;
	}
	if (pk_elf_read(elf, s->offset, room, s->size))
		table->size = (uint32_t)s->size;
	room[table->size] = '\0';
}

/* ---- PLT entries ---- */

/* Adds symbols for entries of the procedure linkage table (PLT), because these entries have no
 * symbols. An entry jumps through a table of addresses. The function that it calls is found in the
 * relocations of this table. The layouts are from perf's symbol-elf.c and from the sources of
 * linkers. */

#ifndef R_RISCV_IRELATIVE
#define R_RISCV_IRELATIVE 58
#endif

/* The state while symbols for PLT entries are added. */
struct plt {
	const struct pk_elf *elf;
	struct pk_symtable *t;
	struct string_table *strings; /* the table that was copied last */
	size_t settled; /* number of symbols in `t` that are sorted; the symbols added later follow
			 * them */
	uint32_t no_name; /* offset of "" in t->names */
	bool no_memory;
};

/* Relocations, with the symbols that they refer to. */
struct relocs {
	struct pk_elf_relocation *list;
	size_t count;
	struct pk_elf_records symbols;
	uint32_t names, names_size; /* string table of the symbols: where its copy is in t->names,
				     * and its size */
};

static bool is_x86(const struct plt *p)
{
	return pk_elf_machine(p->elf) == EM_386 || pk_elf_machine(p->elf) == EM_X86_64;
}

static int by_offset(const void *a, const void *b)
{
	const struct pk_elf_relocation *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void read_names(struct plt *p, struct relocs *r, const struct pk_elf_section *strings)
{
	read_strings(p->elf, strings, p->t, p->strings);
	r->names = p->strings->start;
	r->names_size = p->strings->size;
	p->no_memory |= p->strings->no_memory;
}

/* Reads the relocations of a section. If `slots` is not NULL, reads only the relocations that have
 * a symbol and change an address in this range. The result is empty if `section` is NULL or has
 * another type. */
static struct relocs read_relocs(struct plt *p, const struct pk_elf_section *section,
				 const struct pk_range *slots)
{
	struct relocs r = {0};
	const struct pk_elf_section *sections;
	struct pk_elf_records records;
	bool any_symbol = false;
	size_t count;

	if (!section || (section->type != SHT_RELA && section->type != SHT_REL))
		return r;
	records = pk_elf_relocations(p->elf, section);
	r.list = pk_need(p->t->failures, malloc((records.count + 1) * sizeof(*r.list)));
	if (!r.list) {
		p->no_memory = true;
		return r;
	}
	for (size_t i = 0; i < records.count; i++) {
		const struct pk_elf_relocation reloc = pk_elf_relocation(&records, i);

		if (slots && (!reloc.symbol || !pk_range_has(slots, reloc.offset)))
			continue;
		any_symbol |= reloc.symbol;
		r.list[r.count++] = reloc;
	}
	sections = pk_elf_sections(p->elf, &count);
	if (any_symbol && section->link < count && sections[section->link].link < count) {
		r.symbols = pk_elf_symbols(p->elf, &sections[section->link]);
		read_names(p, &r, &sections[sections[section->link].link]);
	}
	return r;
}

static uint32_t reloc_name(const struct plt *p, const struct relocs *r,
			   const struct pk_elf_relocation *reloc)
{
	struct pk_elf_symbol symbol;

	if (!reloc->symbol || reloc->symbol >= r->symbols.count)
		return p->no_name;
	symbol = pk_elf_symbol(p->elf, &r->symbols, reloc->symbol);
	return symbol.name < r->names_size ? r->names + symbol.name : p->no_name;
}

static bool is_ifunc_relocation(const struct plt *p, uint32_t type)
{
	switch (pk_elf_machine(p->elf)) {
	case EM_X86_64: return type == R_X86_64_IRELATIVE;
	case EM_AARCH64: return type == R_AARCH64_IRELATIVE;
	case EM_S390: return type == R_390_IRELATIVE;
	case EM_RISCV: return type == R_RISCV_IRELATIVE;
	default: return false;
	}
}

/* In a static program, an IFUNC selects the function that an entry calls. Such an entry gets the
 * name of the IFUNC. */
static uint32_t ifunc_name(const struct plt *p, const struct pk_elf_relocation *reloc)
{
	const struct pk_symtable settled = {.entries = p->t->entries, .count = p->settled};
	const struct pk_symtable_entry *e;
	uint64_t offset;

	if (!is_ifunc_relocation(p, reloc->type) ||
	    !pk_elf_offset_of(p->elf, reloc->addend, &offset))
		return p->no_name;
	e = pk_symtable_find(&settled, offset);
	return e && e->at == offset && e->info & PK_ENTRY_IFUNC ? e->name : p->no_name;
}

static void add_stub(struct plt *p, uint64_t offset, uint64_t size, uint32_t name, uint32_t info)
{
	if (pk_symtable_add(p->t, offset, size, name, info | PK_ENTRY_GLOBAL) != PK_OK)
		p->no_memory = true;
}

struct sizes {
	uint64_t header, entry;
};

static struct sizes plt_sizes(const struct pk_elf *elf, const struct pk_elf_section *plt)
{
	struct sizes x86 = {plt->entsize, plt->entsize};

	switch (pk_elf_machine(elf)) {
	case EM_ARM: return (struct sizes){20, 12};
	case EM_S390: return (struct sizes){32, 32};
	case EM_RISCV: return (struct sizes){32, 16};
	case EM_AARCH64:
	case EM_LOONGARCH: return (struct sizes){32, 16};
	case EM_SPARC: return (struct sizes){48, 12};
	case EM_SPARCV9: return (struct sizes){128, 32};
	case EM_386:
	case EM_X86_64:
		if (plt->entsize != 8 && plt->entsize != 16)
			x86.entry = x86.header = plt->align == 8 ? 8 : 16;
		return x86;
	default: return (struct sizes){plt->entsize, plt->entsize};
	}
}

/* Returns the distance from the start of an x86-64 PLT entry to the GOT slot that the entry jumps
 * through. An entry consists of an optional endbr64, an optional bnd prefix, and jmp *disp(%rip).
 * Returns 0 if the bytes are not such an entry. */
static uint32_t jump_displacement(const uint8_t *entry, size_t size)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint32_t displacement = 0;
	size_t n = 0;

	if (size >= sizeof(endbr64) && !memcmp(entry, endbr64, sizeof(endbr64)))
		n += sizeof(endbr64);
	if (n < size && entry[n] == 0xf2)
		n++;
	if (size < n + 6 || entry[n] != 0xff || entry[n + 1] != 0x25)
		return 0;
	for (size_t i = 0; i < 4; i++)
		displacement |= (uint32_t)entry[n + 2 + i] << (8 * i);
	return displacement + (uint32_t)n + 6;
}

/* Returns the range of the addresses that the entries of a section jump through. */
static struct pk_range slots_of(const struct pk_elf_section *got, const uint8_t *code)
{
	struct pk_range slots = {UINT64_MAX, 0};

	for (uint64_t i = 0; i < got->size; i += got->entsize) {
		const uint32_t displacement = jump_displacement(code + i, got->size - i);
		const uint64_t slot = got->addr + i + displacement;

		if (displacement && slot < slots.from)
			slots.from = slot;
		if (displacement && slot >= slots.to)
			slots.to = slot + 1;
		if (got->entsize > got->size - i)
			break;
	}
	return slots.from < slots.to ? slots : (struct pk_range){0};
}

static void add_plt_got(struct plt *p)
{
	const struct pk_elf_section *got = pk_elf_section(p->elf, ".plt.got");
	struct relocs r = {0};
	struct pk_range slots;
	uint8_t *code;

	if (!got || got->entsize < 8)
		return;
	code = pk_elf_bytes(p->elf, got->offset, got->size);
	if (!code)
		return;
	slots = slots_of(got, code);
	if (pk_elf_machine(p->elf) == EM_X86_64 && slots.to)
		r = read_relocs(p, pk_elf_section(p->elf, ".rela.dyn"), &slots);
	if (r.count)
		qsort(r.list, r.count, sizeof(*r.list), by_offset);
	for (uint64_t i = 0; i < got->size && !p->no_memory; i += got->entsize) {
		const uint32_t displacement = jump_displacement(code + i, got->size - i);
		const struct pk_elf_relocation key = {.offset = got->addr + i + displacement};
		const struct pk_elf_relocation *found = NULL;

		if (displacement && r.count)
			found = bsearch(&key, r.list, r.count, sizeof(key), by_offset);
		add_stub(p, got->offset + i, got->entsize,
			 found ? reloc_name(p, &r, found) : p->no_name, PK_ENTRY_PLT);
		if (got->entsize > got->size - i)
			break;
	}
	free(r.list);
	free(code);
}

static void add_entries(struct plt *p, const struct relocs *r, uint64_t offset, uint64_t size,
			uint64_t end)
{
	for (size_t i = 0; i < r->count && offset < end && !p->no_memory; i++) {
		uint32_t name = reloc_name(p, r, &r->list[i]);

		if (name == p->no_name || !p->t->names[name])
			name = ifunc_name(p, &r->list[i]);
		add_stub(p, offset, size, name, PK_ENTRY_PLT);
		offset += size;
	}
}

/* Cuts the symbol before the PLT at the start of the PLT. If the size of this symbol was unknown,
 * the symbol extended to the next one. */
static void cut_symbol_before(struct pk_symtable *t, uint64_t offset)
{
	struct pk_symtable_entry *e = pk_symtable_find(t, offset);

	if (e && e->at < offset)
		e->size = (uint32_t)(offset - e->at);
}

static void add_tables(struct plt *p, const struct pk_elf_section *plt, uint32_t plt_name)
{
	const struct pk_elf_section *sec = is_x86(p) ? pk_elf_section(p->elf, ".plt.sec") : NULL;
	const struct pk_elf_section *section = pk_elf_section(p->elf, ".rela.plt");
	const struct pk_elf_section *table = sec ? sec : plt;
	const struct sizes lazy = plt_sizes(p->elf, plt), sizes = plt_sizes(p->elf, table);
	uint64_t header = lazy.header;
	struct relocs r;

	if (!lazy.entry || !sizes.entry)
		return;
	r = read_relocs(p, section ? section : pk_elf_section(p->elf, ".rel.plt"), NULL);
	if (is_x86(p) && r.count)
		qsort(r.list, r.count, sizeof(*r.list), by_offset);
	if (sec)
		header = plt->size; /* the entries are in .plt.sec, and .plt has only the code for
				     * lazy binding, which is not an entry */
	else if (r.count == plt->size / sizes.entry && r.count * sizes.entry == plt->size)
		header = 0; /* without lazy binding, .plt has one entry for each relocation, and no
			     * header */
	cut_symbol_before(p->t, plt->offset);
	add_entries(p, &r, table->offset + (sec ? 0 : header), sizes.entry,
		    table->offset + table->size);
	if (header)
		add_stub(p, plt->offset, header, plt_name, 0);
	free(r.list);
}

/* Adds symbols "NAME@plt". The table must be settled, but not flattened. */
static enum pk_status pk_elf_add_plt(const struct pk_elf *runtime, struct pk_symtable *t,
				     struct string_table *strings)
{
	const struct pk_elf_section *plt = pk_elf_section(runtime, ".plt");
	struct plt p = {.elf = runtime, .t = t, .strings = strings, .settled = t->count};
	uint32_t plt_name;

	/* On 64-bit PowerPC, .plt is a table of addresses. The code that jumps through this table
	 * is in .text, and it has symbols: NUMBER.plt_call.NAME. */
	if (!plt || plt->type == SHT_NOBITS || !(plt->flags & SHF_EXECINSTR))
		return PK_OK;
	PK_TRY(pk_symtable_names(t, "", 1, &p.no_name));
	PK_TRY(pk_symtable_names(t, ".plt", sizeof(".plt"), &plt_name));
	add_tables(&p, plt, plt_name);
	if (is_x86(&p))
		add_plt_got(&p);
	return p.no_memory ? PK_NOMEM : PK_OK;
}

/* ---- Symbols ---- */

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

/* The state of pk_elf_load_symbols(). */
struct loading {
	const struct pk_elf *symbols, *runtime;
	struct pk_symtable *t;
	uint32_t names; /* start of the current string table in t->names */
	uint32_t names_size;
	struct string_table *
		strings; /* the string table that was copied last, for symbols or for relocations */
	bool limited; /* Most symbols are missing, so a symbol without a size does not extend to the
		       * next symbol. */
	struct pk_eh_sizes sizes; /* opened when it is first needed */
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

/* Returns whether labels in a section are functions. As in perf, the name of the section decides.
 * Only the start of the name is read, because this is called for each symbol, and a long name must
 * not take long. */
static bool has_labels(const char *section)
{
	enum { LOOKED_AT = 256 };
	const size_t size = strnlen(section, LOOKED_AT);

	return memmem(section, size, "text", 4) || memmem(section, size, "data", 4);
}

/* Returns whether a symbol such as "$a", "$d.5" or "$x" marks a kind of code. These are not names
 * of functions. For machines without such symbols, the name is not read, because the names of a
 * file are on many pages. */
static bool is_mapping_symbol(unsigned machine, const char *name)
{
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
		       (!name[2] || name[2] == '.');
	case EM_RISCV: return name[0] == '$' && name[1] && strchr("dx", name[1]);
	default: return false;
	}
}

/* Returns the section of a symbol, from the file that contains the symbol. Sections of a file with
 * only debugging information can have no content. In that case, returns the section of the mapped
 * file. Returns NULL if the section is not loaded into memory. */
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

static uint32_t entry_info(const struct pk_elf_symbol *s, const struct pk_elf_section *section)
{
	return (s->bind == STB_GLOBAL ? PK_ENTRY_GLOBAL : 0) |
	       (s->bind == STB_WEAK ? PK_ENTRY_WEAK : 0) |
	       (s->type == STT_NOTYPE ? PK_ENTRY_NOTYPE : 0) |
	       (s->type == STT_GNU_IFUNC ? PK_ENTRY_IFUNC : 0) |
	       (section->flags & SHF_EXECINSTR ? 0 : PK_ENTRY_DATA);
}

/* Returns the greatest size of a symbol without a size. It is the size in the call frame
 * information, or 1 byte if there is none. */
static uint64_t limit_of(struct loading *l, uint64_t value)
{
	uint64_t size;

	if (!l->sizes.elf)
		pk_eh_sizes_open(&l->sizes, l->runtime);
	size = pk_eh_size(&l->sizes, value);
	return size ? size : 1;
}

static enum pk_status add_symbol(struct loading *l, const struct pk_elf_symbol *s, uint64_t value,
				 const struct pk_elf_section *section)
{
	const size_t count = l->t->count;

	PK_TRY(pk_symtable_add(l->t, file_offset(l, section, value), s->size, l->names + s->name,
			       entry_info(s, section)));
	if (!s->size && l->limited && l->t->count > count)
		pk_symtable_limit(l->t, limit_of(l, value));
	return PK_OK;
}

static enum pk_status load_symbol(struct loading *l, const struct pk_elf_symbol *s)
{
	const unsigned machine = pk_elf_machine(l->symbols);
	const struct pk_elf_section *section;
	uint64_t value = s->value;
	const char *name;

	if (!is_wanted_type(s) || !s->name || s->name >= l->names_size || s->section == SHN_UNDEF ||
	    s->section == SHN_ABS)
		return PK_OK;
	name = l->t->names + l->names + s->name;
	if (is_mapping_symbol(machine, name))
		return PK_OK;
	section = home(l, s->section);
	if (!section || (pk_elf_relocatable(l->symbols) && section->addr >= PK_ELF_OUTSIDE))
		return PK_OK;
	if (s->type == STT_NOTYPE && !has_labels(section->name))
		return PK_OK;
	if (machine == EM_ARM && (s->type == STT_FUNC || s->type == STT_GNU_IFUNC))
		value &= ~UINT64_C(1); /* bit 0 marks Thumb code */
	return add_symbol(l, s, value, section);
}

static enum pk_status load_section(struct loading *l, const struct pk_elf_section *section)
{
	const struct pk_elf_section *strings;
	struct pk_elf_records records;
	size_t count;
	enum pk_status status;

	strings = pk_elf_sections(l->symbols, &count);
	if (section->link >= count || strings[section->link].type != SHT_STRTAB)
		return PK_OK;
	read_strings(l->symbols, &strings[section->link], l->t, l->strings);
	l->names = l->strings->start;
	l->names_size = l->strings->size;
	if (l->strings->no_memory)
		return PK_NOMEM;
	records = pk_elf_symbols(l->symbols, section);
	status = pk_symtable_reserve(l->t, records.count);
	for (size_t i = 0; status == PK_OK && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(l->symbols, &records, i);

		status = load_symbol(l, &symbol);
	}
	PK_TRY(status);
	return pk_symtable_settle(l->t);
}

enum pk_status pk_elf_load_symbols(const struct pk_elf *symbols, const struct pk_elf *runtime,
				   struct pk_symtable *t)
{
	struct string_table strings = {0};
	struct loading l = {.symbols = symbols, .runtime = runtime, .t = t, .strings = &strings};
	const struct pk_elf_section *symtab = section_of(symbols, ".symtab", SHT_SYMTAB);
	const struct pk_elf_section *dynsym = section_of(symbols, ".dynsym", SHT_DYNSYM);
	enum pk_status status = PK_OK;

	if (symtab)
		status = load_section(&l, symtab);
	/* .gnu_debugdata contains only symbols that are not in .dynsym of the mapped file, so
	 * .dynsym is read, too. */
	if (pk_elf_is_part(symbols)) {
		l.symbols = runtime;
		dynsym = section_of(runtime, ".dynsym", SHT_DYNSYM);
	}
	l.limited = !symtab;
	if (status == PK_OK && dynsym)
		status = load_section(&l, dynsym);
	pk_eh_sizes_close(&l.sizes);
	if (status == PK_OK && !symtab)
		status = pk_elf_add_go_functions(runtime, t);
	if (status == PK_OK && t->count)
		status = pk_elf_add_plt(runtime, t, &strings);
	if (status == PK_OK && !t->all_names)
		status = pk_symtable_flatten(t, PK_OVERLAP_INNERMOST);
	if (status != PK_OK)
		pk_symtable_clear(t);
	return status;
}
