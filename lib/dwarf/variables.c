// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_location.h"
#include "type_slots.h"
#include "vector.h"

/* ---- Queries by name and address ---- */

static void measure(struct pk_types *t, struct pk_global *global)
{
	struct pk_type type;

	pk_type_info(t, global->type, &type);
	global->size = type.size ? type.size : 1;
}

static bool describe(struct pk_types *t, struct pk_unit *unit, uint64_t die, uint64_t address,
		     struct pk_global *global)
{
	struct pk_unit *type_unit, *name_unit;
	struct pk_entry e;

	*global = (struct pk_global){.address = address};
	if (!pk_entry_read(unit, die, &e))
		return false;
	pk_entry_complete(unit, &e, &type_unit, &name_unit);
	global->name = pk_entry_name(name_unit, &e);
	global->type = pk_type_of_value(t, type_unit, &e.type, PK_TYPE_NONE);
	measure(t, global);
	return global->name && global->type;
}

/* Describes a variable. Reads its entry only at the first lookup. */
static bool describe_placed(struct pk_types *t, struct pk_placed *p, uint64_t address,
			    struct pk_global *global)
{
	if (!p->described) {
		p->described = true;
		if (!describe(t, p->unit, p->die, address, global))
			return false;
		p->name = global->name;
		p->type = global->type;
	}
	*global = (struct pk_global){p->name, p->type, address, 0};
	measure(t, global);
	return p->name;
}

/* Finds the variable that contains the address. It is the last variable that starts at or before
 * the address. Several variables can start at the same place, because several units can describe
 * the same variable. So up to 8 of them are tried. */
static bool find_placed(struct pk_types *t, const struct pk_placed_list *l, uint64_t address,
			struct pk_global *global)
{
	size_t low = 0, n = l->count;
	uint64_t begin;

	while (n > 1) {
		const size_t half = n / 2;

		low += l->list[low + half].address <= address ? half : 0;
		n -= half;
	}
	begin = n ? l->list[low].address : 0;
	for (int tries = 0; n && tries < 8 && l->list[low].address == begin; tries++, low--) {
		struct pk_placed *p = &l->list[low];

		/* The first p->piece bytes of the variable are not in this piece. */
		if (describe_placed(t, p, begin - p->piece, global) && address >= begin &&
		    address - begin < (p->piece_size ? p->piece_size : global->size) &&
		    address - global->address < global->size)
			return true;
		if (!low)
			break;
	}
	return false;
}

bool pk_types_global(struct pk_types *t, uint64_t address, struct pk_global *global)
{
	pk_types_index(t);
	return find_placed(t, &t->placed, address, global);
}

bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global)
{
	pk_types_index(t);
	return find_placed(t, &t->thread_local, offset, global);
}

static bool keep_address(void *arg, const struct pk_variable *v)
{
	if (v->where == PK_WHERE_ADDRESS)
		*(uint64_t *)arg = (uint64_t)v->offset;
	return false;
}

bool pk_types_global_named(struct pk_types *t, const char *name, struct pk_global *global)
{
	static const struct pk_form_value none = {0};
	const struct pk_named *n = pk_types_named(t, PK_NAMED_VARIABLE, name);
	uint64_t address = 0;
	struct pk_entry e;

	if (!n || !pk_entry_read(n->unit, n->die, &e))
		return false;
	pk_location_each(&(struct pk_variable_location){t, n->unit, &none, &address, keep_address},
			 &e.location);
	return describe(t, n->unit, n->die, address, global);
}

void pk_types_globals(struct pk_types *t, pk_global_fn each, void *arg)
{
	struct pk_global global;

	pk_types_index(t);
	for (size_t i = 0; i < t->named_count; i++)
		if (t->named[i].kind == PK_NAMED_VARIABLE &&
		    pk_types_global_named(t, t->named[i].name, &global) && global.address)
			each(arg, t->named[i].name, &global);
}

/* ---- Functions: parameters and results, which are decoded once ---- */

enum { PARAMETERS_MAX = 4096 };

static enum pk_status add_parameter(struct pk_types *t, struct pk_function_slot *f, size_t *room,
				    struct pk_entry *e)
{
	struct pk_unit *type_unit, *name_unit;
	struct pk_parameter p;

