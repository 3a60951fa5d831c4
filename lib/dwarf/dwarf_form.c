// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_internal.h"

int pk_form_size(unsigned form, const struct pk_form_sizes *sizes)
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

/* How many bytes a block has that begins here. */
static uint64_t block_size(struct pk_cursor *c, unsigned form)
{
	switch (form) {
	case DW_FORM_block1: return pk_cursor_u8(c);
	case DW_FORM_block2: return pk_cursor_u16(c);
	case DW_FORM_block4: return pk_cursor_u32(c);
	default: return pk_cursor_uleb(c);
	}
}

/* Of those of varying size. */
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
	default: /* without its size there is no way on */ c->p = c->end; c->bad = true;
	}
}

void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes)
{
	int size;

	/* One that is named by another one that is named ... is read as damage. */
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

static void take_block(struct pk_cursor *c, unsigned form, struct pk_form_value *value)
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
		take_block(c, form, value);
	else
		value->v = read_number(c, form, size);
	/* These count from the unit's header on. */
	if (value->class == PK_FORM_REFERENCE && form != DW_FORM_ref_addr)
		value->v += unit->offset;
	/* Before DWARF 4 an offset was a number like others. */
	if (unit->sizes.version < 4 && (form == DW_FORM_data4 || form == DW_FORM_data8))
		value->class = PK_FORM_SECTION_OFFSET;
	if (c->bad)
		value->class = PK_FORM_NONE;
}

/* An element of a table of offsets in .debug_str, or of addresses. */
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
