// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_exidx.h"
#include "dwarf.h"
#include "dwarf_section.h"
#include "go_stack_switch.h"
#include "gopclntab.h"
#include "jit_unwind.h"
#include "object.h"
#include "object_debug.h"
#include "search.h"
#include "type_slots.h"
#include "kallsyms.h"

/* The debugging information of an object, of which each kind is opened when it is first used. */
struct object_debug {
	struct pk_object_debug base;

	struct pk_dwarf *dwarf; /* NULL if there is no debugging information */
	char *source;		/* the path of the file with the debugging information */
	uint64_t shift; /* for the kernel: an address in the file minus the same address in the
			 * stream */
	bool dwarf_tried;

	void *other; /* the object that pk_debug_reader.open() returned, or NULL if no other reader
		      * is used */
	void (*close_other)(void *other);
	bool other_tried;

	/* NULL if the object is not a Go program, or if this was not examined yet. */
	struct pk_go_lines *go;
	bool go_tried;

	struct pk_types *types; /* NULL if there is no debugging information with types */
	bool types_tried;

	/* NULL if there is no unwind information, or if it was not read yet. */
	struct pk_unwind_info *unwind;
	enum pk_object_state unwind_state;
};

static struct object_debug *of_base(const struct pk_object_debug *base)
{
	return (struct object_debug *)(uintptr_t)base;
}

static void pk_unwind_info_free(struct pk_unwind_info *info)
{
	if (!info)
		return;
	free(info->eh_frame.data);
	free(info->eh_frame_hdr.data);
	free(info->debug_frame.data);
	free(info->exidx.data);
	free(info->extab.data);
	free(info->sframe.data);
	free(info->loads);
	free(info->path);
	free(info);
}

static void free_debug(struct pk_object_debug *base)
{
	struct object_debug *debug = of_base(base);

	if (debug->other)
		debug->close_other(debug->other);
	pk_types_free(debug->types);
	pk_dwarf_free(debug->dwarf);
	pk_go_lines_free(debug->go);
	pk_unwind_info_free(debug->unwind);
	free(debug->source);
	free(debug);
}

static uint64_t names_cut(const struct pk_object_debug *base)
{
	const struct object_debug *debug = of_base(base);

	return debug->dwarf ? pk_dwarf_names_cut(debug->dwarf) : 0;
}

/* Returns the debugging information of the object, and creates it when it is first used. If memory
 * is exhausted, counts a failure and returns NULL. */
static struct object_debug *object_debug(struct pk_object *o)
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

	return pk_is_vdso(o->path) || o->has_no_dwarf
		       ? NULL
		       : pk_search_debug_info(&search, &of_base(o->debug)->source);
}

/* Opens the ELF file of the kernel. The running kernel can be at other addresses than the file.
 * Sets `shift` to the difference. */
static struct pk_elf *open_kernel(struct pk_object *o)
{
	struct pk_search search = pk_object_search(o);
	struct pk_elf *elf;
	uint64_t value;

	search.path = "";
	search.by.pid = 0;
	elf = pk_search_vmlinux(&search, &of_base(o->debug)->source);
	if (elf && o->view && pk_vmlinux_symbol(elf, o->reference, &value))
		of_base(o->debug)->shift = value - o->view;
	return elf;
}

static struct pk_elf *open_module(struct pk_object *o)
{
	struct pk_search search = pk_object_search(o);
	enum pk_object_state ignored;

	search.wanted = pk_elf_has_dwarf;
	return pk_search_module(&search, &of_base(o->debug)->source, &ignored);
}

static struct pk_elf *open_debug_info(struct pk_object *o)
{
	switch (o->kind) {
	case PK_KIND_KERNEL: return open_kernel(o);
	case PK_KIND_MODULE: return open_module(o);
	default: return open_file(o);
	}
}

/* Returns the debugging information, and searches it when it is first used. It is not searched
 * earlier, because most objects have none, and symbols do not need it. Returns NULL if there is
 * none. */
static struct pk_dwarf *object_dwarf(struct pk_object *o)
{
	const struct pk_dwarf_options options = {.demangle = !o->store->options.no_demangle,
						 .declarations = o->store->options.declarations,
						 .open = open_part,
						 .arg = o};
	struct object_debug *debug = object_debug(o);
	const struct pk_elf_segment *loads = o->loads;
	size_t count = o->load_count;
	struct pk_elf *elf;

