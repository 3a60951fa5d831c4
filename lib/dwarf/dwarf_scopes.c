// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_scopes.h"
#include "vector.h"

/* ---- The functions of a unit ---- */

/* Maximum nesting depth of entries. Compilers do not nest entries that deep. At a deeper entry, the
 * rest of the unit is skipped. */
enum { DEPTH_MAX = 512 };

/* The state while the entries of a unit are read. */
struct walk {
	struct pk_unit *unit;
	struct pk_scopes *scopes;
	struct pk_cursor c;
	const uint8_t *unit_bytes;     /* the bytes of the unit, starting with its header */
	uint32_t stack[DEPTH_MAX + 1]; /* for each depth: the index of the scope that contains the
					* entries at this depth */
	unsigned depth;
	uint32_t scope; /* the index of the scope to which add_range() adds address ranges */
};

/* The attributes of one entry. */
struct entry {
	struct pk_form_value low, high, ranges;
	uint64_t call_file, call_line, call_column, call_discriminator;
	uint64_t sibling; /* where the next sibling of the entry is: its distance from the unit's
			   * header; 0 if it is unknown */
};

static bool add_range(void *arg, uint64_t low, uint64_t high)
{
	struct walk *w = arg;
	struct pk_dwarf *d = w->unit->file->dwarf;

	if (!pk_dwarf_is_code(d, low))
		return true;
	if (!w->scopes->list[w->scope].low)
		w->scopes->list[w->scope].low = low;
	return pk_symtable_add(&w->scopes->table, low, high - low, w->scope, 0) == PK_OK;
}

/* Adds a scope, and sets *index to its index. */
static enum pk_status add_scope(struct pk_scopes *s, const struct pk_scope *scope, uint32_t *index,
				struct pk_failures *failures)
{
	PK_TRY(pk_need_room(failures,
			    pk_reserve(&s->list, &s->room, s->count, 1, sizeof(*s->list))));
	*index = (uint32_t)s->count;
	s->list[s->count++] = *scope;
	return PK_OK;
}

static void set_attr(struct entry *e, unsigned name, const struct pk_form_value *value,
		     const struct pk_unit *unit)
{
	switch (name) {
	case DW_AT_sibling: e->sibling = value->v - unit->offset; break;
	case DW_AT_low_pc: e->low = *value; break;
	case DW_AT_high_pc: e->high = *value; break;
	case DW_AT_ranges: e->ranges = *value; break;
	case DW_AT_call_file: e->call_file = value->v; break;
	case DW_AT_call_line: e->call_line = value->v; break;
	case DW_AT_call_column: e->call_column = value->v; break;
	case DW_AT_GNU_discriminator: e->call_discriminator = value->v; break;
	default: break;
	}
}

static void read_entry(struct walk *w, const struct pk_abbrev *abbrev, struct entry *e)
{
	*e = (struct entry){0};
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct pk_abbrev_attr *attr = &w->unit->abbrevs->attrs[abbrev->first + i];
		struct pk_form_value value;

		pk_form_read(&w->c, w->unit, attr, &value);
		set_attr(e, attr->name, &value, w->unit);
	}
}

/* Skips the attributes of an entry. If want_sibling is true, reads them instead, because
 * DW_AT_sibling is needed. */
static void skip_entry(struct walk *w, const struct pk_abbrev *abbrev, bool want_sibling,
		       struct entry *e)
{
	e->sibling = 0;
	if (want_sibling && abbrev->children) {
		read_entry(w, abbrev, e);
		return;
	}
	if (abbrev->size >= 0) {
		pk_cursor_skip(&w->c, (uint64_t)abbrev->size);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count; i++)
		pk_form_skip(&w->c, w->unit->abbrevs->attrs[abbrev->first + i].form,
			     &w->unit->sizes);
}

/* Returns true if entries with this tag contain no functions. Classes can contain functions: the
 * class of a lambda contains its code. */
static bool is_barren(unsigned tag)
{
	return tag == DW_TAG_array_type || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_subroutine_type;
}

/* Adds a function, or an inlined copy of a function. Sets *scope to the scope of the children of
 * the entry. */
