// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_form.h"
#include "dwarf_unit.h"
#include "vector.h"

/* ---- Values of attributes ---- */

/* The size of an attribute of that form; -1: variable. */
static int pk_form_size(unsigned form, const struct pk_form_sizes *sizes)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return sizes->address;
	case DW_FORM_ref_addr: return sizes->version <= 2 ? sizes->address : sizes->offset;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return sizes->offset;
	default: return -1;
	}
}

/* The size of the block that starts here. */
static uint64_t block_size(struct pk_cursor *c, unsigned form)
{
	switch (form) {
	case DW_FORM_block1: return pk_cursor_u8(c);
	case DW_FORM_block2: return pk_cursor_u16(c);
	case DW_FORM_block4: return pk_cursor_u32(c);
	default: return pk_cursor_uleb(c);
	}
}

/* Skips a value of variable size. */
static void skip_varying(struct pk_cursor *c, unsigned form)
{
	switch (form) {
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc: pk_cursor_skip(c, block_size(c, form)); break;
	case DW_FORM_string: pk_cursor_string(c); break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: pk_cursor_uleb(c); break;
	default: /* unknown size: the rest cannot be read */ c->p = c->end; c->bad = true;
	}
}

void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes)
{
	int size;

	/* An indirect form that refers to another indirect form is treated as damage. */
	if (form == DW_FORM_indirect)
		form = (unsigned)pk_cursor_uleb(c);
	size = pk_form_size(form, sizes);
	if (size >= 0)
		pk_cursor_skip(c, (uint64_t)size);
	else
		skip_varying(c, form);
}

static enum pk_form_class class_of(unsigned form)
{
	switch (form) {
	case DW_FORM_addr: return PK_FORM_ADDRESS;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index: return PK_FORM_ADDRESS_INDEX;
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_flag:
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return PK_FORM_CONSTANT;
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc: return PK_FORM_BLOCK;
	case DW_FORM_ref_sig8: return PK_FORM_SIGNATURE;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr: return PK_FORM_REFERENCE;
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt: return PK_FORM_REFERENCE_ALT;
	case DW_FORM_string: return PK_FORM_STRING;
	case DW_FORM_strp: return PK_FORM_STRING_OFFSET;
	case DW_FORM_line_strp: return PK_FORM_STRING_LINE;
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt: return PK_FORM_STRING_ALT;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index: return PK_FORM_STRING_INDEX;
	case DW_FORM_sec_offset: return PK_FORM_SECTION_OFFSET;
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx: return PK_FORM_LIST_INDEX;
	default: return PK_FORM_OTHER;
	}
}

static bool is_uleb(unsigned form)
{
	switch (form) {
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return true;
	default: return false;
	}
}

static uint64_t read_number(struct pk_cursor *c, unsigned form, int size)
{
	if (is_uleb(form))
		return pk_cursor_uleb(c);
	if (form == DW_FORM_sdata)
		return (uint64_t)pk_cursor_sleb(c);
	return size == 3 ? pk_cursor_u24(c) : pk_cursor_uint(c, (unsigned)size);
}

static void read_block(struct pk_cursor *c, unsigned form, struct pk_form_value *value)
{
	value->v = block_size(c, form);
	value->text = (const char *)c->p;
	pk_cursor_skip(c, value->v);
}

void pk_form_read(struct pk_cursor *c, const struct pk_unit *unit,
		  const struct pk_abbrev_attr *attr, struct pk_form_value *value)
{
	unsigned form = attr->form;
	int size;

	if (form == DW_FORM_indirect)
		form = (unsigned)pk_cursor_uleb(c);
	*value = (struct pk_form_value){.class = class_of(form)};
	if (value->class == PK_FORM_OTHER) {
		pk_form_skip(c, form, &unit->sizes);
		return;
	}
	size = pk_form_size(form, &unit->sizes);
	if (form == DW_FORM_implicit_const)
		value->v = (uint64_t)(int64_t)attr->constant;
	else if (form == DW_FORM_flag_present)
		value->v = 1;
	else if (form == DW_FORM_string)
		value->text = pk_cursor_string(c);
	else if (value->class == PK_FORM_BLOCK)
		read_block(c, form, value);
	else
		value->v = read_number(c, form, size);
	/* All references except DW_FORM_ref_addr are relative to the unit's header. */
	if (value->class == PK_FORM_REFERENCE && form != DW_FORM_ref_addr)
		value->v += unit->offset;
	/* Before DWARF 4, offsets in other sections had the same forms as numbers. */
	if (unit->sizes.version < 4 && (form == DW_FORM_data4 || form == DW_FORM_data8))
		value->class = PK_FORM_SECTION_OFFSET;
	if (c->bad)
		value->class = PK_FORM_NONE;
}

