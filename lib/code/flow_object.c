/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "flow_object.h"
#include "object.h"
#include "object_debug.h"
#include "symbols.h"
#include "vector.h"

/* ---- Data that the loader writes ---- */

/* The data of an object that the loader writes. These are addresses of variables and functions,
 * which code reads from the global offset table, and offsets in thread-local memory. All addresses
 * are addresses in the file. Only x86-64 and arm64 are supported. */
struct slot {
	uint64_t address, value, size;
	uint32_t name; /* the offset in loaded_data.texts of the name of the symbol, or 0 if there
			* is no name */
	uint8_t kind;  /* enum flow_slot */
};

/* The data of an object that the loader writes. */
struct loaded_data {
	struct slot *slots; /* sorted by address */
	size_t count, room;
	struct pk_failures *failures;
	char *texts; /* the names of the dynamic symbols */
	uint64_t texts_size;
	/* The distance in bytes from the start of the thread-local memory to the thread pointer
	 * (x86). It is 0 if there is no thread-local memory. */
	uint64_t thread_size;
	bool fixed; /* true if the object is probably loaded at fixed addresses, because its first
		     * segment is not near 0 */
};

/* Converts a type of relocation to a kind of slot. The types are from the psABIs of AMD64 (4.4.1)
 * and AArch64 (5.7.11). */
static bool kind_of(unsigned machine, uint32_t type, bool is_defined, uint8_t *kind)
{
	const bool x86 = machine == EM_X86_64;

	if (machine != EM_X86_64 && machine != EM_AARCH64)
		return false;
	if (type == (x86 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE))
		*kind = FLOW_SLOT_ADDRESS;
	else if (type == (x86 ? R_X86_64_TPOFF64 : R_AARCH64_TLS_TPREL))
		*kind = FLOW_SLOT_THREAD;
	else if (type == (x86 ? R_X86_64_COPY : R_AARCH64_COPY))
		*kind = FLOW_SLOT_COPY;
	else if (type == (x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT) ||
		 type == (x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT) ||
		 type == (x86 ? R_X86_64_64 : R_AARCH64_ABS64))
		*kind = is_defined ? FLOW_SLOT_ADDRESS : FLOW_SLOT_POINTER;
	else
		return false;
	return true;
}

static enum pk_status add_slot(struct loaded_data *d, const struct slot *slot)
{
	PK_TRY(pk_need_room(d->failures,
			    pk_reserve(&d->slots, &d->room, d->count, 1, sizeof(*d->slots))));
	d->slots[d->count++] = *slot;
	return PK_OK;
}

static enum pk_status read_relocations(struct loaded_data *d, const struct pk_elf *elf,
				       const struct pk_elf_section *s,
				       const struct pk_elf_section *dynamic)
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
		slot.size = slot.kind == FLOW_SLOT_COPY ? symbol.size : 8;
		if (symbol.section == SHN_UNDEF && r.symbol && slot.kind == FLOW_SLOT_THREAD)
			continue; /* The variable is in the thread-local memory of another object,
				   * where its offset is unknown. */
		PK_TRY(add_slot(d, &slot));
	}
	return PK_OK;
}

/* Computes the size of the thread-local memory, which ends at the thread pointer. Its size is
 * rounded up to the largest alignment of its sections. */
static void measure_thread(struct loaded_data *d, const struct pk_elf *elf,
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

static enum pk_status read_object(struct loaded_data *d, const struct pk_elf *elf)
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
		    sections[i].flags & SHF_ALLOC)
			PK_TRY(read_relocations(d, elf, &sections[i], dynamic));
	loads = pk_elf_loads(elf, &count);
	d->fixed = count && loads[0].vaddr >= 0x10000;
	return PK_OK;
}

static int by_address(const void *a, const void *b)
{
	const struct slot *one = a, *other = b;

	return (one->address > other->address) - (one->address < other->address);
}

static void loaded_data_free(struct loaded_data *d)
{
	if (!d)
		return;
	free(d->slots);
	free(d->texts);
	free(d);
}