	if (!debug || debug->dwarf_tried)
		return debug ? debug->dwarf : NULL;
	debug->dwarf_tried = true;
	elf = open_debug_info(o);
	if (elf && o->kind != PK_KIND_FILE)
		loads = pk_elf_loads(elf, &count);
	if (elf)
		debug->dwarf = pk_dwarf_new(elf, debug->source, loads, count, &options);
	return debug->dwarf;
}

static void report_reader(const struct pk_object *o, const char *source, bool opened)
{
	const struct pk_symbols_options *options = &o->store->options;
	char text[64];

	if (!options->tried)
		return;
	snprintf(text, sizeof(text), opened ? "read with %s" : "%s cannot read it",
		 options->reader->name);
	options->tried(options->arg, source, text);
}

/* Like object_dwarf(), for the other reader that the options can have. */
static void *object_other(struct pk_object *o)
{
	const struct pk_debug_reader *reader = o->store->options.reader;
	struct object_debug *debug = object_debug(o);
	struct pk_elf *elf;

	if (!debug || debug->other_tried || !reader)
		return debug ? debug->other : NULL;
	debug->other_tried = true;
	elf = open_debug_info(o);
	if (elf && o->kind != PK_KIND_MODULE)
		debug->other = reader->open(debug->source, !o->store->options.no_demangle);
	debug->close_other = reader->close;
	if (elf)
		report_reader(o, debug->source, debug->other);
	pk_elf_close(elf);
	if (!debug->other) {
		free(debug->source); /* object_dwarf() will search the file again. */
		debug->source = NULL;
	}
	return debug->other;
}

/* Returns the line table that Go programs contain even if they have no debugging information.
 * Returns NULL if there is none. */
static struct pk_go_lines *object_go_lines(struct pk_object *o)
{
	struct object_debug *debug = object_debug(o);
	const struct pk_search search = pk_object_search(o);
	struct pk_elf *elf;

	if (!debug || debug->go_tried || o->kind != PK_KIND_FILE || pk_is_vdso(o->path))
		return debug ? debug->go : NULL;
	debug->go_tried = true;
	elf = pk_search_mapped(&search);
	if (elf)
		debug->go = pk_go_lines_new(elf);
	pk_elf_close(elf);
	return debug->go;
}

/* Finds the functions at an address in the file. They come from the debugging information. If it
 * has no functions, the result is the line from the line table of a Go program. */
static size_t find_sources(struct pk_object *o, uint64_t vaddr, struct pk_source *found,
			   struct pk_range *same)
{
	const bool lines = !o->store->options.no_lines;
	void *other = object_other(o);
	struct pk_dwarf *dwarf = other ? NULL : object_dwarf(o);
	struct pk_go_lines *go;
	struct pk_range of_go;
	size_t count = 0;

	*same = other ? pk_range_of_one(vaddr) : PK_RANGE_ALL;
	if (other)
		count = o->store->options.reader->sources(other, vaddr, lines, found,
							  PK_SOURCES_MAX);
	if (dwarf)
		count = pk_dwarf_sources(dwarf, vaddr, lines, found, PK_SOURCES_MAX, same);
	go = count || !lines ? NULL : object_go_lines(o);
	if (go) {
		count = pk_go_lines_find(go, vaddr, found, &of_go);
		pk_range_clip(same, of_go.from, of_go.to);
	}
	return count;
}

/* Returns the difference between an address in the kernel's file and the same address in the
 * stream. */
static uint64_t kernel_shift(struct pk_object *o)
{
	return object_other(o) || object_dwarf(o) ? of_base(o->debug)->shift : 0;
}

/* Converts an address to an offset in the file. The result is 0 if the address is in no segment. */
static uint64_t offset_of(const struct pk_object *o, uint64_t vaddr)
{
	uint64_t offset = 0;

	for (size_t k = 0; k < o->load_count; k++)
		if (vaddr - o->loads[k].vaddr < o->loads[k].filesz)
			offset = vaddr - o->loads[k].vaddr + o->loads[k].offset;
	return offset;
}

/* Converts the starts of functions from addresses to offsets in the file. If a start is in no
 * segment, it becomes 0. */
static void to_offsets(const struct pk_object *o, struct pk_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sources[i].start = offset_of(o, sources[i].start);
}

