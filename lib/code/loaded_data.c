/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "loaded_data.h"
#include "object.h"
#include "vector.h"

struct slot {
	uint64_t address, value, size;
	uint32_t name; /* offset in the texts; 0: none */
	uint8_t kind;
};

struct pk_loaded_data {
	struct slot *slots; /* sorted by address */
	size_t count, room;
	struct pk_failures *failures;
	char *texts; /* names of the dynamic symbols */
	uint64_t texts_size;
	uint64_t thread_size;
	bool fixed;
};

/* The psABIs of AMD64 (4.4.1) and AArch64 (5.7.11). */
static bool kind_of(unsigned machine, uint32_t type, bool is_defined, uint8_t *kind)
{
	const bool x86 = machine == EM_X86_64;

	if (machine != EM_X86_64 && machine != EM_AARCH64)
		return false;
	if (type == (x86 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE))
		*kind = PK_SLOT_ADDRESS;
	else if (type == (x86 ? R_X86_64_TPOFF64 : R_AARCH64_TLS_TPREL))
		*kind = PK_SLOT_THREAD;
	else if (type == (x86 ? R_X86_64_COPY : R_AARCH64_COPY))
		*kind = PK_SLOT_COPY;
	else if (type == (x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT) ||
		 type == (x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT) ||
		 type == (x86 ? R_X86_64_64 : R_AARCH64_ABS64))
		*kind = is_defined ? PK_SLOT_ADDRESS : PK_SLOT_SYMBOL;
	else
		return false;
	return true;
}

static bool add(struct pk_loaded_data *d, const struct slot *slot)
{
	if (!pk_need_room(d->failures,
			  pk_reserve(&d->slots, &d->room, d->count, 1, sizeof(*d->slots))))
		return false;
	d->slots[d->count++] = *slot;
	return true;
}

static bool read_relocations(struct pk_loaded_data *d, const struct pk_elf *elf,
			     const struct pk_elf_section *s, const struct pk_elf_section *dynamic)
{
	const struct pk_elf_records list = pk_elf_relocations(elf, s);
	const struct pk_elf_records symbols =
		dynamic ? pk_elf_symbols(elf, dynamic) : (struct pk_elf_records){0};
	const unsigned machine = pk_elf_machine(elf);

	for (size_t i = 0; i < list.count; i++) {
		const struct pk_elf_relocation r = pk_elf_relocation(&list, i);
		struct pk_elf_symbol symbol = {0};
		struct slot slot = {.address = r.offset, .value = r.addend};

		if (r.symbol && r.symbol < symbols.count)
			symbol = pk_elf_symbol(elf, &symbols, r.symbol);
		if (!kind_of(machine, r.type, symbol.section != SHN_UNDEF, &slot.kind))
			continue;
		slot.name = symbol.name;
		slot.value += symbol.value;
		slot.size = slot.kind == PK_SLOT_COPY ? symbol.size : 8;
		if (symbol.section == SHN_UNDEF && r.symbol && slot.kind == PK_SLOT_THREAD)
			continue; /* thread-local memory of another object */
		if (!add(d, &slot))
			return false;
	}
	return true;
}

/* Thread-local memory ends at the thread pointer. Its size is rounded up to the largest alignment
 * of its sections. */
static void measure_thread(struct pk_loaded_data *d, const struct pk_elf *elf,
			   const struct pk_elf_section *sections, size_t count)
{
	struct pk_elf_segment segment;
	size_t next = 0, i;
	uint64_t align = 1;

	if (!pk_elf_segment(elf, PT_TLS, &next, &segment))
		return;
	for (i = 0; i < count; i++)
		if (sections[i].flags & SHF_TLS && sections[i].align > align)
			align = sections[i].align;
	if (align <= 4096 && segment.memsz < UINT64_MAX - align)
		d->thread_size = (segment.memsz + align - 1) / align * align;
}

static bool read_object(struct pk_loaded_data *d, const struct pk_elf *elf)
{
	const struct pk_elf_section *dynamic = pk_elf_section(elf, ".dynsym"), *sections;
	const struct pk_elf_section *strings = pk_elf_section(elf, ".dynstr");
	const struct pk_elf_segment *loads;
	size_t count, i;

	if (strings) {
		d->texts = pk_elf_bytes(elf, strings->offset, strings->size);
		d->texts_size = d->texts ? strings->size : 0;
	}
	sections = pk_elf_sections(elf, &count);
	measure_thread(d, elf, sections, count);
	for (i = 0; i < count; i++)
		if ((sections[i].type == SHT_RELA || sections[i].type == SHT_REL) &&
		    sections[i].flags & SHF_ALLOC &&
		    !read_relocations(d, elf, &sections[i], dynamic))
			return false;
	loads = pk_elf_loads(elf, &count);
	d->fixed = count && loads[0].vaddr >= 0x10000;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct slot *one = a, *other = b;

	return (one->address > other->address) - (one->address < other->address);
}

struct pk_loaded_data *pk_loaded_data_new(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_loaded_data *d = NULL;
	struct pk_found found;

	if (o->kind != PK_KIND_FILE || pk_is_vdso(o->path))
		return NULL;
	pk_search_file(&search, &found);
	if (found.runtime)
		d = pk_need(search.failures, calloc(1, sizeof(*d)));
	if (d)
		d->failures = search.failures;
	if (d && !read_object(d, found.runtime)) {
		pk_loaded_data_free(d);
		d = NULL;
	}
	pk_found_release(&found);
	if (d && d->count)
		qsort(d->slots, d->count, sizeof(*d->slots), by_address);
	return d;
}

void pk_loaded_data_free(struct pk_loaded_data *d)
{
	if (!d)
		return;
	free(d->slots);
	free(d->texts);
	free(d);
}

bool pk_loaded_data_find(const struct pk_loaded_data *d, uint64_t address, struct pk_slot *slot)
{
	size_t low = 0, high = d->count;
	const struct slot *s;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (d->slots[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	s = &d->slots[low - 1];
	if (address - s->address >= s->size || (s->kind != PK_SLOT_COPY && address != s->address))
		return false;
	slot->address = s->address;
	slot->value = s->kind == PK_SLOT_COPY ? address - s->address : s->value;
	slot->kind = s->kind;
	/* The text ends with a NUL: see pk_elf_bytes(). */
	slot->name = s->name && s->name < d->texts_size ? d->texts + s->name : NULL;
	return true;
}

uint64_t pk_loaded_data_thread_size(const struct pk_loaded_data *d)
{
	return d->thread_size;
}

bool pk_loaded_data_is_fixed(const struct pk_loaded_data *d)
{
	return d->fixed;
}
