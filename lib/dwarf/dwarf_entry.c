// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_entry.h"
#include "dwarf_unit.h"

/* Limit for nested entries; compilers do not nest that deep. At a deeper entry, the iteration
 * ends. */
enum { DEPTH_MAX = 512 };

/* flat switch */
static void set_attr(struct pk_entry *e, unsigned name, const struct pk_form_value *value)
{
	switch (name) {
	case DW_AT_sibling: e->sibling = value->v; break;
	case DW_AT_name: e->name = *value; break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: e->linkage_name = *value; break;
	case DW_AT_type: e->type = *value; break;
	case DW_AT_abstract_origin:
	case DW_AT_specification: e->origin = *value; break;
	case DW_AT_signature: e->signature = *value; break;
	case DW_AT_location: e->location = *value; break;
	case DW_AT_frame_base: e->frame_base = *value; break;
	case DW_AT_low_pc: e->low = *value; break;
	case DW_AT_high_pc: e->high = *value; break;
	case DW_AT_ranges: e->ranges = *value; break;
	case DW_AT_entry_pc: e->entry_pc = *value; break;
	case DW_AT_decl_file: e->decl_file = value->v; break;
	case DW_AT_decl_line: e->decl_line = value->v; break;
	case DW_AT_data_member_location: e->member_location = *value; break;
	case DW_AT_data_bit_offset: e->data_bit_offset = *value; break;
	case DW_AT_bit_offset: e->bit_offset = *value; break;
	case DW_AT_byte_size: e->byte_size = *value; break;
	case DW_AT_bit_size: e->bit_size = *value; break;
	case DW_AT_upper_bound: e->upper_bound = *value; break;
	case DW_AT_count: e->count = *value; break;
	case DW_AT_encoding: e->encoding = value->v; break;
	case DW_AT_declaration: e->declaration = value->v; break;
	case DW_AT_external: e->external = value->v; break;
	case DW_AT_prototyped: e->prototyped = value->v; break;
	default: break;
	}
}

static bool read_attrs(struct pk_cursor *c, struct pk_unit *unit, const struct pk_abbrev *abbrev,
		       struct pk_entry *e)
{
	e->tag = abbrev->tag;
	e->children = abbrev->children;
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct pk_abbrev_attr *attr = &unit->abbrevs->attrs[abbrev->first + i];
		struct pk_form_value value;

		pk_form_read(c, unit, attr, &value);
		set_attr(e, attr->name, &value);
	}
	return !c->bad;
}

/* Most entries are short: tries 1 KiB first, then all bytes up to the end of the unit. */
bool pk_entry_read(struct pk_unit *unit, uint64_t die, struct pk_entry *e)
{
	static const uint64_t sizes[] = {1024, UINT64_MAX};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t size = die < unit->end ? unit->end - die : 0;
		const struct pk_abbrev *abbrev;
		struct pk_cursor c;

		if (!size || !pk_dwarf_spend(unit->file->dwarf, 64))
			return false;
		size = size < sizes[i] ? size : sizes[i];
		c = pk_dwarf_section_cursor(&unit->file->info, die, size);
		abbrev = c.bad ? NULL : pk_abbrevs_find(unit->abbrevs, pk_cursor_uleb(&c));
		*e = (struct pk_entry){.die = die};
		if (!abbrev)
			return false;
		if (read_attrs(&c, unit, abbrev, e))
			return true;
	}
	return false;
}

bool pk_entry_refer(struct pk_unit **unit, const struct pk_form_value *value, uint64_t *die)
{
	struct pk_dwarf_file *f = (*unit)->file;

	if (value->class == PK_FORM_REFERENCE_ALT)
		f = pk_dwarf_alt(f->dwarf);
	else if (value->class != PK_FORM_REFERENCE)
		return false;
	*die = value->v;
	if (f == (*unit)->file && *die >= (*unit)->die && *die < (*unit)->end)
		return true;
	*unit = f ? pk_unit_at(f, *die) : NULL;
	return *unit;
}

