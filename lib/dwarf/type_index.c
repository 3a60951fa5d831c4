// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_location.h"
#include "type_slots.h"
#include "vector.h"

/* Builds the index. All units are read once, at the first lookup of a name or an address. */

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

static enum pk_status append_named(struct pk_types *t, const struct pk_named *n)
{
	PK_TRY(pk_need_room(
		t->dwarf->failures,
		pk_reserve(&t->named, &t->named_room, t->named_count, 1, sizeof(*t->named))
			?: pk_table_reserve(&t->names, t->named_count + 1)));
	t->named[t->named_count++] = *n;
	return pk_table_add(&t->names, hash_of(t, n->kind, n->name), t->named_count);
}

/* Adds a name. A definition replaces a declaration. If two definitions have different sizes, the
 * name is ambiguous. */
static void add_name(struct indexing *x, const struct pk_named *n)
{
	struct pk_types *t = x->types;
	struct pk_named *slot;

	/* The budget counts the length of names, because many entries can have the same long name.
	 */
	if (!n->name || !*n->name)
		return;
	if (!pk_dwarf_spend(t->dwarf, strlen(n->name) / 16)) {
		x->failed = true;
		return;
	}
	slot = find_named(t, n->kind, n->name);
	if (!slot) {
		x->failed |= append_named(t, n) != PK_OK;
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

	if (pk_need_room(x->types->dwarf->failures,
			 pk_reserve(&l->list, &l->room, l->count, 1, sizeof(*l->list))) != PK_OK) {
		x->failed = true;
		return;
	}
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

static bool index_place(void *arg, const struct pk_variable *v)
{
	const struct static_place *p = arg;

	if (v->where == PK_WHERE_ADDRESS)
		add_placed(p->x, &p->x->types->placed, p->die, v);
	else if (v->where == PK_WHERE_TLS)
		add_placed(p->x, &p->x->types->thread_local, p->die, v);
	return v->piece_size;
}

/* Adds a variable with static storage. The location of such a variable is an expression that starts
 * with an address. Returns false if the variable has another location or no location. */
static bool index_location(struct indexing *x, const struct pk_entry *e)
{
	static const struct pk_form_value none = {0};
	struct static_place p = {x, e->die};
	const struct pk_variable_location l = {x->types, x->unit, &none, &p, index_place};
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

/* ---- Reading the units ---- */

static void index_type(struct indexing *x, const struct pk_entry *e)
{
	const struct pk_named n = {.name = pk_entry_name(x->unit, e),
				   .unit = x->unit,
				   .die = e->die,
				   .size = e->byte_size.v,
				   .kind = PK_NAMED_TYPE,
				   .declared = e->declaration};

	/* Types that are only declared are not needed. */
	if (!e->declaration)
		add_name(x, &n);
}

/* If the variable has static storage, adds it to the addresses. If the variable is not inside a
 * function, adds it to the names. */
static void index_variable(struct indexing *x, unsigned depth, struct pk_entry *e)
{
	const bool placed = index_location(x, e);
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

static void index_function(struct indexing *x, const struct pk_entry *e)
{
	const struct pk_named n = {.name = pk_entry_linkage_name(x->unit, e),
				   .unit = x->unit,
				   .die = e->die,
				   .kind = PK_NAMED_FUNCTION,
				   .declared = e->low.class == PK_FORM_NONE &&
					       e->ranges.class == PK_FORM_NONE};

	/* Static functions cannot be found by name, because several can have the same name. */
	if (e->external)
		add_name(x, &n);
}

/* Returns true if the children of an entry are not needed. The children of C++ classes are needed,
 * because classes can contain functions and other classes. */
static bool is_plain(const struct pk_entries *w, uint64_t language)
{
	switch (w->abbrev->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type: return pk_language_is_c(language);
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type: return true;
	default: return false;
	}
}

static void index_entry(struct indexing *x, struct pk_entries *w)
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
			index_variable(x, depth, &e);
		else if (tag == DW_TAG_subprogram)
			index_function(x, &e);
		else
			index_type(x, &e);
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
		index_entry(x, &w);
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

void pk_types_index(struct pk_types *t)
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
	pk_types_index(t);
	return find_named(t, kind, name);
}
