// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "type_slots.h"
#include "vector.h"

enum { POINTERS_MAX = 4, MENTIONED_MAX = 4096 };

/* Returns the structure or union to which a type leads. The type can be the structure itself, or
 * lead to it through at most 3 pointers and arrays. Returns PK_TYPE_NONE if it leads to no
 * structure, or if the structure has no definition. */
static pk_type_id structure_of(struct pk_types *t, pk_type_id id)
{
	struct pk_type info;

	for (int i = 0; i < POINTERS_MAX; i++) {
		id = pk_type_strip(t, id);
		if (!pk_type_info(t, id, &info))
			return PK_TYPE_NONE;
		if (info.kind == PK_KIND_OF_STRUCT || info.kind == PK_KIND_OF_UNION)
			return info.declared ? PK_TYPE_NONE : id;
		if (!pk_type_is_address(info.kind) && info.kind != PK_KIND_OF_ARRAY)
			return PK_TYPE_NONE;
		id = info.target;
	}
	return PK_TYPE_NONE;
}

static enum pk_status append(struct pk_types *t, struct pk_type_list *l, pk_type_id id)
{
	PK_TRY(pk_need_room(t->dwarf->failures,
			    pk_reserve(&l->list, &l->room, l->count, 1, sizeof(*l->list))));
	l->list[l->count++] = id;
	return PK_OK;
}

/* ---- Structures of a function ---- */

/* Adds the structure to which a type leads to t->mentioned. Returns false to stop the search. */
static bool mention(struct pk_types *t, pk_type_id type)
{
	struct pk_type_list *l = &t->mentioned;
	const pk_type_id id = structure_of(t, type);

	if (id == PK_TYPE_NONE)
		return true;
	if (!pk_dwarf_spend(t->dwarf, l->count / 16))
		return false;
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i] == id)
			return true;
	return l->count < MENTIONED_MAX && append(t, l, id) == PK_OK;
}

static bool mention_entry(struct pk_types *t, struct pk_unit *unit, struct pk_entries *w)
{
	const unsigned tag = w->abbrev->tag;
	struct pk_unit *type_unit, *name_unit;
	struct pk_entry e;

	if (!pk_entries_read(w, &e))
		return false;
	if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable ||
	    tag == DW_TAG_inlined_subroutine) {
		pk_entry_complete(unit, &e, &type_unit, &name_unit);
		if (!mention(t, pk_type_of_value(t, type_unit, &e.type, PK_TYPE_NONE)))
			return false;
	}
	if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine)
		pk_entries_leave_out(w, e.sibling);
	return true;
}

size_t pk_types_mentioned(struct pk_types *t, uint64_t address, const pk_type_id **types)
{
	struct pk_function function;
	struct pk_entries w;
	struct pk_unit *unit;
	uint64_t die;

	t->mentioned.count = 0;
	*types = NULL;
	if (!pk_types_function(t, address, &function) || !mention(t, function.result) ||
	    !pk_dwarf_function(t->dwarf, address, &unit, &die) || !pk_entries_below(&w, unit, die))
		return 0;
	while (pk_entries_next(&w) && mention_entry(t, unit, &w))
		;
	*types = t->mentioned.list;
	return t->mentioned.count;
}

/* ---- Structures of a unit ---- */

static enum pk_status convert(struct pk_types *t, struct pk_unit *unit, const struct pk_entry *e,
			      struct pk_source_slot *source)
{
	struct pk_conversion c = {
		.to = structure_of(t, pk_type_of_value(t, unit, &e->type, PK_TYPE_NONE))};
	struct pk_function function;

	if (c.to == PK_TYPE_NONE || !pk_function_of_entry(t, unit, e->die, &function) ||
	    function.count != 1)
		return PK_OK;
	c.from = structure_of(t, function.parameters->type);
	if (c.from == PK_TYPE_NONE || c.from == c.to)
		return PK_OK;
	PK_TRY(pk_need_room(t->dwarf->failures,
			    pk_reserve(&source->conversions, &source->conversion_room,
				       source->conversion_count, 1, sizeof(c))));
	source->conversions[source->conversion_count++] = c;
	return PK_OK;
}

/* Adds a structure or a conversion. Skips types inside functions, because other functions cannot
 * use them. Returns false if the list would be incomplete. */
static bool define_entry(struct pk_types *t, struct pk_unit *unit, struct pk_entries *w,
			 struct pk_source_slot *source)
{
	const unsigned tag = w->abbrev->tag;
	struct pk_entry e;

	if (tag == DW_TAG_imported_unit || !pk_entries_read(w, &e) || !pk_dwarf_spend(t->dwarf, 16))
		return false;
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return e.declaration ||
		       append(t, &source->structures, pk_type_of_entry(t, unit, e.die, 0)) == PK_OK;
	case DW_TAG_subprogram:
		pk_entries_leave_out(w, e.sibling);
		return convert(t, unit, &e, source) == PK_OK;
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type: pk_entries_leave_out(w, e.sibling); return true;
	default: return true;
	}
}

/* Adds the structures and conversions in the entries below a unit or a function. */
static bool define_below(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			 struct pk_source_slot *source)
{
	struct pk_entries w;
	bool fine = pk_entries_below(&w, unit, die);

	while (fine && pk_entries_next(&w))
		fine = define_entry(t, unit, &w, source);
	return fine;
}

static struct pk_source_slot *source_of(struct pk_types *t, struct pk_unit *unit)
{
	struct pk_source_slot *source =
		pk_need(t->dwarf->failures,
			pk_table_get_or_add(&t->sources, (uintptr_t)unit, sizeof(*source)));

	if (!source || source->is_read)
		return source;
	source->is_read = true;
	source->complete = define_below(t, unit, unit->die, source);
	source->structures_of_unit = source->structures.count;
	source->conversions_of_unit = source->conversion_count;
	return source;
}

bool pk_types_of_source(struct pk_types *t, uint64_t address, struct pk_source_types *found)
{
	struct pk_source_slot *source;
	struct pk_unit *unit;
	uint64_t die;

	if (!pk_dwarf_function(t->dwarf, address, &unit, &die))
		return false;
	source = source_of(t, unit);
	if (!source || !source->complete)
		return false;
	source->structures.count = source->structures_of_unit;
	source->conversion_count = source->conversions_of_unit;
	if (!define_below(t, unit, die, source))
		return false;
	*found = (struct pk_source_types){
		.structures = source->structures.list,
		.structure_count = source->structures.count,
		.conversions = source->conversions,
		.conversion_count = source->conversion_count,
	};
	return true;
}