static enum pk_status add_function(struct walk *w, const struct pk_abbrev *abbrev, uint32_t die,
				   struct entry *e, uint32_t *scope)
{
	const bool inlined = abbrev->tag == DW_TAG_inlined_subroutine;
	struct pk_scope new = {.parent = *scope, .die = die, .inlined = inlined};

	read_entry(w, abbrev, e);
	e->sibling = 0;
	if (w->c.bad || (e->low.class == PK_FORM_NONE && e->ranges.class == PK_FORM_NONE))
		return PK_OK;
	new.call_file = (uint32_t)e->call_file;
	new.call_line = (uint32_t)e->call_line;
	new.call_column = (uint32_t)e->call_column;
	new.call_discriminator = (uint32_t)e->call_discriminator;
	if (!pk_dwarf_spend(w->unit->file->dwarf, sizeof(new)))
		return PK_NOMEM;
	PK_TRY(add_scope(w->scopes, &new, &w->scope, w->unit->file->dwarf->failures));
	if (!pk_ranges_each(w->unit, &e->low, &e->high, &e->ranges, add_range, w))
		return PK_NOMEM;
	*scope = w->scope;
	return PK_OK;
}

/* Skips the children of an entry if DW_AT_sibling says where they end. */
static bool jump(struct walk *w, const struct entry *e)
{
	const uint8_t *to;

	if (!e->sibling || e->sibling > (uint64_t)(w->c.end - w->unit_bytes))
		return false;
	to = w->unit_bytes + e->sibling;
	if (to <= w->c.p)
		return false;
	w->c.p = to;
	return true;
}

/* Reads one entry. Returns false if the entries end or are damaged. Sets *failed to true if memory
 * is exhausted or the budget is used up. */
static bool step(struct walk *w, bool *failed)
{
	const uint32_t die = (uint32_t)(w->c.p - w->unit_bytes);
	const uint64_t code = pk_cursor_uleb(&w->c);
	const struct pk_abbrev *abbrev;
	uint32_t scope = w->stack[w->depth];
	struct entry e;

	if (!code)
		return !w->c.bad && w->depth-- > 0;
	abbrev = pk_abbrevs_find(w->unit->abbrevs, code);
	if (!abbrev)
		return false;
	if (abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine)
		*failed = add_function(w, abbrev, die, &e, &scope) != PK_OK;
	else
		skip_entry(w, abbrev, is_barren(abbrev->tag), &e);
	if (*failed || w->c.bad)
		return false;
	if (!abbrev->children || jump(w, &e))
		return w->depth > 0;
	if (w->depth == DEPTH_MAX)
		return false;
	w->stack[++w->depth] = scope;
	return true;
}

static bool walk(struct walk *w)
{
	const uint64_t size = w->unit->end - w->unit->offset;
	bool failed = false;

	w->c = pk_dwarf_section_cursor(&w->unit->file->info, w->unit->offset, size);
	if (w->c.bad || size > UINT32_MAX || !pk_dwarf_spend(w->unit->file->dwarf, size))
		return false;
	w->unit_bytes = w->c.p;
	w->c.p += w->unit->die - w->unit->offset;
	while (step(w, &failed))
		;
	return !failed;
}

struct pk_scopes *pk_scopes_read(struct pk_unit *unit)
{
	struct pk_failures *failures = unit->file->dwarf->failures;
	struct pk_scopes *s = pk_need(failures, calloc(1, sizeof(*s)));
	struct walk w = {.unit = unit, .scopes = s};
	const struct pk_scope none = {0};
	uint32_t index;

	if (!s)
		return NULL;
	s->table.failures = failures;
	/* If scopes overlap, the scope that was added last is the innermost scope. The addresses
	 * belong to this scope. */
	if (add_scope(s, &none, &index, failures) == PK_OK && walk(&w) &&
	    pk_symtable_flatten(&s->table, PK_OVERLAP_NEWEST) == PK_OK)
		return s;
	pk_scopes_free(s);
	return NULL;
}

void pk_scopes_free(struct pk_scopes *s)
{
	if (!s)
		return;
	pk_symtable_clear(&s->table);
	free(s->list);
	free(s);
}

/* ---- Names ---- */

/* Finds the names of entries. An entry has a name, or refers to another entry that has a name. This
 * other entry can be in another unit or file. */

enum { HOPS_MAX = 16 };