/* Reads an element of a table of offsets in .debug_str, or of addresses. */
static bool element(struct pk_dwarf_section *section, uint64_t base, uint64_t index, unsigned size,
		    uint64_t *value)
{
	struct pk_cursor c;

	if (index > section->size || base > section->size)
		return false;
	c = pk_dwarf_section_cursor(section, base + index * size, size);
	*value = pk_cursor_uint(&c, size);
	return !c.bad;
}

const char *pk_unit_string(struct pk_unit *unit, const struct pk_form_value *value)
{
	struct pk_dwarf_file *f = unit->file, *alt;
	uint64_t offset;

	switch (value->class) {
	case PK_FORM_STRING: return value->text;
	case PK_FORM_STRING_OFFSET: return pk_dwarf_section_string(&f->str, value->v);
	case PK_FORM_STRING_LINE: return pk_dwarf_section_string(&f->line_str, value->v);
	case PK_FORM_STRING_ALT:
		alt = pk_dwarf_alt(f->dwarf);
		return alt ? pk_dwarf_section_string(&alt->str, value->v) : NULL;
	case PK_FORM_STRING_INDEX:
		if (!element(&f->str_offsets, unit->str_offsets_base, value->v, unit->sizes.offset,
			     &offset))
			return NULL;
		return pk_dwarf_section_string(&f->str, offset);
	default: return NULL;
	}
}

bool pk_unit_address(struct pk_unit *unit, const struct pk_form_value *value, uint64_t *address)
{
	struct pk_unit *owner = unit->skeleton ? unit->skeleton : unit;

	if (value->class == PK_FORM_ADDRESS) {
		*address = value->v;
		return true;
	}
	return value->class == PK_FORM_ADDRESS_INDEX &&
	       element(&owner->file->addr, owner->addr_base, value->v, unit->sizes.address,
		       address);
}

/* ---- Abbreviations: the attributes of an entry, by its code ---- */

enum { ATTRS_MAX = 4096 };

struct builder {
	struct pk_abbrevs *table;
	struct pk_failures *failures;
	size_t list_room, attrs_count, attrs_room;
};

static void free_table(struct pk_abbrevs *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->attrs);
	free(t);
}

void pk_abbrevs_free(struct pk_dwarf_file *f)
{
	struct pk_abbrevs *t;
	size_t cursor = 0;

	while ((t = pk_table_next_value(&f->abbrevs, &cursor)))
		free_table(t);
	pk_table_free(&f->abbrevs);
}

/* Reads the attributes of one declaration. False: damaged or out of memory. */
static bool declare_attrs(struct builder *b, struct pk_cursor *c, struct pk_abbrev *abbrev)
{
	struct pk_abbrevs *t = b->table;

	abbrev->first = (uint32_t)b->attrs_count;
	abbrev->count = 0;
	abbrev->size = 0;
	for (;;) {
		uint64_t name = pk_cursor_uleb(c), form = pk_cursor_uleb(c);
		int64_t constant = form == DW_FORM_implicit_const ? pk_cursor_sleb(c) : 0;
		int size;

		if (c->bad || name > UINT16_MAX || form > UINT16_MAX || abbrev->count == ATTRS_MAX)
			return false;
		if (!name && !form)
			return true;
		if (!pk_need_room(b->failures, pk_reserve(&t->attrs, &b->attrs_room, b->attrs_count,
							  1, sizeof(*t->attrs))))
			return false;
		t->attrs[b->attrs_count++] =
			(struct pk_abbrev_attr){(uint16_t)name, (uint16_t)form, (int32_t)constant};
		abbrev->count++;
		size = pk_form_size((unsigned)form, &t->sizes);
		abbrev->size = size < 0 || abbrev->size < 0 ? -1 : abbrev->size + size;
	}
}

