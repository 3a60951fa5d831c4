// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_form.h"
#include "dwarf_unit.h"
#include "vector.h"

/* ---- Values of attributes ---- */

/* The size of a value. A number up to 16 is the size in bytes. Other sizes are one of these
 * constants. */
enum form_size {
	SIZE_UNKNOWN,
	SIZE_NOTHING = 17,
	SIZE_ADDRESS,
	SIZE_OFFSET,
	SIZE_REFERENCE, /* up to DWARF 2: the size of an address; since DWARF 3: the size of an
			 * offset */
	/* The following sizes are variable. */
	SIZE_ULEB,
	SIZE_SLEB,
	SIZE_TEXT,
	SIZE_BLOCK1, /* The next four sizes are for blocks. A block starts with its size, which is a
		      * number of 1, 2 or 4 bytes or a ULEB128. */
	SIZE_BLOCK2,
	SIZE_BLOCK4,
	SIZE_BLOCK,
};

struct form {
	uint8_t size, class;
};

static const struct form forms[] = {
	[0] = {SIZE_UNKNOWN, PK_FORM_OTHER},
	[DW_FORM_addr] = {SIZE_ADDRESS, PK_FORM_ADDRESS},
	[2] = {SIZE_UNKNOWN, PK_FORM_OTHER},
	[DW_FORM_block2] = {SIZE_BLOCK2, PK_FORM_BLOCK},
	[DW_FORM_block4] = {SIZE_BLOCK4, PK_FORM_BLOCK},
	[DW_FORM_data2] = {2, PK_FORM_CONSTANT},
	[DW_FORM_data4] = {4, PK_FORM_CONSTANT},
	[DW_FORM_data8] = {8, PK_FORM_CONSTANT},
	[DW_FORM_string] = {SIZE_TEXT, PK_FORM_STRING},
	[DW_FORM_block] = {SIZE_BLOCK, PK_FORM_BLOCK},
	[DW_FORM_block1] = {SIZE_BLOCK1, PK_FORM_BLOCK},
	[DW_FORM_data1] = {1, PK_FORM_CONSTANT},
	[DW_FORM_flag] = {1, PK_FORM_CONSTANT},
	[DW_FORM_sdata] = {SIZE_SLEB, PK_FORM_CONSTANT},
	[DW_FORM_strp] = {SIZE_OFFSET, PK_FORM_STRING_OFFSET},
	[DW_FORM_udata] = {SIZE_ULEB, PK_FORM_CONSTANT},
	[DW_FORM_ref_addr] = {SIZE_REFERENCE, PK_FORM_REFERENCE},
	[DW_FORM_ref1] = {1, PK_FORM_REFERENCE},
	[DW_FORM_ref2] = {2, PK_FORM_REFERENCE},
	[DW_FORM_ref4] = {4, PK_FORM_REFERENCE},
	[DW_FORM_ref8] = {8, PK_FORM_REFERENCE},
	[DW_FORM_ref_udata] = {SIZE_ULEB, PK_FORM_REFERENCE},
	[DW_FORM_indirect] = {SIZE_UNKNOWN, PK_FORM_OTHER},
	[DW_FORM_sec_offset] = {SIZE_OFFSET, PK_FORM_SECTION_OFFSET},
	[DW_FORM_exprloc] = {SIZE_BLOCK, PK_FORM_BLOCK},
	[DW_FORM_flag_present] = {SIZE_NOTHING, PK_FORM_CONSTANT},
	[DW_FORM_strx] = {SIZE_ULEB, PK_FORM_STRING_INDEX},
	[DW_FORM_addrx] = {SIZE_ULEB, PK_FORM_ADDRESS_INDEX},
	[DW_FORM_ref_sup4] = {4, PK_FORM_REFERENCE_ALT},
	[DW_FORM_strp_sup] = {SIZE_OFFSET, PK_FORM_STRING_ALT},
	[DW_FORM_data16] = {16, PK_FORM_OTHER},
	[DW_FORM_line_strp] = {SIZE_OFFSET, PK_FORM_STRING_LINE},
	[DW_FORM_ref_sig8] = {8, PK_FORM_SIGNATURE},
	[DW_FORM_implicit_const] = {SIZE_NOTHING, PK_FORM_CONSTANT},
	[DW_FORM_loclistx] = {SIZE_ULEB, PK_FORM_LIST_INDEX},
	[DW_FORM_rnglistx] = {SIZE_ULEB, PK_FORM_LIST_INDEX},
	[DW_FORM_ref_sup8] = {8, PK_FORM_REFERENCE_ALT},
	[DW_FORM_strx1] = {1, PK_FORM_STRING_INDEX},
	[DW_FORM_strx2] = {2, PK_FORM_STRING_INDEX},
	[DW_FORM_strx3] = {3, PK_FORM_STRING_INDEX},
	[DW_FORM_strx4] = {4, PK_FORM_STRING_INDEX},
	[DW_FORM_addrx1] = {1, PK_FORM_ADDRESS_INDEX},
	[DW_FORM_addrx2] = {2, PK_FORM_ADDRESS_INDEX},
	[DW_FORM_addrx3] = {3, PK_FORM_ADDRESS_INDEX},
	[DW_FORM_addrx4] = {4, PK_FORM_ADDRESS_INDEX},
};

