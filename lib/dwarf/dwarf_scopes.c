// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_internal.h"

/* Deeper nesting than any compiler makes: what lies below is left out. */
enum { DEPTH_MAX = 512 };

struct walk {
	struct pk_unit *unit;
	struct pk_scopes *scopes;
	struct pk_cursor c;
	const uint8_t *unit_bytes;     /* at the unit's offset */
	uint32_t stack[DEPTH_MAX + 1]; /* the scope at each depth */
	unsigned depth;
	uint32_t scope; /* that ranges are being added for */
};

struct entry {
	struct pk_form_value low, high, ranges;
	uint64_t call_file, call_line, call_column;
	uint64_t sibling; /* behind the unit's offset; 0: not told */
};

static bool add_range(void *arg, uint64_t low, uint64_t high)
{
	struct walk *w = arg;
	struct pk_dwarf *d = w->unit->file->dwarf;

	if (!pk_dwarf_is_code(d, low))
		return true;
	if (!w->scopes->list[w->scope].low)
		w->scopes->list[w->scope].low = low;
	return pk_symtable_add(&w->scopes->table, low, high - low, w->scope, 0);
}

/* *index: of a new scope. */
static bool add_scope(struct pk_scopes *s, const struct pk_scope *scope, uint32_t *index,
		      struct pk_failures *failures)
{
	if (s->count == s->room) {
		size_t room = s->room ? s->room * 2 : 64;
		struct pk_scope *list = pk_need(failures, realloc(s->list, room * sizeof(*list)));

		if (!list)
			return false;
		s->list = list;
		s->room = room;
	}
	*index = (uint32_t)s->count;
	s->list[s->count++] = *scope;
	return true;
}

static void take_attr(struct entry *e, unsigned name, const struct pk_form_value *value,
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
		take_attr(e, attr->name, &value, w->unit);
	}
}

/* Only where the entries below it end is of interest. */
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

/* Is there no code below an entry of that kind? There is below classes: that of lambdas. */
static bool is_barren(unsigned tag)
{
	return tag == DW_TAG_array_type || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_subroutine_type;
}

/* A function, or one that is inlined here: *scope is what its children are in. */
static bool take_function(struct walk *w, const struct pk_abbrev *abbrev, uint32_t die,
			  struct entry *e, uint32_t *scope)
{
	const bool inlined = abbrev->tag == DW_TAG_inlined_subroutine;
	struct pk_scope new = {.parent = *scope, .die = die, .inlined = inlined};

	read_entry(w, abbrev, e);
	e->sibling = 0;
	if (w->c.bad || (e->low.class == PK_FORM_NONE && e->ranges.class == PK_FORM_NONE))
		return true;
	new.call_file = (uint32_t)e->call_file;
	new.call_line = (uint32_t)e->call_line;
	new.call_column = (uint32_t)e->call_column;
	if (!pk_dwarf_spend(w->unit->file->dwarf, sizeof(new)) ||
	    !add_scope(w->scopes, &new, &w->scope, w->unit->file->dwarf->failures) ||
	    !pk_ranges_each(w->unit, &e->low, &e->high, &e->ranges, add_range, w))
		return false;
	*scope = w->scope;
	return true;
}

/* Goes on behind the children, if their entry says where that is. */
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

/* One entry. False: no more, or out of memory (*failed). */
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
		*failed = !take_function(w, abbrev, die, &e, &scope);
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
	/* What begins later lies deeper, and has the bytes. */
	if (add_scope(s, &none, &index, failures) && walk(&w) &&
	    pk_symtable_flatten(&s->table, PK_OVERLAP_NEWEST))
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