/* An entry, and the attributes that determine its name. */
struct naming {
	struct pk_unit *unit;
	uint64_t die; /* the offset of the entry in .debug_info */
	struct pk_form_value name, linkage_name, origin;
	uint32_t declared;
};

static void set_name_attr(struct naming *n, unsigned name, const struct pk_form_value *value)
{
	switch (name) {
	case DW_AT_name: n->name = *value; break;
	case DW_AT_decl_line: n->declared = (uint32_t)value->v; break;
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
	n->declared = 0;
	for (uint32_t i = 0; i < abbrev->count; i++) {
		const struct pk_abbrev_attr *attr = &unit->abbrevs->attrs[abbrev->first + i];
		struct pk_form_value value;

		pk_form_read(&c, unit, attr, &value);
		set_name_attr(n, attr->name, &value);
	}
	return !c.bad;
}

/* Reads the attributes. Most entries are short, so it first tries 1 KiB. If that is not enough, it
 * tries all bytes up to the end of the unit. */
static bool read_naming(struct naming *n)
{
	const uint64_t size = n->unit->end - n->die;

	return pk_dwarf_spend(n->unit->file->dwarf, 64) &&
	       ((size > 1024 && read_attrs(n, 1024)) || read_attrs(n, size));
}

/* Moves to the entry to which this entry refers. */
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

/* Finds the text of a name, and the line of the declaration. The linkage name is preferred, because
 * it contains namespaces and parameters. In C, there is only DW_AT_name. If the text was allocated,
 * name->made is its address. Names in the file are not copied, because many entries can have the
 * same name. */
static void work_out(struct naming *n, struct pk_name *name)
{
	struct pk_dwarf *d = n->unit->file->dwarf;
	const bool declared = d->options.declarations;
	const char *plain = NULL, *linkage = NULL;

	for (int i = 0; i < HOPS_MAX && read_naming(n); i++) {
		if (!linkage)
			linkage = pk_unit_string(n->unit, &n->linkage_name);
		if (!plain)
			plain = pk_unit_string(n->unit, &n->name);
		if (!name->declared)
			name->declared = n->declared;
		if ((linkage && (name->declared || !declared)) || !follow(n))
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

/* Returns the slot for the name of an entry. If the slot is new, its member `used` is false.
 * Returns NULL if memory is exhausted. */
static struct pk_name *name_of(struct pk_dwarf *d, uint64_t key)
{
	return pk_need(d->failures, pk_table_get_or_add(&d->names, key, sizeof(struct pk_name)));
}

/* If the entry is an inlined copy, moves to the entry of the function. So the name of the function
 * is built only once. A function that is defined outside of its class is not such a copy: its
 * entry has a line. */
static void to_origin(struct naming *n)
{
	if (read_naming(n) && !n->name.class && !n->linkage_name.class && !n->declared)
		follow(n);
}

/* Finds the name of a function. Returns NULL if there is no entry, or if memory is exhausted. */
static struct pk_name *find_name(struct pk_unit *unit, const struct pk_scope *scope)
{
	struct naming n = {.unit = unit, .die = unit->offset + scope->die};
	struct pk_dwarf *d = unit->file->dwarf;
	struct pk_name *name;
	uint64_t key;

	to_origin(&n);
	if (!n.unit)
		return NULL;
	/* The key is the address of the entry in memory, so it also differs between entries of
	 * different files. */
	key = (uint64_t)(uintptr_t)n.unit->file->info.data + n.die;
	name = name_of(d, key);
	if (!name || name->used)
		return name;
	name->used = true;
	work_out(&n, name);
	return name;
}

/* Returns the name of the function, which is looked up when it is first used. */
static const struct pk_name *scope_name(struct pk_unit *unit, const struct pk_scope *scope)
{
	struct pk_scope *own = &unit->scopes->list[scope - unit->scopes->list];

	if (!own->name)
		own->name = find_name(unit, scope);
	return own->name;
}

const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope)
{
	const struct pk_name *name = scope_name(unit, scope);

	return name ? name->text : NULL;
}

uint32_t pk_scope_declared(struct pk_unit *unit, const struct pk_scope *scope)
{
	const struct pk_name *name = scope_name(unit, scope);

	return name ? name->declared : 0;
}
