// SPDX-License-Identifier: BSD-2-Clause
/* What an entry is called: it or what it refers to, maybe in another unit or file, has the name. */
#include <stdlib.h>

#include "dwarf_internal.h"

enum { HOPS_MAX = 16 };

/* An entry, and what it says of its name. */
struct naming {
	struct pk_unit *unit;
	uint64_t die; /* in .debug_info */
	struct pk_form_value name, linkage_name, origin;
};

static void take_attr(struct naming *n, unsigned name, const struct pk_form_value *value)
{
	switch (name) {
	case DW_AT_name: n->name = *value; break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name: n->linkage_name = *value; break;
	case DW_AT_abstract_origin:
	case DW_AT_specification: n->origin = *value; break;
	default: break;
	}
}

static bool read_attrs(struct naming *n, uint64_t size)
{
	struct pk_unit *unit = n->unit;
	struct pk_cursor c = pk_dwarf_section_cursor(&unit->file->info, n->die, size);
	const struct pk_abbrev *abbrev;

	if (c.bad)
		return false;
	abbrev = pk_abbrevs_find(unit->abbrevs, pk_cursor_uleb(&c));
	if (!abbrev)
		return false;
	n->name = n->linkage_name = n->origin = (struct pk_form_value){0};
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct pk_abbrev_attr *attr = &unit->abbrevs->attrs[abbrev->first + i];
		struct pk_form_value value;

		pk_form_read(&c, unit, attr, &value);
		take_attr(n, attr->name, &value);
	}
	return !c.bad;
}

/* Entries are short: not all of a large unit is read for one of them. */
static bool read_naming(struct naming *n)
{
	const uint64_t size = n->unit->end - n->die;

	return pk_dwarf_spend(n->unit->file->dwarf, 64) &&
	       ((size > 1024 && read_attrs(n, 1024)) || read_attrs(n, size));
}

/* On to the entry that this one refers to. */
static bool follow(struct naming *n)
{
	struct pk_dwarf_file *f = n->unit->file;

	if (n->origin.class == PK_FORM_REFERENCE_ALT)
		f = pk_dwarf_alt(f->dwarf);
	else if (n->origin.class != PK_FORM_REFERENCE)
		return false;
	n->die = n->origin.v;
	if (f == n->unit->file && n->die >= n->unit->die && n->die < n->unit->end)
		return true;
	n->unit = f ? pk_unit_at(f, n->die) : NULL;
	return n->unit;
}

/* The linkage name says all that a name can; for C there is only the other one. Text that is made
 * is the slot's own; names that stand in the file stay there, since many entries can share one. */
static void work_out(struct naming *n, struct pk_name *name)
{
	struct pk_dwarf *d = n->unit->file->dwarf;
	const char *plain = NULL, *linkage = NULL;

	for (int i = 0; i < HOPS_MAX && !linkage && read_naming(n); i++) {
		linkage = pk_unit_string(n->unit, &n->linkage_name);
		if (!plain)
			plain = pk_unit_string(n->unit, &n->name);
		if (!linkage && !follow(n))
			break;
	}
	name->text = linkage ? linkage : plain;
	if (!name->text)
		return;
	if (linkage && d->options.demangle)
		name->made = pk_name_demangle(&d->names_budget, linkage);
	if (!name->made)
		name->made = pk_name_cut(&d->names_budget, name->text);
	if (name->made)
		name->text = name->made;
}

/* The name of the key, new and unused if there was none. NULL: out of memory. */
static struct pk_name *name_of(struct pk_dwarf *d, uint64_t key)
{
	return pk_need(d->failures, pk_table_get_or_add(&d->names, key, sizeof(struct pk_name)));
}

/* Many are inlined copies of one function: its name is worked out once. */
static void to_origin(struct naming *n)
{
	if (read_naming(n) && !n->name.class && !n->linkage_name.class)
		follow(n);
}

const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope)
{
	struct naming n = {.unit = unit, .die = unit->offset + scope->die};
	struct pk_dwarf *d = unit->file->dwarf;
	struct pk_name *name;
	uint64_t key;

	to_origin(&n);
	if (!n.unit)
		return NULL;
	/* Entries of different files have different addresses in memory, too. */
	key = (uint64_t)(uintptr_t)n.unit->file->info.data + n.die;
	name = name_of(d, key);
	if (!name || name->used)
		return name ? name->text : NULL;
	name->used = true;
	work_out(&n, name);
	return name->text;
}