static void to_addresses(uint64_t shift, struct pk_source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sources[i].start -= sources[i].start ? shift : 0;
}

/* Clips a range of offsets in the file to the segment that contains the offset. */
static void clip_to_segment(const struct pk_object *o, uint64_t offset, struct pk_range *same)
{
	for (size_t i = 0; i < o->load_count; i++) {
		const struct pk_elf_segment *l = &o->loads[i];

		if (offset - l->offset < l->filesz) {
			pk_range_clip(same, l->offset, l->offset + l->filesz);
			return;
		}
	}
}

size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources)
{
	struct pk_range same;

	return pk_object_sources_range(o, address, sources, &same);
}

size_t pk_object_sources_range(struct pk_object *o, uint64_t address,
			       const struct pk_source **sources, struct pk_range *same)
{
	struct pk_source *found = o->store->sources;
	uint64_t vaddr;
	size_t count;

	*sources = found;
	*same = pk_range_of_one(address);
	if (o->kind == PK_KIND_JITDUMP || o->kind == PK_KIND_PERF_MAP)
		return pk_object_jit_line(o, address, found);
	if (o->kind == PK_KIND_KERNEL)
		vaddr = address + kernel_shift(o);
	else if (!pk_object_elf_address(o, address, &vaddr))
		return 0;
	count = find_sources(o, vaddr, found, same);
	*same = pk_range_move(same, vaddr, address);
	if (o->kind == PK_KIND_KERNEL) {
		to_addresses(kernel_shift(o), found, count);
	} else {
		to_offsets(o, found, count);
		clip_to_segment(o, address, same);
	}
	return count;
}

/* The caller's callback for ranges of offsets. */
struct ranges_call {
	const struct pk_object *object;
	void (*each)(void *arg, uint64_t start, uint64_t end);
	void *arg;
};

static bool call_with_offsets(void *arg, uint64_t start, uint64_t end)
{
	const struct ranges_call *call = arg;
	const uint64_t offset = offset_of(call->object, start);

	if (offset)
		call->each(call->arg, offset, offset + (end - start));
	return true;
}

void pk_object_function_ranges(struct pk_object *o, uint64_t offset,
			       void (*each)(void *arg, uint64_t start, uint64_t end), void *arg)
{
	struct ranges_call call = {o, each, arg};
	struct pk_dwarf *dwarf = o->kind == PK_KIND_FILE ? object_dwarf(o) : NULL;
	uint64_t vaddr;

	if (dwarf && pk_object_elf_address(o, offset, &vaddr))
		pk_dwarf_function_ranges(dwarf, vaddr, call_with_offsets, &call);
}

/* ---- Types ---- */

struct pk_types *pk_object_types(struct pk_object *o)
{
	const bool kernel = o->kind == PK_KIND_KERNEL;
	struct object_debug *debug = object_debug(o);
	struct pk_dwarf *dwarf;

	if (!debug || debug->types_tried)
		return debug ? debug->types : NULL;
	debug->types_tried = true;
	if (o->kind != PK_KIND_FILE && o->kind != PK_KIND_MODULE && !kernel)
		return NULL;
	/* pk_object_state() reads the segments of a file together with its symbols. */
	if (!kernel)
		pk_object_state(o);
	dwarf = object_dwarf(o);
	if (dwarf)
		debug->types = pk_types_new(dwarf, kernel ? NULL : o->loads,
					    kernel ? 0 : o->load_count, debug->shift);
	return debug->types;
}

/* ---- Unwinding ---- */

static bool read_eh_frame(const struct pk_elf *elf, struct pk_unwind_section *to)
{
	const struct pk_elf_section *s = pk_elf_section(elf, ".eh_frame");

	if (!s || s->type == SHT_NOBITS || s->flags & SHF_COMPRESSED)
		return false;
	to->data = pk_elf_bytes(elf, s->offset, s->size);
	to->size = s->size;
	to->address = s->addr;
	return to->data;
}

/* Reads .debug_frame, which can be compressed. The address of the section (to->address) stays 0. It
 * is not needed, because no address in the section is relative to it. */
static enum pk_status read_debug_frame(const struct pk_elf *elf, struct pk_unwind_section *to)
{
	struct pk_dwarf_section s;
	const uint8_t *bytes;