static int compare_codes(const void *a, const void *b)
{
	const struct pk_abbrev *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

/* Reads the declarations up to the one of code 0. Damage ends the table. */
static bool declare_all(struct builder *b, struct pk_cursor *c)
{
	struct pk_abbrevs *t = b->table;

	t->dense = true;
	for (;;) {
		struct pk_abbrev abbrev = {.code = pk_cursor_uleb(c)};

		abbrev.tag = (uint16_t)pk_cursor_uleb(c);
		abbrev.children = pk_cursor_u8(c);
		if (!abbrev.code || c->bad || !declare_attrs(b, c, &abbrev))
			break;
		if (!pk_need_room(b->failures, pk_reserve(&t->list, &b->list_room, t->count, 1,
							  sizeof(*t->list))))
			return false;
		t->dense &= abbrev.code == t->count + 1;
		t->list[t->count++] = abbrev;
	}
	if (!t->dense)
		qsort(t->list, t->count, sizeof(*t->list), compare_codes);
	return true;
}

/* Reads a table of abbreviations from at most size bytes. *cut: the table needs more bytes. */
static struct pk_abbrevs *parse(struct pk_dwarf_file *f, uint64_t offset, uint64_t size,
				const struct pk_form_sizes *sizes, bool *cut)
{
	struct pk_failures *failures = f->dwarf->failures;
	struct pk_abbrevs *t = pk_need(failures, calloc(1, sizeof(*t)));
	struct pk_cursor c = pk_dwarf_section_cursor(&f->abbrev, offset, size);
	struct builder b = {.table = t, .failures = failures};
	const uint8_t *begin = c.p;

	*cut = false;
	if (!t)
		return NULL;
	t->sizes = *sizes;
	if (declare_all(&b, &c) && pk_dwarf_spend(f->dwarf, 16 * (uint64_t)(c.p - begin))) {
		*cut = c.bad && size < f->abbrev.size;
		return t;
	}
	free_table(t);
	return NULL;
}

/* The size of a table is not stored: reads 16 KiB, then 16 times more until the table is
 * complete. */
static struct pk_abbrevs *parse_some(struct pk_dwarf_file *f, uint64_t offset,
				     const struct pk_form_sizes *sizes)
{
	struct pk_abbrevs *t;
	bool cut;

	for (uint64_t size = 16 << 10;; size *= 16) {
		t = parse(f, offset, size, sizes, &cut);
		if (!t || !cut)
			return t;
		free_table(t);
	}
}

static bool same_sizes(const struct pk_form_sizes *a, const struct pk_form_sizes *b)
{
	return a->version == b->version && a->address == b->address && a->offset == b->offset;
}

const struct pk_abbrevs *pk_abbrevs_get(struct pk_dwarf_file *f, uint64_t offset,
					const struct pk_form_sizes *sizes)
{
	struct pk_probe probe = pk_table_probe(&f->abbrevs, offset);
	struct pk_abbrevs *t;

	if (!pk_dwarf_spend(f->dwarf, 1))
		return NULL;
	while ((t = (struct pk_abbrevs *)(uintptr_t)pk_probe_next(&probe)))
		if (same_sizes(&t->sizes, sizes))
			return t;
	t = parse_some(f, offset, sizes);
	if (!t || pk_need_room(f->dwarf->failures, pk_table_add(&f->abbrevs, offset, (uintptr_t)t)))
		return t;
	free_table(t);
	return NULL;
}

const struct pk_abbrev *pk_abbrevs_find(const struct pk_abbrevs *t, uint64_t code)
{
	const struct pk_abbrev key = {.code = code};

	if (t->dense)
		return code && code <= t->count ? &t->list[code - 1] : NULL;
	return bsearch(&key, t->list, t->count, sizeof(*t->list), compare_codes);
}