static struct form gnu_form(unsigned form)
{
	switch (form) {
	case DW_FORM_GNU_addr_index: return forms[DW_FORM_addrx];
	case DW_FORM_GNU_str_index: return forms[DW_FORM_strx];
	case DW_FORM_GNU_ref_alt: return (struct form){SIZE_OFFSET, PK_FORM_REFERENCE_ALT};
	case DW_FORM_GNU_strp_alt: return forms[DW_FORM_strp_sup];
	default: return forms[0];
	}
}

static inline struct form form_of(unsigned form)
{
	return form < sizeof(forms) / sizeof(*forms) ? forms[form] : gnu_form(form);
}

/* Returns the size in bytes, or -1 if it is variable or unknown. */
static int fixed_size(struct form form, const struct pk_form_sizes *sizes)
{
	switch (form.size) {
	case SIZE_NOTHING: return 0;
	case SIZE_ADDRESS: return sizes->address;
	case SIZE_OFFSET: return sizes->offset;
	case SIZE_REFERENCE: return sizes->version <= 2 ? sizes->address : sizes->offset;
	default: return form.size && form.size < SIZE_NOTHING ? form.size : -1;
	}
}

/* Reads a value. A number is stored in value->v. For a text or a block, value->text is its start.
 * The size of a block is stored in value->v. */
static void read_value(struct pk_cursor *c, struct form form, const struct pk_form_sizes *sizes,
		       struct pk_form_value *value)
{
	const int size = fixed_size(form, sizes);

	switch (form.size) {
	case SIZE_ULEB: value->v = pk_cursor_uleb(c); return;
	case SIZE_SLEB: value->v = (uint64_t)pk_cursor_sleb(c); return;
	case SIZE_TEXT: value->text = pk_cursor_string(c); return;
	case SIZE_BLOCK1: value->v = pk_cursor_u8(c); break;
	case SIZE_BLOCK2: value->v = pk_cursor_u16(c); break;
	case SIZE_BLOCK4: value->v = pk_cursor_u32(c); break;
	case SIZE_BLOCK: value->v = pk_cursor_uleb(c); break;
	case SIZE_UNKNOWN: /* The size of this value is unknown, so the values that follow it cannot
			    * be read. */
		c->p = c->end;
		c->bad = true;
		return;
	default:
		value->v = size == 3 ? pk_cursor_u24(c) : pk_cursor_uint(c, (unsigned)size);
		return;
	}
	value->text = (const char *)c->p;
	pk_cursor_skip(c, value->v);
}

void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes)
{
	struct pk_form_value value;
	int size;

	/* If an indirect form refers to another indirect form, the data is treated as damaged. */
	if (form == DW_FORM_indirect)
		form = (unsigned)pk_cursor_uleb(c);
	size = fixed_size(form_of(form), sizes);
	if (size >= 0)
		pk_cursor_skip(c, (uint64_t)size);
	else
		read_value(c, form_of(form), sizes, &value);
}