void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit)
{
	struct pk_form_value origin = e->origin;
	uint64_t die;

	*type_unit = *name_unit = unit;
	for (int i = 0; i < 16 && origin.class && (!e->type.class || !e->name.class); i++) {
		struct pk_entry other;

		if (!pk_entry_refer(&unit, &origin, &die) || !pk_entry_read(unit, die, &other))
			return;
		if (!e->type.class) {
			e->type = other.type;
			*type_unit = unit;
		}
		if (!e->name.class) {
			e->name = other.name;
			e->linkage_name = other.linkage_name;
			*name_unit = unit;
		}
		origin = other.origin;
	}
}

const char *pk_entry_name(struct pk_unit *unit, const struct pk_entry *e)
{
	return pk_unit_string(unit, &e->name);
}

const char *pk_entry_linkage_name(struct pk_unit *unit, const struct pk_entry *e)
{
	const char *name = pk_unit_string(unit, &e->linkage_name);

	return name ? name : pk_entry_name(unit, e);
}

bool pk_entries_below(struct pk_entries *w, struct pk_unit *unit, uint64_t die)
{
	const uint64_t size = unit->end - unit->offset;
	struct pk_entry e;

	*w = (struct pk_entries){.unit = unit};
	if (die < unit->die || die >= unit->end)
		return false;
	w->c = pk_dwarf_section_cursor(&unit->file->info, unit->offset, size);
	if (w->c.bad)
		return false;
	w->unit_bytes = w->c.p;
	w->c.p += die - unit->offset;
	return pk_entries_next(w) && pk_entries_read(w, &e) && w->abbrev->children;
}

bool pk_entries_next(struct pk_entries *w)
{
	uint64_t code;

	do {
		w->die = w->unit->offset + (uint64_t)(w->c.p - w->unit_bytes);
		code = pk_cursor_uleb(&w->c);
		if (w->c.bad || !pk_dwarf_spend(w->unit->file->dwarf, 1))
			return false;
		if (!code && (!w->next_depth || --w->next_depth == 0))
			return false;
	} while (!code);
	w->abbrev = pk_abbrevs_find(w->unit->abbrevs, code);
	if (!w->abbrev)
		return false;
	w->depth = w->next_depth;
	w->next_depth += w->abbrev->children;
	return w->next_depth < DEPTH_MAX;
}

bool pk_entries_read(struct pk_entries *w, struct pk_entry *e)
{
	*e = (struct pk_entry){.die = w->die};
	return read_attrs(&w->c, w->unit, w->abbrev, e) && pk_dwarf_spend(w->unit->file->dwarf, 16);
}

void pk_entries_skip(struct pk_entries *w)
{
	if (w->abbrev->size >= 0) {
		pk_cursor_skip(&w->c, (uint64_t)w->abbrev->size);
		return;
	}
	for (uint32_t i = 0; i < w->abbrev->count; i++)
		pk_form_skip(&w->c, w->unit->abbrevs->attrs[w->abbrev->first + i].form,
			     &w->unit->sizes);
}

void pk_entries_leave_out(struct pk_entries *w, uint64_t sibling)
{
	const uint64_t here = w->unit->offset + (uint64_t)(w->c.p - w->unit_bytes);
	const unsigned depth = w->depth;

	if (w->next_depth == depth)
		return;
	if (sibling > here && sibling < w->unit->end) {
		w->c.p += sibling - here;
		w->next_depth = depth;
		return;
	}
	while (w->next_depth > depth) {
		const uint64_t code = pk_cursor_uleb(&w->c);

		if (w->c.bad || !pk_dwarf_spend(w->unit->file->dwarf, 1))
			return;
		w->abbrev = code ? pk_abbrevs_find(w->unit->abbrevs, code) : NULL;
		w->next_depth += !code ? -1U : w->abbrev && w->abbrev->children;
		if (code && !w->abbrev)
			w->c.bad = true;
		else if (code)
			pk_entries_skip(w);
	}
}
