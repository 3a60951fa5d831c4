// SPDX-License-Identifier: BSD-2-Clause
#include "object_debug_internal.h"

struct pk_types *pk_object_types(struct pk_object *o)
{
	const bool kernel = o->kind == PK_KIND_KERNEL;
	struct object_debug *debug = object_debug(o);
	struct pk_dwarf *dwarf;

	if (!debug || debug->types_tried)
		return debug ? debug->types : NULL;
	debug->types_tried = true;
	if (o->kind != PK_KIND_FILE && !kernel)
		return NULL;
	/* The segments of a file are read with its symbols. */
	if (!kernel)
		pk_object_state(o);
	dwarf = object_dwarf(o);
	if (dwarf)
		debug->types = pk_types_new(dwarf, kernel ? NULL : o->loads,
					    kernel ? 0 : o->load_count, debug->shift);
	return debug->types;
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