	pk_entry_complete(f->unit, e, &type_unit, &name_unit);
	p.name = pk_entry_name(name_unit, e);
	p.type = pk_type_of_value(t, type_unit, &e->type, PK_TYPE_NONE);
	if (f->is.count == PARAMETERS_MAX)
		return PK_NOMEM;
	PK_TRY(pk_need_room(t->dwarf->failures,
			    pk_reserve(&f->parameters, room, f->is.count, 1, sizeof(p))));
	f->parameters[f->is.count++] = p;
	return PK_OK;
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
		if (e.tag == DW_TAG_formal_parameter && add_parameter(t, f, &room, &e) != PK_OK)
			return;
		pk_entries_leave_out(&w, e.sibling);
	}
}

/* Stores the start of the first range. If a function has several ranges, its entry is there. */
static bool keep_low(void *arg, uint64_t low, uint64_t high)
{
	(void)high;
	*(uint64_t *)arg = low;
	return false;
}

/* Returns the slot of a function, and creates it when it is first used. Returns NULL if memory is
 * exhausted. */
static struct pk_function_slot *pk_types_function_slot(struct pk_types *t, struct pk_unit *unit,
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
	if (pk_need_room(t->dwarf->failures, pk_table_add(&t->functions, key, (uintptr_t)f)) ==
	    PK_OK)
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
	pk_ranges_each(unit, &e.low, &e.high, &e.ranges, keep_low, &f->is.start);
	pk_entry_complete(unit, &e, &type_unit, &name_unit);
	read_parameters(t, f);
	f->is.name = pk_entry_name(name_unit, &e);
	f->is.result = pk_type_of_value(t, type_unit, &e.type, PK_TYPE_VOID);
	f->is.parameters = f->parameters;
	/* The parameters are unknown only if this is a declaration without a prototype. */
	f->is.prototyped = e.prototyped || f->is.count || f->is.start;
}

bool pk_function_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
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
	       pk_function_of_entry(t, unit, die, function);
}

bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function)
{
	const struct pk_named *n = pk_types_named(t, PK_NAMED_FUNCTION, name);

	return n && pk_function_of_entry(t, n->unit, n->die, function);
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
	return pk_function_of_entry(t, s->unit, s->die, function);
}

/* ---- Variables of functions ---- */

/* The variables of a function are collected once. Then they are selected by address. */

enum { SCOPES_MAX = 128, VARIABLES_MAX = 1 << 20 };

struct span {
	uint64_t low, high;
};

/* A block or an inlined function. Its address ranges are [first, end) in the array `spans`. */
struct block {
	size_t first, end;
	uint64_t function;
	uint16_t depth;
	bool inlined;
};

/* The state while the variables of a function are collected. */
struct collecting {
	struct pk_types *types;
	struct pk_unit *unit;
	struct pk_entry function;
	struct span *spans;
	size_t span_count, span_room;
	struct block blocks[SCOPES_MAX];
	struct pk_variable like; /* the variable to which add_place() adds locations */
	const struct block *block;
};

static enum pk_status append(struct collecting *c, const struct pk_variable *v)
{
	struct pk_variable_list *l = &c->types->variables;

	if (l->count == VARIABLES_MAX || !pk_dwarf_spend(c->types->dwarf, 16))
		return PK_NOMEM;
	PK_TRY(pk_need_room(c->types->dwarf->failures,
			    pk_reserve(&l->list, &l->room, l->count, 1, sizeof(*l->list))));
	l->list[l->count++] = *v;
	return PK_OK;
}

/* Adds a location of the variable c->like. If the location is an expression that is not in a list,
 * it is valid in the whole block. */
static bool add_place(void *arg, const struct pk_variable *place)
{
	const bool everywhere = !place->low && place->high == UINT64_MAX;
	struct collecting *c = arg;
	struct pk_variable v = *place;

	v.name = c->like.name;
	v.type = c->like.type;
	v.parameter = c->like.parameter;
	v.inlined = c->block->inlined;
	v.function = c->block->function;
	v.depth = c->block->depth;
	if (!everywhere)
		return append(c, &v) == PK_OK;
	for (size_t i = c->block->first; i < c->block->end; i++) {
		v.low = c->spans[i].low;
		v.high = c->spans[i].high;
		if (append(c, &v) != PK_OK)
			return false;
	}
	return true;
}

static bool collect_variable(struct collecting *c, const struct block *block, struct pk_entry *e)
{
	const struct pk_variable_location l = {c->types, c->unit, &c->function.frame_base, c,
					       add_place};
	struct pk_unit *type_unit, *name_unit;

	if (e->location.class == PK_FORM_NONE)
		return true;
	pk_entry_complete(c->unit, e, &type_unit, &name_unit);
	c->like = (struct pk_variable){
		.name = pk_entry_name(name_unit, e),
		.type = pk_type_of_value(c->types, type_unit, &e->type, PK_TYPE_NONE),
		.parameter = e->tag == DW_TAG_formal_parameter,
	};
	c->block = block;
	return !c->like.type || pk_location_each(&l, &e->location);
}

