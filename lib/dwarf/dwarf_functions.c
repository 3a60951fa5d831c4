// SPDX-License-Identifier: BSD-2-Clause
/* What functions take and return, each worked out once. */
#include <stdlib.h>

#include "types_internal.h"

enum { PARAMETERS_MAX = 4096 };

static bool take_parameter(struct pk_types *t, struct pk_function_slot *f, size_t *room,
			   struct pk_entry *e)
{
	struct pk_unit *type_unit, *name_unit;
	struct pk_parameter p;
	void *list = f->parameters;

	pk_entry_complete(f->unit, e, &type_unit, &name_unit);
	p.name = pk_entry_name(name_unit, e);
	p.type = pk_type_of_value(t, type_unit, &e->type, PK_TYPE_NONE);
	if (f->is.count == PARAMETERS_MAX ||
	    !pk_types_grow(t->dwarf->failures, &list, f->is.count, room, sizeof(p)))
		return false;
	f->parameters = list;
	f->parameters[f->is.count++] = p;
	return true;
}

static void read_parameters(struct pk_types *t, struct pk_function_slot *f)
{
	struct pk_entries w;
	struct pk_entry e;
	size_t room = 0;

	if (!pk_entries_below(&w, f->unit, f->die))
		return;
	while (pk_entries_next(&w) && pk_entries_read(&w, &e)) {
		if (e.tag == DW_TAG_unspecified_parameters)
			f->is.variadic = true;
		if (e.tag == DW_TAG_formal_parameter && !take_parameter(t, f, &room, &e))
			return;
		pk_entries_leave_out(&w, e.sibling);
	}
}

/* A function that has several ranges is entered where the first one begins. */
static bool take_range(void *arg, uint64_t low, uint64_t high)
{
	(void)high;
	*(uint64_t *)arg = low;
	return false;
}

struct pk_function_slot *pk_types_function_slot(struct pk_types *t, struct pk_unit *unit,
						uint64_t die)
{
	const uint64_t key = (uint64_t)(uintptr_t)unit->file + die;
	struct pk_probe probe = pk_table_probe(&t->functions, key);
	struct pk_function_slot *f;

	while ((f = (struct pk_function_slot *)(uintptr_t)pk_probe_next(&probe)))
		if (f->die == die && f->unit->file == unit->file)
			return f;
	f = pk_need(t->dwarf->failures, calloc(1, sizeof(*f)));
	if (!f)
		return NULL;
	*f = (struct pk_function_slot){.unit = unit, .die = die};
	if (pk_need_room(t->dwarf->failures, pk_table_add(&t->functions, key, (uintptr_t)f)))
		return f;
	free(f);
	return NULL;
}

static void read_function(struct pk_types *t, struct pk_function_slot *f)
{
	struct pk_unit *unit = f->unit, *type_unit, *name_unit;
	struct pk_entry e;

	if (!pk_entry_read(unit, f->die, &e))
		return;
	pk_ranges_each(unit, &e.low, &e.high, &e.ranges, take_range, &f->is.start);
	pk_entry_complete(unit, &e, &type_unit, &name_unit);
	read_parameters(t, f);
	f->is.name = pk_entry_name(name_unit, &e);
	f->is.result = pk_type_of_value(t, type_unit, &e.type, PK_TYPE_VOID);
	f->is.parameters = f->parameters;
	/* Definitions tell all that is to be told, but those of C that have no list. */
	f->is.prototyped = e.prototyped || f->is.count || f->is.start;
}

static bool describe(struct pk_types *t, struct pk_unit *unit, uint64_t die,
		     struct pk_function *function)
{
	struct pk_function_slot *f = pk_types_function_slot(t, unit, die);

	*function = (struct pk_function){0};
	if (!f)
		return false;
	if (!f->described) {
		f->described = true;
		read_function(t, f);
	}
	*function = f->is;
	return function->result;
}

bool pk_types_function(struct pk_types *t, uint64_t address, struct pk_function *function)
{
	struct pk_unit *unit;
	uint64_t die;

	return pk_dwarf_function(t->dwarf, address, &unit, &die) &&
	       describe(t, unit, die, function);
}

bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function)
{
	const struct pk_named *n = pk_types_named(t, PK_NAMED_FUNCTION, name);

	return n && describe(t, n->unit, n->die, function);
}

bool pk_type_function(struct pk_types *t, pk_type_id id, struct pk_function *function)
{
	const struct pk_type_slot *s;
	pk_type_id real = pk_type_strip(t, id);

	s = pk_type_slot(t, real);
	if (s && pk_type_is_address(s->type.kind)) {
		real = pk_type_strip(t, s->type.target);
		s = pk_type_slot(t, real);
	}
	if (!s || s->type.kind != PK_KIND_OF_FUNCTION || !s->unit)
		return false;
	return describe(t, s->unit, s->die, function);
}