	pk_dwarf_section_open(&s, elf, "frame", false);
	bytes = s.size ? pk_dwarf_section_need(&s, 0, s.size) : NULL;
	to->data = bytes ? pk_need(pk_elf_failures(elf), malloc(s.size)) : NULL;
	to->size = s.size;
	if (to->data)
		memcpy(to->data, bytes, s.size);
	pk_dwarf_section_close(&s);
	return to->data ? PK_OK : PK_NOMEM;
}

static struct pk_cfi_section section_of(const struct pk_unwind_section *section)
{
	return (struct pk_cfi_section){section->data, section->size, section->address};
}

struct pk_cfi *pk_unwind_cfi(const struct pk_unwind_info *info,
			     const struct pk_cfi_machine *machine)
{
	const struct pk_cfi_sections sections = {
		.eh_frame = section_of(&info->eh_frame),
		.debug_frame = section_of(&info->debug_frame),
		.header = section_of(&info->eh_frame_hdr),
		.exidx = section_of(&info->exidx),
		.extab = section_of(&info->extab),
		.sframe = section_of(&info->sframe),
		.stack_switch = info->stack_switch,
	};

	return pk_cfi_new(machine, &sections);
}

/* Reads `size` bytes at an address. If the segment ends before, reads fewer bytes. */
static bool read_segment(const struct pk_elf *elf, uint64_t address, uint64_t size,
			 struct pk_unwind_section *to)
{
	size_t count;
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &count);

	for (size_t i = 0; i < count; i++) {
		const struct pk_elf_segment *l = &loads[i];

		if (address < l->vaddr || address - l->vaddr >= l->filesz)
			continue;
		to->address = address;
		to->size = l->filesz - (address - l->vaddr);
		if (to->size > size)
			to->size = size;
		to->data = pk_elf_bytes(elf, l->offset + (address - l->vaddr), to->size);
		return to->data;
	}
	return false;
}

#ifndef PT_GNU_SFRAME
#define PT_GNU_SFRAME 0x6474e554
#endif

/* Reads .eh_frame_hdr or .sframe. A program header points to these sections. */
static void read_by_header(const struct pk_elf *elf, uint32_t type, struct pk_unwind_section *to)
{
	struct pk_elf_segment segment;
	size_t next = 0;

	if (!pk_elf_segment(elf, type, &next, &segment))
		return;
	to->data = pk_elf_bytes(elf, segment.offset, segment.filesz);
	to->size = segment.filesz;
	to->address = segment.vaddr;
}

/* Finds .eh_frame in a file without section headers. .eh_frame_hdr starts with u8 version, u8[3]
 * encodings, and the address of .eh_frame. All linkers write this address as an s32 that is
 * relative to its own place. */
static void find_by_header(const struct pk_elf *elf, const struct pk_unwind_section *header,
			   struct pk_unwind_section *to)
{
	const unsigned char expected[] = {1, 0x1b};
	int32_t distance;

	if (!header->data || header->size < 8 || pk_elf_swapped(elf) ||
	    memcmp(header->data, expected, sizeof(expected)))
		return;
	memcpy(&distance, header->data + 4, sizeof(distance));
	read_segment(elf, header->address + 4 + (uint64_t)(int64_t)distance, UINT64_MAX, to);
}

/* Reads .ARM.exidx, to which the program header PT_ARM_EXIDX points. Also reads the range of
 * .ARM.extab to which .ARM.exidx refers. */
static void read_exidx(const struct pk_elf *elf, struct pk_unwind_info *info)
{
	struct pk_unwind_section *exidx = &info->exidx, *extab = &info->extab;
	struct pk_cfi_section section;
	struct pk_elf_segment segment;
	uint64_t start, end;
	size_t next = 0;

	if (pk_elf_machine(elf) != EM_ARM || !pk_elf_segment(elf, PT_ARM_EXIDX, &next, &segment))
		return;
	exidx->data = pk_elf_bytes(elf, segment.offset, segment.filesz);
	exidx->size = exidx->data ? segment.filesz : 0;
	exidx->address = segment.vaddr;
	section = section_of(exidx);
	if (!pk_arm_exidx_extab(&section, info->swapped, &start, &end))
		return;
	read_segment(elf, start, end - start, extab);
}

