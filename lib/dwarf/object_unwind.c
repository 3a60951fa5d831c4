/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_section.h"
#include "object_debug_internal.h"
#include "search.h"

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

/* It may be compressed; no address in it is relative to where it is. */
static bool read_debug_frame(const struct pk_elf *elf, struct pk_unwind_section *to)
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
	return to->data;
}

/* What the file has at an address, up to the end of its segment. */
static bool read_segment(const struct pk_elf *elf, uint64_t address, struct pk_unwind_section *to)
{
	size_t count;
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &count);

	for (size_t i = 0; i < count; i++) {
		const struct pk_elf_segment *l = &loads[i];

		if (address < l->vaddr || address - l->vaddr >= l->filesz)
			continue;
		to->address = address;
		to->size = l->filesz - (address - l->vaddr);
		to->data = pk_elf_bytes(elf, l->offset + (address - l->vaddr), to->size);
		return to->data;
	}
	return false;
}

/* The program headers name it. */
static void read_header(const struct pk_elf *elf, struct pk_unwind_section *to)
{
	struct pk_elf_segment segment;
	size_t next = 0;

	if (!pk_elf_segment(elf, PT_GNU_EH_FRAME, &next, &segment))
		return;
	to->data = pk_elf_bytes(elf, segment.offset, segment.filesz);
	to->size = segment.filesz;
	to->address = segment.vaddr;
}

/*
 * Without section headers: .eh_frame_hdr begins with u8 version, u8[3] encodings, and where
 * .eh_frame is, by all linkers as s32 relative to its place.
 */
static void find_by_header(const struct pk_elf *elf, const struct pk_unwind_section *header,
			   struct pk_unwind_section *to)
{
	const unsigned char expected[] = {1, 0x1b};
	int32_t distance;

	if (!header->data || header->size < 8 || pk_elf_swapped(elf) ||
	    memcmp(header->data, expected, sizeof(expected)))
		return;
	memcpy(&distance, header->data + 4, sizeof(distance));
	read_segment(elf, header->address + 4 + (uint64_t)(int64_t)distance, to);
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
	info->machine = pk_elf_machine(elf);
	info->swapped = pk_elf_swapped(elf);
	read_header(elf, &info->eh_frame_hdr);
	if (!read_eh_frame(elf, &info->eh_frame))
		find_by_header(elf, &info->eh_frame_hdr, &info->eh_frame);
	if (!read_debug_frame(elf, &info->debug_frame) && found->symbols && found->symbols != elf)
		read_debug_frame(found->symbols, &info->debug_frame);
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

void pk_unwind_info_free(struct pk_unwind_info *info)
{
	if (!info)
		return;
	free(info->eh_frame.data);
	free(info->eh_frame_hdr.data);
	free(info->debug_frame.data);
	free(info->loads);
	free(info);
}
