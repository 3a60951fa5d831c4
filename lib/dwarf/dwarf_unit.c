// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_unit.h"
#include "vector.h"

#define NONE UINT64_MAX

bool pk_language_is_c(uint64_t language)
{
	return language == 1 || language == 2 || language == 0x0c || language == 0x1d ||
	       language == 0x2c;
}

static bool read_header(struct pk_cursor *c, struct pk_unit *unit)
{
	const uint8_t *begin = c->p;
	uint64_t length;

	length = pk_dwarf_length(c, &unit->sizes.offset);
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

static void set_root_attr(struct pk_unit *unit, unsigned name, const struct pk_form_value *value)
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
		set_root_attr(unit, attr->name, &value);
	}
	return !c->bad;
}

/* In split DWARF 5, units have no attributes for the starts of these tables. The tables start after
 * their headers. */
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
	/* Most root entries are short. If an entry is longer than 512 bytes, all bytes of the
	 * section after its start are read. */
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

/* ---- .dwp files, which contain many .dwo files (DWARF 5, 7.3.5) ---- */

/* The index of a .dwp file. */
struct package_index {
	struct pk_cursor c; /* reads the index, starting with the table of ids */
	uint32_t version, columns, rows, slots;
};

static bool open_index(struct pk_dwarf_file *f, struct pk_dwarf_section *s, struct package_index *x)
{
	uint64_t need;

	pk_dwarf_section_open(s, f->elf, "cu_index", false);
	x->c = pk_dwarf_section_cursor(s, 0, UINT64_MAX);
	/* In version 2, the version field has 32 bits. In version 5, it has 16 bits, and 16 zero
	 * bits follow. */
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

/* Returns the row of an id, or 0 if there is none. The first row has number 1. */
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

/* Each unit in a package uses a range of each section. Sets the starts of these ranges for a unit,
 * from a row of the index. Sets *offset to the start of the unit in .debug_info.dwo. */
static void apply_row(const struct package_index *x, uint32_t row, struct pk_unit *unit,
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
		apply_row(&x, row, unit, &offset);
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
		d->package = pk_dwarf_file_open(d, path, NULL, true);
	return d->package;
}

/* ---- .dwo files ---- */

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
	return n > 0 && (size_t)n < sizeof(path) ? pk_dwarf_file_open(d, path, NULL, true) : NULL;
}

/* Reads the unit with this id in a .dwo file. Only the first 64 units are searched, because a .dwo
 * file has few units. */
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

/* ---- Type units ---- */

/* Type units (DWARF 5, 3.1.4). Their list is built when it is first used, because most programs
 * have no type units. */

static int compare_signatures(const void *a, const void *b)
{
	const struct pk_unit *x = *(struct pk_unit *const *)a, *y = *(struct pk_unit *const *)b;

	return x->signature < y->signature ? -1 : x->signature > y->signature;
}

static void list_units(struct pk_dwarf_file *f)
{
	f->type_units_tried = true;
	f->type_units =
		pk_need(f->dwarf->failures, malloc((f->unit_count + 1) * sizeof(struct pk_unit *)));
	for (size_t i = 0; f->type_units && i < f->unit_count; i++) {
		struct pk_unit *unit = pk_unit_get(f, i);

		if (unit && unit->type_die && unit->type_die < unit->end - unit->offset)
			f->type_units[f->type_unit_count++] = unit;
	}
	if (f->type_unit_count)
		qsort(f->type_units, f->type_unit_count, sizeof(struct pk_unit *),
		      compare_signatures);
}

struct pk_unit *pk_unit_of_signature(const struct pk_unit *from, uint64_t signature)
{
	struct pk_dwarf_file *f = from->file;
	const struct pk_unit key = {.signature = signature}, *const wanted = &key;
	struct pk_unit *const *found;

	if (!f->type_units_tried)
		list_units(f);
	found = f->type_unit_count ? bsearch(&wanted, f->type_units, f->type_unit_count,
					     sizeof(struct pk_unit *), compare_signatures)
				   : NULL;
	return found ? *found : NULL;
}

/* ---- Lists ---- */

void pk_dwarf_list_seek(struct pk_dwarf_list *l, struct pk_dwarf_section *section, uint64_t offset)
{
	l->section = section;
	l->c = pk_dwarf_section_cursor(section, offset, l->piece_size);
}

void pk_dwarf_list_continue(struct pk_dwarf_list *l)
{
	if (!l->c.bad && (size_t)(l->c.end - l->c.p) < l->entry_max)
		pk_dwarf_list_seek(l, l->section, (uint64_t)(l->c.p - l->section->data));
}

/* If all bits of the first address are set, the second address is a new base for the following
 * pairs. */
bool pk_dwarf_list_pair(struct pk_dwarf_list *l, uint64_t *low, uint64_t *high)
{
	const unsigned size = l->unit->sizes.address;
	const uint64_t ones = size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		pk_dwarf_list_continue(l);
		*low = pk_cursor_uint(&l->c, size);
		*high = pk_cursor_uint(&l->c, size);
		if (l->c.bad || (!*low && !*high))
			return false;
		if (*low != ones)
			break;
		l->base = *high;
	}
	*low += l->base;
	*high += l->base;
	return true;
}