static struct pk_unwind_info *read_info(const struct pk_found *found)
{
	const struct pk_elf *elf = found->runtime;
	struct pk_failures *failures = pk_elf_failures(elf);
	struct pk_unwind_info *info = pk_need(failures, calloc(1, sizeof(*info)));
	const struct pk_elf_segment *loads;

	if (!info)
		return NULL;
	loads = pk_elf_loads(elf, &info->load_count);
	info->loads = pk_need(failures, malloc((info->load_count + 1) * sizeof(*loads)));
	if (!info->loads) {
		free(info);
		return NULL;
	}
	memcpy(info->loads, loads, info->load_count * sizeof(*loads));
	if (pk_elf_path(elf))
		info->path = pk_need(failures, strdup(pk_elf_path(elf)));
	info->machine = pk_elf_machine(elf);
	info->swapped = pk_elf_swapped(elf);
	read_by_header(elf, PT_GNU_EH_FRAME, &info->eh_frame_hdr);
	read_by_header(elf, PT_GNU_SFRAME, &info->sframe);
	read_exidx(elf, info);
	/* If .eh_frame was removed from a file, .eh_frame_hdr can still be there. */
	if (!read_eh_frame(elf, &info->eh_frame) && !info->sframe.data)
		find_by_header(elf, &info->eh_frame_hdr, &info->eh_frame);
	if (read_debug_frame(elf, &info->debug_frame) != PK_OK && found->symbols &&
	    found->symbols != elf)
		read_debug_frame(found->symbols, &info->debug_frame);
	if (info->debug_frame.data)
		info->stack_switch = pk_go_stack_switch(elf);
	return info;
}

const struct pk_unwind_info *pk_object_unwind_info(struct pk_object *o, enum pk_object_state *why)
{
	const struct pk_search search = pk_object_search(o);
	const uint64_t failures = o->store->failures.count;
	struct object_debug *debug = object_debug(o);
	struct pk_found found;

	if (!debug) {
		*why = PK_OBJECT_NO_MEMORY;
		return NULL;
	}
	if (debug->unwind_state == PK_OBJECT_UNREAD && o->kind == PK_KIND_FILE) {
		if (pk_is_vdso(o->path))
			pk_search_vdso(&search, &found);
		else
			pk_search_file(&search, &found);
		debug->unwind_state = found.state;
		if (found.runtime) {
			debug->unwind = read_info(&found);
			debug->unwind_state = debug->unwind ? PK_OBJECT_READY : PK_OBJECT_NO_MEMORY;
		}
		if (o->store->failures.count != failures)
			debug->unwind_state = PK_OBJECT_FAILED;
		pk_found_release(&found);
	}
	*why = debug->unwind_state;
	return debug->unwind;
}

bool pk_unwind_address(const struct pk_unwind_info *info, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < info->load_count; i++) {
		const struct pk_elf_segment *l = &info->loads[i];

		if (offset >= l->offset && offset - l->offset < l->filesz) {
			*address = offset - l->offset + l->vaddr;
			return true;
		}
	}
	return false;
}

bool pk_unwind_is_data(const struct pk_unwind_info *info, uint64_t offset)
{
	bool has_code = false;

	for (size_t i = 0; i < info->load_count; i++) {
		const struct pk_elf_segment *l = &info->loads[i];

		if (!(l->flags & PF_X) || !l->filesz)
			continue;
		if (offset >= l->offset && offset - l->offset < l->filesz)
			return false;
		has_code = true;
	}
	return has_code;
}

/* ---- Unwinding information of generated code ---- */

enum pk_cfi_status pk_object_jit_row(struct pk_object *o, const struct pk_cfi_machine *machine,
				     uint64_t offset, uint64_t *work, struct pk_cfi_row *row)
{
	struct pk_jit_unwinding unwinding;
	enum pk_cfi_status status;
	uint8_t *bytes;

	if (!o->dump || o->dump->swapped != machine->swapped ||
	    (o->dump->machine && o->dump->machine != machine->elf_machine))
		return PK_CFI_NONE;
	bytes = pk_object_jit_unwinding(o, offset, &unwinding);
	if (!bytes)
		return PK_CFI_NONE;
	status = pk_jit_row(&unwinding, bytes, machine, offset, work, row);
	if (status == PK_CFI_MEMORY) {
		pk_failed(&o->store->failures, NULL, ENOMEM);
		status = PK_CFI_NONE;
	}
	free(bytes);
	return status;
}
