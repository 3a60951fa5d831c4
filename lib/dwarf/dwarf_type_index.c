// SPDX-License-Identifier: BSD-2-Clause
/* One pass over all units, when a name or an address is first asked for. */
#include <stdlib.h>

#include "types_internal.h"

struct indexing {
	struct pk_types *types;
	struct pk_unit *unit;
	bool failed;
};

/* ---- Names ---- */

static uint64_t hash_of(const struct pk_types *t, enum pk_named_kind kind, const char *name)
{
	return pk_hash(name, strlen(name), t->names.secret ^ kind);
}

static struct pk_named *find_named(const struct pk_types *t, enum pk_named_kind kind,
				   const char *name)
{
	struct pk_probe probe = pk_table_probe(&t->names, hash_of(t, kind, name));
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct pk_named *named = &t->named[number - 1];

		if (named->kind == kind && !strcmp(named->name, name))
			return named;
	}
	return NULL;
}

/* False: out of memory. */
static bool append_named(struct pk_types *t, const struct pk_named *n)
{
	if (!pk_need_room(
		    t->dwarf->failures,
		    pk_reserve(&t->named, &t->named_room, t->named_count, 1, sizeof(*t->named)) &&
			    pk_table_reserve(&t->names, t->named_count + 1)))
		return false;
	t->named[t->named_count++] = *n;
	return pk_table_add(&t->names, hash_of(t, n->kind, n->name), t->named_count);
}

/* A definition is better than a declaration; two of different sizes are no answer. */
static void add_name(struct indexing *x, const struct pk_named *n)
{
	struct pk_types *t = x->types;
	struct pk_named *slot;

	/* Names are paid for by their length: there may be many uses of one long one. */
	if (!n->name || !*n->name)
		return;
	if (!pk_dwarf_spend(t->dwarf, strlen(n->name) / 16)) {
		x->failed = true;
		return;
	}
	slot = find_named(t, n->kind, n->name);
	if (!slot) {
		x->failed |= !append_named(t, n);
	} else if (slot->declared && !n->declared) {
		*slot = *n;
	} else if (!slot->declared && !n->declared && slot->size != n->size) {
		slot->ambiguous = true;
	}
}

/* ---- Addresses ---- */

static void add_placed(struct indexing *x, struct pk_placed_list *l, uint64_t die,
		       const struct pk_variable *v)
{
	void *list = l->list;

	if (!pk_types_grow(x->types->dwarf->failures, &list, l->count, &l->room,
			   sizeof(*l->list))) {
		x->failed = true;
		return;
	}
	l->list = list;
	l->list[l->count++] = (struct pk_placed){.address = (uint64_t)v->offset,
						 .unit = x->unit,
						 .die = die,
						 .piece = v->piece,
						 .piece_size = v->piece_size};
}

struct static_place {
	struct indexing *x;
	uint64_t die;
};

static bool take_place(void *arg, const struct pk_variable *v)
{
	const struct static_place *p = arg;

	if (v->where == PK_WHERE_ADDRESS)
		add_placed(p->x, &p->x->types->placed, p->die, v);
	else if (v->where == PK_WHERE_TLS)
		add_placed(p->x, &p->x->types->thread_local, p->die, v);
	return v->piece_size;
}

/* Variables in memory for good have an expression, and those of functions mostly a list. */
static bool take_location(struct indexing *x, const struct pk_entry *e)
{
	static const struct pk_form_value none = {0};
	struct static_place p = {x, e->die};
	const struct pk_location l = {x->types, x->unit, &none, &p, take_place};
	const uint8_t op = e->location.class == PK_FORM_BLOCK && e->location.v
				   ? (uint8_t)e->location.text[0]
				   : 0;

	if (op != DW_OP_piece && op != DW_OP_addr && op != DW_OP_addrx &&
	    op != DW_OP_GNU_addr_index && !(op >= DW_OP_const1u && op <= DW_OP_const8s) &&
	    op != DW_OP_constx && op != DW_OP_GNU_const_index)
		return false;
	pk_location_each(&l, &e->location);
	return true;
}

/* ---- The pass ---- */

static void take_type(struct indexing *x, const struct pk_entry *e)
{
	const struct pk_named n = {.name = pk_entry_name(x->unit, e),
				   .unit = x->unit,
				   .die = e->die,
				   .size = e->byte_size.v,
				   .kind = PK_NAMED_TYPE,
				   .declared = e->declaration};

	/* What is only declared is no answer to anybody. */
	if (!e->declaration)
		add_name(x, &n);
}

