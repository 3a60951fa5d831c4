// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "gopclntab.h"
#include "pkstream.h"

/* https://go.dev/s/go12symtab, and debug/gosym of later versions. The header: magic, two zeros, the
 * quantum of instructions, the size of a pointer, then pointer-sized numbers. */
enum table_layout { GO_1_2, GO_1_16, GO_1_18, UNKNOWN };

struct functions {
	const struct pk_go_table *go;
	enum table_layout layout;
	unsigned word;	     /* size of a pointer */
	unsigned entry;	     /* size of a number in the table of functions */
	uint64_t count;	     /* of functions */
	uint64_t start;	     /* added to their addresses */
	uint64_t table;	     /* offset of pairs (address, offset of the function's data) */
	uint64_t data;	     /* added to the offset of a function's data */
	uint64_t names;	     /* offset of the names */
	uint64_t names_size; /* bytes, at most up to the end */
};

/* A number at an offset, which must be inside. */
static uint64_t number_at(const struct pk_go_table *go, uint64_t at, unsigned size)
{
	if (size == 4) {
		const uint32_t value = pk_load_u32(go->bytes + at);

		return go->swapped ? __builtin_bswap32(value) : value;
	}
	return go->swapped ? __builtin_bswap64(pk_load_u64(go->bytes + at))
			   : pk_load_u64(go->bytes + at);
}

static bool is_inside(const struct pk_go_table *go, uint64_t at, uint64_t size)
{
	return at <= go->size && size <= go->size - at;
}

static enum table_layout layout_of(const struct pk_go_table *go)
{
	switch (number_at(go, 0, 4)) {
	case 0xfffffffb: return GO_1_2;
	case 0xfffffffa: return GO_1_16;
	case 0xfffffff0: /* Go 1.18 */
	case 0xfffffff1: /* Go 1.20 */ return GO_1_18;
	default: return UNKNOWN;
	}
}

/* Number i of the header. */
static uint64_t header(const struct functions *f, unsigned i)
{
	return number_at(f->go, 8 + (uint64_t)i * f->word, f->word);
}

static void read_positions(struct functions *f)
{
	f->count = header(f, 0);
	f->entry = f->word;
	switch (f->layout) {
	case GO_1_2: f->table = 8 + f->word; break;
	case GO_1_16:
		f->names = header(f, 2);
		f->names_size = header(f, 3) - f->names;
		f->table = f->data = header(f, 6);
		break;
	case GO_1_18:
		f->start = header(f, 2) ? header(f, 2) : f->go->start;
		f->names = header(f, 3);
		f->names_size = header(f, 4) - f->names;
		f->table = f->data = header(f, 7);
		f->entry = 4;
		break;
	case UNKNOWN: break;
	}
}

/* False: not a table, or damaged. */
static bool read_header(const struct pk_go_table *go, struct functions *f)
{
	enum { NUMBERS = 8 };

	if (go->size < 8 + NUMBERS * 8 || go->bytes[4] || go->bytes[5])
		return false;
	*f = (struct functions){.go = go, .layout = layout_of(go), .word = go->bytes[7]};
	if (f->layout == UNKNOWN || (f->word != 4 && f->word != 8))
		return false;
	read_positions(f);
	if (f->layout == GO_1_2)
		f->names_size = go->size;
	return is_inside(go, f->names, f->names_size) && f->names_size && f->table <= go->size &&
	       f->count < (go->size - f->table) / (2 * f->entry);
}

static uint64_t address_of(const struct functions *f, uint64_t i)
{
	return f->start + number_at(f->go, f->table + 2 * i * f->entry, f->entry);
}

/* The offset of the function's name in names. False: damaged. */
static bool name_of(const struct functions *f, uint64_t i, uint32_t *name)
{
	const unsigned address_size = f->layout == GO_1_18 ? 4 : f->word;
	uint64_t at = number_at(f->go, f->table + (2 * i + 1) * f->entry, f->entry);

	if (at > f->go->size || f->data > f->go->size)
		return false;
	at += f->data + address_size;
	if (!is_inside(f->go, at, 4))
		return false;
	*name = (uint32_t)number_at(f->go, at, 4);
	return *name < f->names_size && f->go->bytes[f->names + *name];
}

bool pk_go_table_load(const struct pk_go_table *go, struct pk_symtable *t,
		      bool (*to_offset)(const void *arg, uint64_t address, uint64_t *offset),
		      const void *arg)
{
	uint32_t names, name;
	struct functions f;
	uint64_t offset;
	char *room;

	if (!read_header(go, &f))
		return true;
	room = f.names_size < UINT32_MAX ? pk_symtable_names_room(t, f.names_size + 1, &names)
					 : NULL;
	if (!room || !pk_symtable_reserve(t, f.count))
		return false;
	memcpy(room, go->bytes + f.names, f.names_size);
	room[f.names_size] = 0;
	for (uint64_t i = 0; i < f.count; i++) {
		const uint64_t start = address_of(&f, i), end = address_of(&f, i + 1);

		if (end < start)
			break;
		if (end == start || !name_of(&f, i, &name) || !to_offset(arg, start, &offset))
			continue;
		if (!pk_symtable_add(t, offset, end - start, names + name,
				     PK_ENTRY_GLOBAL | PK_ENTRY_PLAIN))
			return false;
	}
	return true;
}

/* ---- Files ---- */

static const struct pk_elf_section *section_of(const struct pk_elf *elf)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".gopclntab");

	return section ? section : pk_elf_section(elf, ".data.rel.ro.gopclntab");
}

bool pk_elf_has_go_table(const struct pk_elf *elf)
{
	return section_of(elf);
}

/* In a position-independent program, the address of the first function is in a relocation. */
static uint64_t relocated(const struct pk_elf *elf, uint64_t address)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".rela.dyn");
	const struct pk_elf_section *text = pk_elf_section(elf, ".text");
	struct pk_elf_relocation relocation;
	struct pk_elf_records records;

	if (!section)
		section = pk_elf_section(elf, ".rela");
	if (!section)
		return text ? text->addr : 0;
	records = pk_elf_relocations(elf, section);
	for (size_t i = 0; i < records.count; i++) {
		relocation = pk_elf_relocation(&records, i);
		if (relocation.offset == address)
			return (uint64_t)relocation.addend;
	}
	return text ? text->addr : 0;
}

static bool file_offset(const void *arg, uint64_t address, uint64_t *offset)
{
	return pk_elf_offset_of(arg, address, offset);
}

bool pk_elf_add_go_functions(const struct pk_elf *elf, struct pk_symtable *t)
{
	const struct pk_elf_section *section = section_of(elf);
	struct pk_go_table go = {.swapped = pk_elf_swapped(elf)};
	uint8_t *bytes;
	bool ok;

	bytes = section ? pk_elf_bytes(elf, section->offset, section->size) : NULL;
	if (!bytes)
		return true;
	go.bytes = bytes;
	go.size = section->size;
	go.start = relocated(elf, section->addr + 8 + 2 * (pk_elf_is_64(elf) ? 8 : 4));
	ok = pk_go_table_load(&go, t, file_offset, elf) && pk_symtable_settle(t, NULL, NULL);
	free(bytes);
	return ok;
}