uint64_t pk_dwarf_list_indexed(struct pk_dwarf_list *l)
{
	const struct pk_form_value value = {.class = PK_FORM_ADDRESS_INDEX,
					    .v = pk_cursor_uleb(&l->c)};
	uint64_t address = 0;

	if (!pk_unit_address(l->unit, &value, &address))
		l->c.bad = true;
	return address;
}

bool pk_dwarf_list_offset(const struct pk_unit *unit, struct pk_dwarf_section *section,
			  uint64_t base, uint64_t index, uint64_t *offset)
{
	const unsigned size = unit->sizes.offset;
	struct pk_cursor c;

	if (index > section->size || base > section->size)
		return false;
	c = pk_dwarf_section_cursor(section, base + index * size, size);
	*offset = base + pk_cursor_uint(&c, size);
	return !c.bad;
}

/* ---- Ranges of addresses ---- */

struct ranges {
	struct pk_dwarf_list list;
	pk_range_fn each;
	void *arg;
};

static bool give(struct ranges *r, uint64_t low, uint64_t high)
{
	return pk_dwarf_spend(r->list.unit->file->dwarf, 24) &&
	       (low >= high || r->each(r->arg, low, high));
}

/* Reads a list in .debug_ranges (up to DWARF 4). */
static bool read_pairs(struct ranges *r)
{
	uint64_t low, high;

	while (pk_dwarf_list_pair(&r->list, &low, &high))
		if (!give(r, low, high))
			return false;
	return true;
}

/* Reads one entry of .debug_rnglists. Returns false if the list ends or is damaged. Also returns
 * false, and sets *stop to true, if the callback or the budget stops the iteration. */
static bool read_entry(struct ranges *r, bool *stop)
{
	struct pk_dwarf_list *l = &r->list;
	const unsigned size = l->unit->sizes.address;
	uint64_t low = 0, high = 0;

	switch (pk_cursor_u8(&l->c)) {
	case DW_RLE_base_addressx: l->base = pk_dwarf_list_indexed(l); break;
	case DW_RLE_startx_endx:
		low = pk_dwarf_list_indexed(l);
		high = pk_dwarf_list_indexed(l);
		break;
	case DW_RLE_startx_length:
		low = pk_dwarf_list_indexed(l);
		high = low + pk_cursor_uleb(&l->c);
		break;
	case DW_RLE_offset_pair:
		low = l->base + pk_cursor_uleb(&l->c);
		high = l->base + pk_cursor_uleb(&l->c);
		break;
	case DW_RLE_base_address: l->base = pk_cursor_uint(&l->c, size); break;
	case DW_RLE_start_end:
		low = pk_cursor_uint(&l->c, size);
		high = pk_cursor_uint(&l->c, size);
		break;
	case DW_RLE_start_length:
		low = pk_cursor_uint(&l->c, size);
		high = low + pk_cursor_uleb(&l->c);
		break;
	default: return false;
	}
	if (l->c.bad)
		return false;
	*stop = !give(r, low, high);
	return !*stop;
}

static bool read_list(struct ranges *r, const struct pk_form_value *ranges)
{
	struct pk_dwarf_list *l = &r->list;
	struct pk_unit *unit = l->unit;
	struct pk_unit *skeleton = unit->skeleton ? unit->skeleton : unit;
	uint64_t offset = ranges->v;
	bool stop = false;

	if (unit->sizes.version < 5) {
		if (unit->skeleton)
			offset += skeleton->ranges_base;
		pk_dwarf_list_seek(l, &skeleton->file->ranges, offset);
		return read_pairs(r);
	}
	if (ranges->class == PK_FORM_LIST_INDEX &&
	    !pk_dwarf_list_offset(unit, &unit->file->rnglists, unit->rnglists_base, ranges->v,
				  &offset))
		return true;
	pk_dwarf_list_seek(l, &unit->file->rnglists, offset);
	while (!l->c.bad && read_entry(r, &stop))
		pk_dwarf_list_continue(l);
	return !stop;
}

bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg)
{
	struct pk_unit *owner = unit->skeleton ? unit->skeleton : unit;
	struct ranges r = {
		{.unit = unit, .piece_size = 1024, .entry_max = 1 + 2 * 16, .base = owner->base},
		each,
		arg};
	uint64_t first, end;

	if (ranges->class == PK_FORM_SECTION_OFFSET || ranges->class == PK_FORM_LIST_INDEX ||
	    ranges->class == PK_FORM_CONSTANT)
		return read_list(&r, ranges);
	if (!pk_unit_address(unit, low, &first) || high->class == PK_FORM_NONE)
		return true;
	/* Since DWARF 4, DW_AT_high_pc can also be the size. */
	if (!pk_unit_address(unit, high, &end))
		end = first + high->v;
	return give(&r, first, end);
}

/* ---- Entries, with the attributes of types and variables ---- */

/* Maximum nesting depth of entries. Compilers do not nest entries that deep. At a deeper entry, the
 * iteration ends. */
enum { DEPTH_MAX = 512 };

/* This function is long because it is a flat switch. */
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

/* Most entries are short, so this function first tries 1 KiB. If that is not enough, it tries all
 * bytes up to the end of the unit. */
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
