// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_internal.h"

#define NONE UINT64_MAX

/* The length that a unit of any section begins with; *offset_size by it. */
static uint64_t read_length(struct pk_cursor *c, uint8_t *offset_size)
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

bool pk_units_list(struct pk_dwarf_file *f)
{
	uint64_t offset = 0, length;
	size_t room = 0;
	uint8_t size;

	while (offset < f->info.size) {
		struct pk_cursor c = pk_dwarf_section_cursor(&f->info, offset, 12);
		uint64_t *offsets;

		length = read_length(&c, &size);
		if (c.bad || !length || length > f->info.size - offset)
			break;
		if (f->unit_count == room) {
			room = room ? room * 2 : 64;
			offsets = pk_need(f->dwarf->failures,
					  realloc(f->offsets, room * sizeof(*offsets)));
			if (!offsets)
				return false;
			f->offsets = offsets;
		}
		f->offsets[f->unit_count++] = offset;
		offset += length + (size == 8 ? 12 : 4);
	}
	f->units = pk_need(f->dwarf->failures, calloc(f->unit_count + 1, sizeof(struct pk_unit *)));
	return f->units;
}

static bool read_header(struct pk_cursor *c, struct pk_unit *unit)
{
	const uint8_t *begin = c->p;
	uint64_t length;

	length = read_length(c, &unit->sizes.offset);
	unit->end = unit->offset + (uint64_t)(c->p - begin) + length;
	unit->sizes.version = (uint8_t)pk_cursor_u16(c);
	if (c->bad || unit->end > unit->file->info.size || unit->sizes.version < 2 ||
	    unit->sizes.version > 5)
		return false;
	unit->type = DW_UT_compile;
	if (unit->sizes.version == 5) {
		unit->type = pk_cursor_u8(c);
		unit->sizes.address = pk_cursor_u8(c);
	}
	unit->abbrev_offset += pk_cursor_uint(c, unit->sizes.offset);
	if (unit->sizes.version < 5)
		unit->sizes.address = pk_cursor_u8(c);
	if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
		unit->dwo_id = pk_cursor_u64(c);
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type) {
		unit->signature = pk_cursor_u64(c);
		unit->type_die = pk_cursor_uint(c, unit->sizes.offset);
	}
	unit->die = unit->offset + (uint64_t)(c->p - begin);
	return !c->bad && unit->die < unit->end &&
	       (unit->sizes.address == 4 || unit->sizes.address == 8);
}

static void take_root_attr(struct pk_unit *unit, unsigned name, const struct pk_form_value *value)
{
	switch (name) {
	case DW_AT_name: unit->name = *value; break;
	case DW_AT_comp_dir: unit->comp_dir = *value; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: unit->dwo_name = *value; break;
	case DW_AT_low_pc: unit->low = *value; break;
	case DW_AT_high_pc: unit->high = *value; break;
	case DW_AT_ranges: unit->ranges = *value; break;
	case DW_AT_stmt_list: unit->stmt_list = value->v; break;
	case DW_AT_GNU_dwo_id: unit->dwo_id = value->v; break;
	case DW_AT_str_offsets_base: unit->str_offsets_base = value->v; break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: unit->addr_base = value->v; break;
	case DW_AT_rnglists_base: unit->rnglists_base = value->v; break;
	case DW_AT_loclists_base: unit->loclists_base = value->v; break;
	case DW_AT_language: unit->language = value->v; break;
	case DW_AT_GNU_ranges_base: unit->ranges_base = value->v; break;
	default: break;
	}
}

static bool read_root(struct pk_cursor *c, struct pk_unit *unit)
{
	const struct pk_abbrev *abbrev;

	abbrev = pk_abbrevs_find(unit->abbrevs, pk_cursor_uleb(c));
	if (!abbrev)
		return false;
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct pk_abbrev_attr *attr = &unit->abbrevs->attrs[abbrev->first + i];
		struct pk_form_value value;

		pk_form_read(c, unit, attr, &value);
		take_root_attr(unit, attr->name, &value);
	}
	return !c->bad;
}

/* Where tables begin that a split unit does not tell of: behind their header. */
static void set_defaults(struct pk_unit *unit)
{
	const bool wide = unit->sizes.offset == 8;

	unit->stmt_list = NONE;
	if (unit->sizes.version < 5 || !unit->file->split)
		return;
	unit->str_offsets_base += wide ? 16 : 8;
	unit->rnglists_base += wide ? 20 : 12;
	unit->loclists_base += wide ? 20 : 12;
}

bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit)
{
	/* Most roots are short; a long one is read again with all that is behind it. */
	static const uint64_t sizes[] = {512, UINT64_MAX};
	const struct pk_unit begun = *unit;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pk_cursor c = pk_dwarf_section_cursor(&f->info, offset, sizes[i]);
		const uint8_t *begin = c.p;

		*unit = begun;
		unit->file = f;
		unit->offset = offset;
		if (!pk_dwarf_spend(f->dwarf, 64) || !read_header(&c, unit))
			return false;
		if (unit->end - offset < (uint64_t)(c.end - begin))
			c.end = begin + (unit->end - offset);
		set_defaults(unit);
		unit->abbrevs = pk_abbrevs_get(f, unit->abbrev_offset, &unit->sizes);
		if (!unit->abbrevs)
			return false;
		if (read_root(&c, unit)) {
			if (!pk_unit_address(unit, &unit->low, &unit->base))
				unit->base = 0;
			return true;
		}
	}
	return false;
}

struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index)
{
	struct pk_unit *unit;

	if (f->units[index])
		return f->units[index];
	unit = pk_need(f->dwarf->failures, calloc(1, sizeof(*unit)));
	if (!unit)
		return NULL;
	if (!pk_unit_read(f, f->offsets[index], unit)) {
		free(unit);
		return NULL;
	}
	f->units[index] = unit;
	return unit;
}

struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset)
{
	size_t low = 0, n = f->unit_count;
	struct pk_unit *unit;

	while (n > 1) {
		size_t half = n / 2;

		low += f->offsets[low + half] <= offset ? half : 0;
		n -= half;
	}
	unit = n ? pk_unit_get(f, low) : NULL;
	return unit && offset >= unit->die && offset < unit->end ? unit : NULL;
}

void pk_unit_free(struct pk_unit *unit)
{
	if (!unit)
		return;
	pk_scopes_free(unit->scopes);
	pk_lines_free(unit->lines);
	pk_enclosing_free(unit->enclosing);
	free(unit);
}