void pk_form_read(struct pk_cursor *c, const struct pk_unit *unit,
		  const struct pk_abbrev_attr *attr, struct pk_form_value *value)
{
	unsigned form = attr->form;
	struct form is;

	if (form == DW_FORM_indirect)
		form = (unsigned)pk_cursor_uleb(c);
	is = form_of(form);
	*value = (struct pk_form_value){.class = is.class};
	if (is.class == PK_FORM_OTHER) {
		pk_form_skip(c, form, &unit->sizes);
		return;
	}
	if (form == DW_FORM_implicit_const)
		value->v = (uint64_t)(int64_t)attr->constant;
	else if (form == DW_FORM_flag_present)
		value->v = 1;
	else
		read_value(c, is, &unit->sizes, value);
	/* All references except DW_FORM_ref_addr are relative to the header of the unit. */
	if (value->class == PK_FORM_REFERENCE && form != DW_FORM_ref_addr)
		value->v += unit->offset;
	/* Before DWARF 4, an offset in another section had the same form as a number. */
	if (unit->sizes.version < 4 && (form == DW_FORM_data4 || form == DW_FORM_data8))
		value->class = PK_FORM_SECTION_OFFSET;
	if (c->bad)
		value->class = PK_FORM_NONE;
}

/* Reads an element of a table. The table has addresses, or offsets in .debug_str. */
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

/* ---- Abbreviations: the attributes of entries with the same code ---- */

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

/* Reads the attributes of one declaration. Returns PK_CORRUPT if the declaration is damaged, and
 * PK_NOMEM if memory is exhausted. */
static enum pk_status declare_attrs(struct builder *b, struct pk_cursor *c,
				    struct pk_abbrev *abbrev)
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
			return PK_CORRUPT;
		if (!name && !form)
			return PK_OK;
		PK_TRY(pk_need_room(b->failures, pk_reserve(&t->attrs, &b->attrs_room,
							    b->attrs_count, 1, sizeof(*t->attrs))));
		t->attrs[b->attrs_count++] =
			(struct pk_abbrev_attr){(uint16_t)name, (uint16_t)form, (int32_t)constant};
		abbrev->count++;
		size = fixed_size(form_of((unsigned)form), &t->sizes);
		abbrev->size = size < 0 || abbrev->size < 0 ? -1 : abbrev->size + size;
	}
}

static int compare_codes(const void *a, const void *b)
{
	const struct pk_abbrev *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

/* Reads all declarations. A declaration with code 0 or a damaged declaration ends the table. */
static enum pk_status declare_all(struct builder *b, struct pk_cursor *c)
{
	struct pk_abbrevs *t = b->table;
	enum pk_status status;

	t->dense = true;
	for (;;) {
		struct pk_abbrev abbrev = {.code = pk_cursor_uleb(c)};

		abbrev.tag = (uint16_t)pk_cursor_uleb(c);
		abbrev.children = pk_cursor_u8(c);
		if (!abbrev.code || c->bad)
			break;
		status = declare_attrs(b, c, &abbrev);
		if (status == PK_CORRUPT)
			break;
		PK_TRY(status);
		PK_TRY(pk_need_room(b->failures, pk_reserve(&t->list, &b->list_room, t->count, 1,
							    sizeof(*t->list))));
		t->dense &= abbrev.code == t->count + 1;
		t->list[t->count++] = abbrev;
	}
	if (!t->dense)
		qsort(t->list, t->count, sizeof(*t->list), compare_codes);
	return PK_OK;
}

/* Reads a table of abbreviations from at most `size` bytes. Sets *cut to true if the table has more
 * bytes. */
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
	if (declare_all(&b, &c) == PK_OK &&
	    pk_dwarf_spend(f->dwarf, 16 * (uint64_t)(c.p - begin))) {
		*cut = c.bad && size < f->abbrev.size;
		return t;
	}
	free_table(t);
	return NULL;
}

/* The size of a table is not stored. So this function first reads 16 KiB. If the table is not
 * complete, it reads 16 times as many bytes, and so on. */
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
	if (!t || pk_need_room(f->dwarf->failures,
			       pk_table_add(&f->abbrevs, offset, (uintptr_t)t)) == PK_OK)
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