/* Returns NULL if the object is not a file, if the file was not found, or if memory is exhausted.
 */
static struct loaded_data *loaded_data_new(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	struct loaded_data *d = NULL;
	struct pk_found found;

	if (o->kind != PK_KIND_FILE || pk_is_vdso(o->path))
		return NULL;
	pk_search_file(&search, &found);
	if (found.runtime)
		d = pk_need(search.failures, calloc(1, sizeof(*d)));
	if (d)
		d->failures = search.failures;
	if (d && read_object(d, found.runtime) != PK_OK) {
		loaded_data_free(d);
		d = NULL;
	}
	pk_found_release(&found);
	if (d && d->count)
		qsort(d->slots, d->count, sizeof(*d->slots), by_address);
	return d;
}

/* ---- Callbacks ---- */

struct flow_object {
	struct pk_object *object;
	struct pk_types *types;
	struct loaded_data *data; /* the data that the loader writes; NULL if they are unknown */
	struct pk_cfi *cfi;	  /* NULL if there is no call frame information */
	bool kernel;
};

static const char *name_of(void *arg, uint64_t address)
{
	const struct flow_object *o = arg;
	struct pk_symbol symbol;
	uint64_t lookup;

	if (!pk_types_lookup(o->types, address, &lookup) ||
	    !pk_object_lookup(o->object, lookup, &symbol) || symbol.start != lookup)
		return NULL;
	return symbol.name;
}

static bool frame_address(void *arg, uint64_t address, unsigned *reg, int64_t *offset)
{
	const struct flow_object *o = arg;
	struct pk_cfi_row row;

	if (pk_cfi_find(o->cfi, address, &row) != PK_CFI_OK || row.cfa.kind != PK_CFI_VAL_OFFSET)
		return false;
	*reg = row.cfa.reg;
	*offset = row.cfa.n;
	return true;
}

static enum flow_slot slot_at(void *arg, uint64_t address, uint64_t *value, const char **name)
{
	const struct loaded_data *d = ((const struct flow_object *)arg)->data;
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
		return FLOW_SLOT_NONE;
	s = &d->slots[low - 1];
	if (address - s->address >= s->size || (s->kind != FLOW_SLOT_COPY && address != s->address))
		return FLOW_SLOT_NONE;
	*value = s->kind == FLOW_SLOT_COPY ? address - s->address : s->value;
	/* The text ends with a NUL, because pk_elf_bytes() adds a NUL. */
	*name = s->name && s->name < d->texts_size ? d->texts + s->name : NULL;
	return s->kind;
}

static void read_frames(struct flow_object *o)
{
	enum pk_object_state why;
	const struct pk_unwind_info *info = pk_object_unwind_info(o->object, &why);

	if (!info || info->swapped)
		return;
	if (info->machine != EM_X86_64 && info->machine != EM_AARCH64)
		return;
	o->cfi = pk_need(pk_object_failures(o->object),
			 pk_unwind_cfi(info, pk_cfi_machine_by_elf(info->machine)));
}

struct flow_object *pk_flow_object_new(struct pk_object *object)
{
	struct flow_object *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->object = object;
	o->types = pk_object_types(object);
	o->kernel = !strncmp(pk_object_path(object), "[kernel", 7);
	if (!o->types)
		return o;
	o->data = loaded_data_new(object);
	read_frames(o);
	return o;
}

void pk_flow_object_free(struct flow_object *o)
{
	if (!o)
		return;
	loaded_data_free(o->data);
	pk_cfi_free(o->cfi);
	free(o);
}

void pk_flow_object_options(struct flow_object *o, struct flow_options *options)
{
	options->types = o->types;
	options->kernel = o->kernel;
	options->fixed = o->kernel || (o->data && o->data->fixed);
	options->tls_size = o->data ? o->data->thread_size : 0;
	options->name = o->types ? name_of : NULL;
	options->cfa = o->cfi ? frame_address : NULL;
	options->slot = o->data ? slot_at : NULL;
	options->arg = o;
}
