// SPDX-License-Identifier: BSD-2-Clause
#include "object.h"
#include "types_internal.h"

struct pk_types *pk_object_types(struct pk_object *o)
{
	const bool kernel = o->kind == PK_KIND_KERNEL;
	struct pk_dwarf *dwarf;

	if (o->types || o->types_tried)
		return o->types;
	o->types_tried = true;
	if (o->kind != PK_KIND_FILE && !kernel)
		return NULL;
	/* The segments of a file are read with its symbols. */
	if (!kernel)
		pk_object_state(o);
	dwarf = pk_object_dwarf(o);
	if (dwarf)
		o->types = pk_types_new(dwarf, kernel ? NULL : o->loads, kernel ? 0 : o->load_count,
					o->debug_shift);
	return o->types;
}

bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address)
{
	if (!t->load_count) {
		*address = lookup + t->shift;
		return true;
	}
	for (size_t i = 0; i < t->load_count; i++) {
		const struct pk_elf_segment *l = &t->loads[i];

		if (lookup >= l->offset && lookup - l->offset < l->filesz) {
			*address = lookup - l->offset + l->vaddr;
			return true;
		}
	}
	return false;
}

bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup)
{
	if (!t->load_count) {
		*lookup = address - t->shift;
		return true;
	}
	for (size_t i = 0; i < t->load_count; i++) {
		const struct pk_elf_segment *l = &t->loads[i];

		if (address >= l->vaddr && address - l->vaddr < l->filesz) {
			*lookup = address - l->vaddr + l->offset;
			return true;
		}
	}
	return false;
}
