// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "object_debug_internal.h"
#include "search.h"
#include "sources.h"
#include "vmlinux.h"

static struct object_debug *of_base(const struct pk_object_debug *base)
{
	return (struct object_debug *)(uintptr_t)base;
}

static void free_debug(struct pk_object_debug *base)
{
	struct object_debug *debug = of_base(base);

	pk_types_free(debug->types);
	pk_dwarf_free(debug->dwarf);
	pk_unwind_info_free(debug->unwind);
	free(debug->source);
	free(debug);
}

static uint64_t names_cut(const struct pk_object_debug *base)
{
	const struct object_debug *debug = of_base(base);

	return debug->dwarf ? pk_dwarf_names_cut(debug->dwarf) : 0;
}

struct object_debug *object_debug(struct pk_object *o)
{
	struct object_debug *debug;

	if (o->debug)
		return of_base(o->debug);
	debug = pk_need(&o->store->failures, calloc(1, sizeof(*debug)));
	if (!debug)
		return NULL;
	debug->base = (struct pk_object_debug){.free = free_debug, .names_cut = names_cut};
	o->debug = &debug->base;
	return debug;
}

static struct pk_elf *open_part(void *arg, const char *path, const struct pk_build_id *build_id)
{
	const struct pk_object *o = arg;
	const struct pk_search search = pk_object_search(o);

	return pk_search_part(&search, of_base(o->debug)->source, path, build_id);
}

static struct pk_elf *open_file(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);

	return pk_is_vdso(o->path) ? NULL
				   : pk_search_debug_info(&search, &of_base(o->debug)->source);
}

/* The kernel's, whose addresses are elsewhere than where the kernel was. */
static struct pk_elf *open_kernel(struct pk_object *o)
{
	struct pk_search search = pk_object_search(o);
	struct pk_elf *elf;
	uint64_t value;

	search.path = "";
	search.pid = 0;
	elf = pk_search_vmlinux(&search, &of_base(o->debug)->source);
	if (elf && o->view && pk_vmlinux_symbol(elf, o->reference, &value))
		of_base(o->debug)->shift = value - o->view;
	return elf;
}

struct pk_dwarf *object_dwarf(struct pk_object *o)
{
	const struct pk_dwarf_options options = {!o->store->options.no_demangle, open_part, o};
	struct object_debug *debug = object_debug(o);
	const struct pk_elf_segment *loads = o->loads;
	size_t count = o->load_count;
	struct pk_elf *elf;

	if (!debug || debug->dwarf_tried)
		return debug ? debug->dwarf : NULL;
	debug->dwarf_tried = true;
	elf = o->kind == PK_KIND_KERNEL ? open_kernel(o) : open_file(o);
	if (elf && o->kind == PK_KIND_KERNEL)
		loads = pk_elf_loads(elf, &count);
	if (elf)
		debug->dwarf = pk_dwarf_new(elf, debug->source, loads, count, &options);
	return debug->dwarf;
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

static void to_addresses(uint64_t shift, struct pk_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sources[i].start -= sources[i].start ? shift : 0;
}

size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources)
{
	struct pk_source *found = o->store->sources;
	const bool lines = !o->store->options.no_lines;
	struct pk_dwarf *dwarf;
	uint64_t vaddr, shift;
	size_t count;

	*sources = found;
	if (o->kind == PK_KIND_JITDUMP || o->kind == PK_KIND_PERF_MAP)
		return pk_object_jit_line(o, address, found);
	if (o->kind != PK_KIND_KERNEL && !pk_object_elf_address(o, address, &vaddr))
		return 0;
	dwarf = object_dwarf(o);
	if (!dwarf)
		return 0;
	shift = of_base(o->debug)->shift;
	if (o->kind == PK_KIND_KERNEL)
		vaddr = address + shift;
	count = pk_dwarf_sources(dwarf, vaddr, lines, found, PK_SOURCES_MAX);
	if (o->kind == PK_KIND_KERNEL)
		to_addresses(shift, found, count);
	else
		to_offsets(o, found, count);
	return count;
}
