// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_internal.h"

/* One that has not that build-id is no use, and one that tells of none is not taken. */
static struct pk_dwarf_file *open_file(struct pk_dwarf *d, const char *path,
				       const struct pk_build_id *id, bool split)
{
	struct pk_elf *elf = d->options.open ? d->options.open(d->options.arg, path, id) : NULL;

	return elf ? pk_dwarf_file_add(d, elf, path, split) : NULL;
}

/* ---- dwz ---- */

/* .gnu_debugaltlink: a path, and behind its NUL the build-id. */
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
		file = open_file(d, text, &id, false);
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

/* ---- .dwp: many .dwo in one (DWARF 5, 7.3.5) ---- */

struct package_index {
	struct pk_cursor c; /* at the slots' ids */
	uint32_t version, columns, rows, slots;
};

static bool open_index(struct pk_dwarf_file *f, struct pk_dwarf_section *s, struct package_index *x)
{
	uint64_t need;

	pk_dwarf_section_open(s, f->elf, "cu_index", false);
	x->c = pk_dwarf_section_cursor(s, 0, UINT64_MAX);
	/* Version 2 has 32 bits for it, 5 has 16, and zeros behind. */
	x->version = pk_cursor_u32(&x->c);
	if (x->version > UINT16_MAX)
		x->version >>= 16;
	x->columns = pk_cursor_u32(&x->c);
	x->rows = pk_cursor_u32(&x->c);
	x->slots = pk_cursor_u32(&x->c);
	need = 12 * (uint64_t)x->slots + 4 * (uint64_t)x->columns * (1 + 2 * (uint64_t)x->rows);
	return !x->c.bad && (x->version == 2 || x->version == 5) && x->slots &&
	       !(x->slots & (x->slots - 1)) && x->columns <= 16 &&
	       need <= (uint64_t)(x->c.end - x->c.p);
}

/* The row of an id, from 1 on; 0: none. */
static uint32_t find_row(const struct package_index *x, uint64_t id)
{
	const uint64_t mask = x->slots - 1, step = ((id >> 32) & mask) | 1;
	uint64_t slot = id & mask;

	for (uint32_t tries = 0; tries < x->slots; tries++, slot = (slot + step) & mask) {
		struct pk_cursor c = x->c;
		uint64_t found;
		uint32_t row;

		c.p = x->c.p + 8 * slot;
		found = pk_cursor_u64(&c);
		c.p = x->c.p + 8 * (uint64_t)x->slots + 4 * slot;
		row = pk_cursor_u32(&c);
		if (!row)
			return 0;
		if (found == id)
			return row <= x->rows ? row : 0;
	}
	return 0;
}

/* What the row says of where the unit's parts begin. */
static void take_row(const struct package_index *x, uint32_t row, struct pk_unit *unit,
		     uint64_t *offset)
{
	const uint8_t *names = x->c.p + 12 * (uint64_t)x->slots;

	for (uint32_t i = 0; i < x->columns; i++) {
		struct pk_cursor c = x->c;
		uint32_t section, value;

		c.p = names + 4 * (uint64_t)i;
		section = pk_cursor_u32(&c);
		c.p = names + 4 * ((uint64_t)row * x->columns + i);
		value = pk_cursor_u32(&c);
		switch (section) {
		case DW_SECT_INFO: *offset = value; break;
		case DW_SECT_ABBREV: unit->abbrev_offset = value; break;
		case DW_SECT_STR_OFFSETS: unit->str_offsets_base = value; break;
		case DW_SECT_RNGLISTS: unit->rnglists_base = x->version == 5 ? value : 0; break;
		case DW_SECT_LOCLISTS:
			unit->loclists_base = x->version == 5 ? value : 0;
			unit->loc_base = x->version == 2 ? value : 0;
			break;
		default: break;
		}
	}
}

static bool read_from_package(struct pk_dwarf_file *f, uint64_t id, struct pk_unit *unit)
{
	struct package_index x;
	struct pk_dwarf_section s;
	uint64_t offset = UINT64_MAX;
	uint32_t row = 0;

	if (open_index(f, &s, &x))
		row = find_row(&x, id);
	if (row)
		take_row(&x, row, unit, &offset);
	pk_dwarf_section_close(&s);
	return row && offset < f->info.size && pk_unit_read(f, offset, unit);
}

static struct pk_dwarf_file *package_of(struct pk_dwarf *d)
{
	char path[4096];
	int n;

	if (d->package_tried)
		return d->package;
	d->package_tried = true;
	n = snprintf(path, sizeof(path), "%s.dwp", d->own->path);
	if (n > 0 && (size_t)n < sizeof(path))
		d->package = open_file(d, path, NULL, true);
	return d->package;
}

/* ---- .dwo ---- */

static struct pk_dwarf_file *open_dwo(struct pk_unit *skeleton)
{
	struct pk_dwarf *d = skeleton->file->dwarf;
	const char *name = pk_unit_string(skeleton, &skeleton->dwo_name);
	const char *dir = pk_unit_string(skeleton, &skeleton->comp_dir);
	char path[4096];
	int n;

	if (!name)
		return NULL;
	if (*name == '/' || !dir)
		n = snprintf(path, sizeof(path), "%s", name);
	else
		n = snprintf(path, sizeof(path), "%s/%s", dir, name);
	return n > 0 && (size_t)n < sizeof(path) ? open_file(d, path, NULL, true) : NULL;
}

/* The unit of that id in a .dwo, which has one, or few. */
static bool read_from_dwo(struct pk_dwarf_file *f, uint64_t id, struct pk_unit *unit)
{
	for (size_t i = 0; i < f->unit_count && i < 64; i++) {
		*unit = (struct pk_unit){0};
		if (pk_unit_read(f, f->offsets[i], unit) && unit->dwo_id == id)
			return true;
	}
	return false;
}

static struct pk_unit *find_split(struct pk_unit *skeleton)
{
	struct pk_dwarf *d = skeleton->file->dwarf;
	struct pk_unit *unit = pk_need(d->failures, calloc(1, sizeof(*unit)));
	struct pk_dwarf_file *f;

	if (!unit)
		return NULL;
	f = package_of(d);
	if (f && read_from_package(f, skeleton->dwo_id, unit))
		return unit;
	*unit = (struct pk_unit){0};
	f = open_dwo(skeleton);
	if (f && read_from_dwo(f, skeleton->dwo_id, unit))
		return unit;
	free(unit);
	return NULL;
}

struct pk_unit *pk_unit_full(struct pk_unit *unit)
{
	if (unit->dwo_name.class == PK_FORM_NONE)
		return unit;
	if (!unit->split_tried) {
		unit->split_tried = true;
		unit->split = find_split(unit);
		if (unit->split)
			unit->split->skeleton = unit;
	}
	return unit->split;
}
