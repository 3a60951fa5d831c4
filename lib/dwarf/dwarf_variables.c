// SPDX-License-Identifier: BSD-2-Clause
/* The variables of a function: all of them are collected once, and chosen by address. */
#include <stdlib.h>

#include "types_internal.h"

enum { SCOPES_MAX = 128, VARIABLES_MAX = 1 << 20 };

struct span {
	uint64_t low, high;
};

/* The ranges of the block, or inlined function, at each depth: [first, end) of the spans. */
struct block {
	size_t first, end;
	uint16_t depth;
	bool inlined;
};

struct collecting {
	struct pk_types *types;
	struct pk_unit *unit;
	struct pk_entry function;
	struct span *spans;
	size_t span_count, span_room;
	struct block blocks[SCOPES_MAX];
	struct pk_variable like; /* what is known of the one whose places are being told of */
	const struct block *block;
};

static bool add(struct collecting *c, const struct pk_variable *v)
{
	struct pk_variable_list *l = &c->types->variables;
	void *list = l->list;

	if (l->count == VARIABLES_MAX || !pk_dwarf_spend(c->types->dwarf, 16) ||
	    !pk_types_grow(c->types->dwarf->failures, &list, l->count, &l->room, sizeof(*l->list)))
		return false;
	l->list = list;
	l->list[l->count++] = *v;
	return true;
}

/* An expression without a list holds wherever its block is. */
static bool take_place(void *arg, const struct pk_variable *place)
{
	const bool everywhere = !place->low && place->high == UINT64_MAX;
	struct collecting *c = arg;
	struct pk_variable v = *place;

	v.name = c->like.name;
	v.type = c->like.type;
	v.parameter = c->like.parameter;
	v.inlined = c->block->inlined;
	v.depth = c->block->depth;
	if (!everywhere)
		return add(c, &v);
	for (size_t i = c->block->first; i < c->block->end; i++) {
		v.low = c->spans[i].low;
		v.high = c->spans[i].high;
		if (!add(c, &v))
			return false;
	}
	return true;
}

static bool take_variable(struct collecting *c, const struct block *block, struct pk_entry *e)
{
	const struct pk_location l = {c->types, c->unit, &c->function.frame_base, c, take_place};
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
	void *spans = c->spans;

	if (!pk_types_grow(c->types->dwarf->failures, &spans, c->span_count, &c->span_room,
			   sizeof(*c->spans)))
		return false;
	c->spans = spans;
	c->spans[c->span_count++] = (struct span){low, high};
	return true;
}

/* One without addresses is as large as what is around it. */
static bool enter_block(struct collecting *c, unsigned depth, const struct pk_entry *e)
{
	const struct block *around = &c->blocks[depth - 1];
	struct block *b = &c->blocks[depth];

	*b = *around;
	b->depth = (uint16_t)depth;
	b->inlined |= e->tag == DW_TAG_inlined_subroutine;
	if (e->low.class == PK_FORM_NONE && e->ranges.class == PK_FORM_NONE)
		return true;
	c->span_count = b->first = around->end;
	if (!pk_ranges_each(c->unit, &e->low, &e->high, &e->ranges, add_span, c))
		return false;
	b->end = c->span_count;
	return true;
}

/* False: it is to be stopped. */
static bool take_entry(struct collecting *c, struct pk_entries *w)
{
	const unsigned depth = w->depth, tag = w->abbrev->tag;
	struct pk_entry e;

	if (!pk_entries_read(w, &e))
		return false;
	switch (tag) {
	case DW_TAG_formal_parameter:
	case DW_TAG_variable: return take_variable(c, &c->blocks[depth - 1], &e);
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
		while (pk_entries_next(&w) && take_entry(c, &w))
			;
	}
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), compare_variables);
	free(c->spans);
	free(c);
}

/* The budget is for what the file makes of one question; one that is asked again has been paid for.
 */
static void collect(struct pk_types *t, struct pk_unit *unit, uint64_t die)
{
	struct pk_function_slot *f = pk_types_function_slot(t, unit, die);
	const bool again = f && f->collected;
	const uint64_t budget = t->dwarf->budget;

	collect_all(t, unit, die);
	if (again && !t->dwarf->failed)
		t->dwarf->budget = budget;
	/* The slots may have moved. */
	f = pk_types_function_slot(t, unit, die);
	if (f)
		f->collected = true;
}

/* Those that hold for some address in [low, high). */
static bool choose(struct pk_types *t, uint64_t low, uint64_t high)
{
	const struct pk_variable_list *all = &t->variables;
	struct pk_variable_list *l = &t->chosen;

	l->count = 0;
	for (size_t i = 0; i < all->count && all->list[i].low < high; i++) {
		void *list = l->list;

		if (all->list[i].high <= low)
			continue;
		if (!pk_types_grow(t->dwarf->failures, &list, l->count, &l->room, sizeof(*l->list)))
			return false;
		l->list = list;
		l->list[l->count++] = all->list[i];
	}
	return true;
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
	if (!choose(t, low, high))
		return 0;
	*variables = t->chosen.list;
	return t->chosen.count;
}