static bool add_span(void *arg, uint64_t low, uint64_t high)
{
	struct collecting *c = arg;

	if (pk_need_room(c->types->dwarf->failures,
			 pk_reserve(&c->spans, &c->span_room, c->span_count, 1,
				    sizeof(*c->spans))) != PK_OK)
		return false;
	c->spans[c->span_count++] = (struct span){low, high};
	return true;
}

/* Starts a block. If the block has no address ranges, it gets the ranges of the enclosing block. */
static bool enter_block(struct collecting *c, unsigned depth, const struct pk_entry *e)
{
	const struct block *around = &c->blocks[depth - 1];
	struct block *b = &c->blocks[depth];

	*b = *around;
	b->depth = (uint16_t)depth;
	b->inlined |= e->tag == DW_TAG_inlined_subroutine;
	if (e->tag == DW_TAG_inlined_subroutine)
		b->function = e->die;
	if (e->low.class == PK_FORM_NONE && e->ranges.class == PK_FORM_NONE)
		return true;
	c->span_count = b->first = around->end;
	if (!pk_ranges_each(c->unit, &e->low, &e->high, &e->ranges, add_span, c))
		return false;
	b->end = c->span_count;
	return true;
}

/* Reads a variable or a block. Returns false to stop the search. */
static bool collect_entry(struct collecting *c, struct pk_entries *w)
{
	const unsigned depth = w->depth, tag = w->abbrev->tag;
	struct pk_entry e;

	if (!pk_entries_read(w, &e))
		return false;
	switch (tag) {
	case DW_TAG_formal_parameter:
	case DW_TAG_variable: return collect_variable(c, &c->blocks[depth - 1], &e);
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		if (depth < SCOPES_MAX)
			return enter_block(c, depth, &e);
	}
	pk_entries_leave_out(w, e.sibling);
	return true;
}

static int compare_variables(const void *a, const void *b)
{
	const struct pk_variable *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void collect_all(struct pk_types *t, struct pk_unit *unit, uint64_t die)
{
	struct collecting *c = pk_need(t->dwarf->failures, calloc(1, sizeof(*c)));
	struct pk_variable_list *l = &t->variables;
	struct pk_entries w;

	l->count = 0;
	t->variables_unit = unit;
	t->variables_die = die;
	if (!c)
		return;
	c->types = t;
	c->unit = unit;
	if (pk_entry_read(unit, die, &c->function) && pk_entries_below(&w, unit, die) &&
	    pk_ranges_each(unit, &c->function.low, &c->function.high, &c->function.ranges, add_span,
			   c)) {
		c->blocks[0].end = c->span_count;
		c->blocks[0].function = die;
		while (pk_entries_next(&w) && collect_entry(c, &w))
			;
	}
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), compare_variables);
	free(c->spans);
	free(c);
}

/* Collects the variables of a function. If they were collected before, the repeated work is not
 * subtracted from the budget. */
static void collect(struct pk_types *t, struct pk_unit *unit, uint64_t die)
{
	struct pk_function_slot *f = pk_types_function_slot(t, unit, die);
	const bool again = f && f->collected;
	const uint64_t budget = t->dwarf->budget;

	collect_all(t, unit, die);
	if (again && !t->dwarf->failed)
		t->dwarf->budget = budget;
	if (f)
		f->collected = true;
}

/* Selects the variables that are valid at an address in [low, high). */
static enum pk_status choose(struct pk_types *t, uint64_t low, uint64_t high)
{
	const struct pk_variable_list *all = &t->variables;
	struct pk_variable_list *l = &t->chosen;

	l->count = 0;
	for (size_t i = 0; i < all->count && all->list[i].low < high; i++) {

		if (all->list[i].high <= low)
			continue;
		PK_TRY(pk_need_room(t->dwarf->failures,
				    pk_reserve(&l->list, &l->room, l->count, 1, sizeof(*l->list))));
		l->list[l->count++] = all->list[i];
	}
	return PK_OK;
}

size_t pk_types_variables(struct pk_types *t, uint64_t low, uint64_t high,
			  const struct pk_variable **variables)
{
	struct pk_unit *unit;
	uint64_t die;

	*variables = NULL;
	if (!pk_dwarf_function(t->dwarf, low, &unit, &die))
		return 0;
	if (t->variables_unit != unit || t->variables_die != die)
		collect(t, unit, die);
	if (choose(t, low, high) != PK_OK)
		return 0;
	*variables = t->chosen.list;
	return t->chosen.count;
}
