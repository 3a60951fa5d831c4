// SPDX-License-Identifier: BSD-2-Clause
#include "dwarf_internal.h"

struct list {
	struct pk_unit *unit;
	struct pk_dwarf_section *section;
	struct pk_cursor c;
	uint64_t base;
	pk_range_fn each;
	void *arg;
};

static bool give(struct list *l, uint64_t low, uint64_t high)
{
	return pk_dwarf_spend(l->unit->file->dwarf, 24) &&
	       (low >= high || l->each(l->arg, low, high));
}

/* Only the list itself tells where it ends: a piece of the section at a time. */
static void begin(struct list *l, struct pk_dwarf_section *section, uint64_t offset)
{
	l->section = section;
	l->c = pk_dwarf_section_cursor(section, offset, 1024);
}

static void go_on(struct list *l)
{
	enum { ENTRY_MAX = 1 + 2 * 16 };

	if (!l->c.bad && l->c.end - l->c.p < ENTRY_MAX)
		begin(l, l->section, (uint64_t)(l->c.p - l->section->data));
}

/* .debug_ranges, up to DWARF 4: pairs of addresses; a first one of all ones sets the base. */
static bool read_pairs(struct list *l)
{
	const unsigned size = l->unit->sizes.address;
	const uint64_t ones = size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t low, high;

		go_on(l);
		low = pk_cursor_uint(&l->c, size);
		high = pk_cursor_uint(&l->c, size);
		if (l->c.bad || (!low && !high))
			return true;
		if (low == ones)
			l->base = high;
		else if (!give(l, l->base + low, l->base + high))
			return false;
	}
}

static uint64_t indexed(struct list *l)
{
	const struct pk_form_value value = {.class = PK_FORM_ADDRESS_INDEX,
					    .v = pk_cursor_uleb(&l->c)};
	uint64_t address = 0;

	if (!pk_unit_address(l->unit, &value, &address))
		l->c.bad = true;
	return address;
}

/* One entry of .debug_rnglists. False: it was the last one, or *stop. */
static bool read_entry(struct list *l, bool *stop)
{
	const unsigned size = l->unit->sizes.address;
	uint64_t low = 0, high = 0;

	switch (pk_cursor_u8(&l->c)) {
	case DW_RLE_base_addressx: l->base = indexed(l); break;
	case DW_RLE_startx_endx:
		low = indexed(l);
		high = indexed(l);
		break;
	case DW_RLE_startx_length:
		low = indexed(l);
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
	*stop = !give(l, low, high);
	return !*stop;
}

/* Where the list is that an index stands for. */
static bool list_offset(struct pk_unit *unit, uint64_t index, uint64_t *offset)
{
	const unsigned size = unit->sizes.offset;
	struct pk_dwarf_section *s = &unit->file->rnglists;
	struct pk_cursor c;

	if (index > s->size || unit->rnglists_base > s->size)
		return false;
	c = pk_dwarf_section_cursor(s, unit->rnglists_base + index * size, size);
	*offset = unit->rnglists_base + pk_cursor_uint(&c, size);
	return !c.bad;
}

static bool read_list(struct list *l, const struct pk_form_value *ranges)
{
	struct pk_unit *unit = l->unit;
	struct pk_unit *skeleton = unit->skeleton ? unit->skeleton : unit;
	uint64_t offset = ranges->v;
	bool stop = false;

	if (unit->sizes.version < 5) {
		if (unit->skeleton)
			offset += skeleton->ranges_base;
		begin(l, &skeleton->file->ranges, offset);
		return read_pairs(l);
	}
	if (ranges->class == PK_FORM_LIST_INDEX && !list_offset(unit, ranges->v, &offset))
		return true;
	begin(l, &unit->file->rnglists, offset);
	while (!l->c.bad && read_entry(l, &stop))
		go_on(l);
	return !stop;
}

bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg)
{
	struct pk_unit *owner = unit->skeleton ? unit->skeleton : unit;
	struct list l = {.unit = unit, .base = owner->base, .each = each, .arg = arg};
	uint64_t first, end;

	if (ranges->class == PK_FORM_SECTION_OFFSET || ranges->class == PK_FORM_LIST_INDEX ||
	    ranges->class == PK_FORM_CONSTANT)
		return read_list(&l, ranges);
	if (!pk_unit_address(unit, low, &first) || high->class == PK_FORM_NONE)
		return true;
	/* From DWARF 4 on it may be the size. */
	if (!pk_unit_address(unit, high, &end))
		end = first + high->v;
	return give(&l, first, end);
}
