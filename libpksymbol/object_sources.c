// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf.h"
#include "object.h"
#include "types_internal.h"
#include "vmlinux.h"

static struct pk_elf *open_part(void *arg, const char *path, const struct pk_build_id *build_id)
{
	const struct pk_object *o = arg;
	const struct pk_search search = pk_object_search(o);

	return pk_search_part(&search, o->debug_source, path, build_id);
}

static struct pk_elf *open_file(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);

	return pk_is_vdso(o->path) ? NULL : pk_search_debug_info(&search, &o->debug_source);
}

/* The kernel's, whose addresses are elsewhere than where the kernel was. */
static struct pk_elf *open_kernel(struct pk_object *o)
{
	struct pk_search search = pk_object_search(o);
	struct pk_elf *elf;
	uint64_t value;

	search.path = "";
	search.pid = 0;
	elf = pk_search_vmlinux(&search, &o->debug_source);
	if (elf && o->view && pk_vmlinux_symbol(elf, o->reference, &value))
		o->debug_shift = value - o->view;
	return elf;
}

/* Only when it is asked for the first time: most objects have none, and symbols do without. */
struct pk_dwarf *pk_object_dwarf(struct pk_object *o)
{
	const struct pk_dwarf_options options = {!o->store->options.no_demangle, open_part, o};
	const struct pk_elf_segment *loads = o->loads;
	size_t count = o->load_count;
	struct pk_elf *elf;

	if (o->dwarf_tried)
		return o->dwarf;
	o->dwarf_tried = true;
	elf = o->kind == PK_KIND_KERNEL ? open_kernel(o) : open_file(o);
	if (elf && o->kind == PK_KIND_KERNEL)
		loads = pk_elf_loads(elf, &count);
	if (elf)
		o->dwarf = pk_dwarf_new(elf, o->debug_source, loads, count, &options);
	return o->dwarf;
}

/* Functions begin in the same segment as the address, or it is not known where in the file. */
static void to_offsets(const struct pk_object *o, struct pk_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t vaddr = sources[i].start;

		sources[i].start = 0;
		for (size_t k = 0; k < o->load_count; k++)
			if (vaddr - o->loads[k].vaddr < o->loads[k].filesz)
				sources[i].start = vaddr - o->loads[k].vaddr + o->loads[k].offset;
	}
}

static void to_addresses(const struct pk_object *o, struct pk_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sources[i].start -= sources[i].start ? o->debug_shift : 0;
}

size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources)
{
	struct pk_source *found = o->store->sources;
	const bool lines = !o->store->options.no_lines;
	struct pk_dwarf *dwarf;
	uint64_t vaddr;
	size_t count;

	*sources = found;
	if (o->kind == PK_KIND_JITDUMP || o->kind == PK_KIND_PERF_MAP)
		return pk_object_jit_line(o, address, found);
	if (o->kind != PK_KIND_KERNEL && !pk_object_elf_address(o, address, &vaddr))
		return 0;
	dwarf = pk_object_dwarf(o);
	if (o->kind == PK_KIND_KERNEL)
		vaddr = address + o->debug_shift;
	count = dwarf ? pk_dwarf_sources(dwarf, vaddr, lines, found, PK_SOURCES_MAX) : 0;
	if (o->kind == PK_KIND_KERNEL)
		to_addresses(o, found, count);
	else
		to_offsets(o, found, count);
	return count;
}

const char *pk_object_debug_source(const struct pk_object *o)
{
	return o->dwarf ? o->debug_source : "";
}

void pk_object_free_dwarf(struct pk_object *o)
{
	pk_types_free(o->types);
	pk_dwarf_free(o->dwarf);
	free(o->debug_source);
}