/* Those of functions are not found by name. */
static void take_variable(struct indexing *x, unsigned depth, struct pk_entry *e)
{
	const bool placed = take_location(x, e);
	struct pk_named n = {
		.unit = x->unit, .die = e->die, .kind = PK_NAMED_VARIABLE, .declared = !placed};
	struct pk_unit *type_unit, *name_unit = x->unit;

	if (depth != 1 || (!placed && !e->external))
		return;
	if (!e->name.class)
		pk_entry_complete(x->unit, e, &type_unit, &name_unit);
	n.name = pk_entry_linkage_name(name_unit, e);
	add_name(x, &n);
}

static void take_function(struct indexing *x, const struct pk_entry *e)
{
	const struct pk_named n = {.name = pk_entry_linkage_name(x->unit, e),
				   .unit = x->unit,
				   .die = e->die,
				   .kind = PK_NAMED_FUNCTION,
				   .declared = e->low.class == PK_FORM_NONE &&
					       e->ranges.class == PK_FORM_NONE};

	/* Static ones of one name may be different functions. */
	if (e->external)
		add_name(x, &n);
}

/* What lies below is of no interest, unless it is C++: there, classes have functions and classes.
 */
static bool is_plain(const struct pk_entries *w, uint64_t language)
{
	const bool is_c = language == 1 || language == 2 || language == 0x0c || language == 0x1d;

	switch (w->abbrev->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type: return is_c;
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type: return true;
	default: return false;
	}
}

static void take_entry(struct indexing *x, struct pk_entries *w)
{
	const unsigned tag = w->abbrev->tag, depth = w->depth;
	const bool plain = is_plain(w, x->unit->language);
	struct pk_entry e = {0};

	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variable:
	case DW_TAG_subprogram:
		if (!pk_entries_read(w, &e))
			return;
		if (tag == DW_TAG_variable)
			take_variable(x, depth, &e);
		else if (tag == DW_TAG_subprogram)
			take_function(x, &e);
		else
			take_type(x, &e);
		break;
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		if (!pk_entries_read(w, &e))
			return;
		break;
	default: pk_entries_skip(w);
	}
	if (plain)
		pk_entries_leave_out(w, e.sibling);
}

static void index_unit(struct indexing *x, struct pk_unit *unit)
{
	struct pk_entries w;

	x->unit = unit;
	if (!unit || !pk_entries_below(&w, unit, unit->die))
		return;
	while (!x->failed && pk_entries_next(&w))
		take_entry(x, &w);
}

static int compare_placed(const void *a, const void *b)
{
	const struct pk_placed *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static void sort_placed(struct pk_placed_list *l)
{
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), compare_placed);
}

static void index_file(struct indexing *x, struct pk_dwarf_file *f)
{
	for (size_t i = 0; f && i < f->unit_count && !x->failed; i++) {
		struct pk_unit *unit = pk_unit_get(f, i);

		index_unit(x, unit ? pk_unit_full(unit) : NULL);
	}
}

static void index_all(struct pk_types *t)
{
	struct indexing x = {.types = t};

	if (t->indexed)
		return;
	t->indexed = true;
	index_file(&x, t->dwarf->own);
	if (!x.failed)
		index_file(&x, pk_dwarf_alt(t->dwarf));
	sort_placed(&t->placed);
	sort_placed(&t->thread_local);
}

const struct pk_named *pk_types_named(struct pk_types *t, enum pk_named_kind kind, const char *name)
{
	index_all(t);
	return find_named(t, kind, name);
}

/* ---- What is asked ---- */

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

/* What is asked for again and again is read once. */
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

/* The last one that begins at or before the address, or another one that begins there: the same
 * variable is often told of by several units. */
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

		/* Of one in pieces, what is not there would be before. */
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
	index_all(t);
	return find_placed(t, &t->placed, address, global);
}

bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global)
{
	index_all(t);
	return find_placed(t, &t->thread_local, offset, global);
}

static bool take_address(void *arg, const struct pk_variable *v)
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
	pk_location_each(&(struct pk_location){t, n->unit, &none, &address, take_address},
			 &e.location);
	return describe(t, n->unit, n->die, address, global);
}
