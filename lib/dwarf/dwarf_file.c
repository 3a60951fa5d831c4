// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "dwarf_unit.h"
#include "vector.h"

bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount)
{
	if (d->failed || d->budget < amount) {
		d->failed = true;
		return false;
	}
	d->budget -= amount;
	return true;
}

bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address)
{
	for (size_t i = 0; i < d->code_count; i++)
		if (address - d->code[i].vaddr < d->code[i].memsz)
			return true;
	return false;
}

uint64_t pk_dwarf_length(struct pk_cursor *c, uint8_t *offset_size)
{
	uint64_t length = pk_cursor_u32(c);

	*offset_size = 4;
	if (length == 0xffffffff) {
		*offset_size = 8;
		length = pk_cursor_u64(c);
	} else if (length >= 0xfffffff0) {
		c->bad = true;
	}
	return length;
}

/* Lists the units of a file. */
static enum pk_status list_units(struct pk_dwarf_file *f)
{
	uint64_t offset = 0, length;
	size_t room = 0;
	uint8_t size;

	while (offset < f->info.size) {
		struct pk_cursor c = pk_dwarf_section_cursor(&f->info, offset, 12);

		length = pk_dwarf_length(&c, &size);
		if (c.bad || !length || length > f->info.size - offset)
			break;
		PK_TRY(pk_need_room(
			f->dwarf->failures,
			pk_reserve(&f->offsets, &room, f->unit_count, 1, sizeof(*f->offsets))));
		f->offsets[f->unit_count++] = offset;
		offset += length + (size == 8 ? 12 : 4);
	}
	f->units = pk_need(f->dwarf->failures, calloc(f->unit_count + 1, sizeof(struct pk_unit *)));
	return f->units ? PK_OK : PK_NOMEM;
}

struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split)
{
	struct pk_dwarf_file *f = pk_need(d->failures, calloc(1, sizeof(*f)));
	uint64_t size;

	if (!f || !(f->path = pk_need(d->failures, strdup(path)))) {
		free(f);
		pk_elf_close(elf);
		return NULL;
	}
	f->dwarf = d;
	f->elf = elf;
	f->split = split;
	f->next = d->files;
	d->files = f;
	pk_dwarf_section_open(&f->info, elf, "info", split);
	pk_dwarf_section_open(&f->abbrev, elf, "abbrev", split);
	pk_dwarf_section_open(&f->line, elf, "line", split);
	pk_dwarf_section_open(&f->str, elf, "str", split);
	pk_dwarf_section_open(&f->line_str, elf, "line_str", split);
	pk_dwarf_section_open(&f->ranges, elf, "ranges", split);
	pk_dwarf_section_open(&f->rnglists, elf, "rnglists", split);
	pk_dwarf_section_open(&f->addr, elf, "addr", split);
	pk_dwarf_section_open(&f->str_offsets, elf, "str_offsets", split);
	pk_dwarf_section_open(&f->loc, elf, "loc", split);
	pk_dwarf_section_open(&f->loclists, elf, "loclists", split);
	size = f->info.size + f->abbrev.size + f->line.size + f->ranges.size + f->rnglists.size +
	       f->loc.size + f->loclists.size;
	d->budget += size <= UINT64_MAX / 64 ? 16 * size : 0;
	size = f->info.size + f->line.size + f->str.size + f->line_str.size;
	d->names_budget.paid += size <= UINT64_MAX / 64 ? size : 0;
	return list_units(f) == PK_OK ? f : NULL;
}

void pk_dwarf_file_free(struct pk_dwarf_file *f)
{
	free(f->units);
	free(f->type_units);
	free(f->offsets);
	pk_dwarf_section_close(&f->info);
	pk_dwarf_section_close(&f->abbrev);
	pk_dwarf_section_close(&f->line);
	pk_dwarf_section_close(&f->str);
	pk_dwarf_section_close(&f->line_str);
	pk_dwarf_section_close(&f->ranges);
	pk_dwarf_section_close(&f->rnglists);
	pk_dwarf_section_close(&f->addr);
	pk_dwarf_section_close(&f->str_offsets);
	pk_dwarf_section_close(&f->loc);
	pk_dwarf_section_close(&f->loclists);
	pk_elf_close(f->elf);
	free(f->path);
	free(f);
}

struct pk_dwarf_file *pk_dwarf_file_open(struct pk_dwarf *d, const char *path,
					 const struct pk_build_id *id, bool split)
{
	struct pk_elf *elf = d->options.open ? d->options.open(d->options.arg, path, id) : NULL;

	return elf ? pk_dwarf_file_add(d, elf, path, split) : NULL;
}

/* ---- The supplementary file (dwz) ---- */

/* .gnu_debugaltlink has a path that ends with a NUL, and then the build-id. */
static struct pk_dwarf_file *open_alt(struct pk_dwarf *d)
{
	const struct pk_elf *elf = d->own->elf;
	const struct pk_elf_section *link = pk_elf_section(elf, ".gnu_debugaltlink");
	struct pk_dwarf_file *file = NULL;
	struct pk_build_id id = {0};
	char *text = link && link->size < 8192 ? pk_elf_bytes(elf, link->offset, link->size) : NULL;
	size_t size;

	if (!text)
		return NULL;
	size = strlen(text) + 1;
	if (*text && size < link->size && link->size - size <= PK_BUILD_ID_MAX) {
		id.size = (uint8_t)(link->size - size);
		memcpy(id.bytes, text + size, id.size);
		file = pk_dwarf_file_open(d, text, &id, false);
	}
	free(text);
	return file;
}

struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d)
{
	if (!d->alt_tried) {
		d->alt_tried = true;
		d->alt = open_alt(d);
	}
	return d->alt;
}
