// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_unit.h"
#include "vector.h"

enum { NESTED_MAX = 64 };

/* The namespaces and classes of a unit. */
struct pk_enclosing {
	struct pk_enclosed {
		uint64_t die, end;
		uint32_t parent;  /* The namespace or class that contains this one, as its index in
				   * `list` plus 1. It is 0 if there is none. */
		const char *name; /* the name of the namespace or class; NULL if it has no name */
	} * list;
	size_t count, room;
};

static bool encloses(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static enum pk_status add_scope(struct pk_enclosing *x, struct pk_unit *unit,
				const struct pk_entry *e, uint32_t parent)
{
	if (x->count >= UINT32_MAX || !pk_dwarf_spend(unit->file->dwarf, 16))
		return PK_NOMEM;
	PK_TRY(pk_need_room(unit->file->dwarf->failures,
			    pk_reserve(&x->list, &x->room, x->count, 1, sizeof(*x->list))));
	x->list[x->count++] =
		(struct pk_enclosed){e->die, unit->end, parent, pk_entry_name(unit, e)};
	return PK_OK;
}

/* Lists the namespaces and classes of a unit. Functions are not listed. So a type in a function
 * gets the same name as a type outside of the function. */
static void read_enclosing(struct pk_enclosing *x, struct pk_unit *unit)
{
	uint32_t open[NESTED_MAX + 1] = {
		0}; /* for each depth: the namespace or class that contains the entries at this
		     * depth, as its index in `list` plus 1 */
	unsigned depth = 1;
	struct pk_entries w;
	struct pk_entry e;

	if (!pk_entries_below(&w, unit, unit->die))
		return;
	while (pk_entries_next(&w)) {
		for (; depth > w.depth; depth--)
			x->list[open[depth] - 1].end = w.die;
		if (!w.abbrev->children) {
			pk_entries_skip(&w);
			continue;
		}
		if (!pk_entries_read(&w, &e))
			return;
		if (!encloses(e.tag) || w.depth == NESTED_MAX) {
			pk_entries_leave_out(&w, e.sibling);
			continue;
		}
		if (add_scope(x, unit, &e, open[w.depth]) != PK_OK)
			return;
		depth = w.depth + 1;
		open[depth] = (uint32_t)x->count;
	}
}

void pk_enclosing_free(struct pk_enclosing *x)
{
	if (!x)
		return;
	free(x->list);
	free(x);
}

/* Returns the index of the innermost namespace or class that contains an entry, plus 1. Returns 0
 * if there is none. */
static uint32_t find_scope(const struct pk_enclosing *x, uint64_t die)
{
	size_t low = 0, high = x->count;
	uint32_t number;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (x->list[middle].die < die)
			low = middle + 1;
		else
			high = middle;
	}
	number = (uint32_t)low;
	while (number && x->list[number - 1].end <= die)
		number = x->list[number - 1].parent;
	return number;
}

size_t pk_enclosing_names(struct pk_unit *unit, uint64_t die, const char **names, size_t room)
{
	const struct pk_enclosing *x;
	size_t n = 0;

	if (!unit->enclosing) {
		unit->enclosing =
			pk_need(unit->file->dwarf->failures, calloc(1, sizeof(*unit->enclosing)));
		if (unit->enclosing)
			read_enclosing(unit->enclosing, unit);
	}
	x = unit->enclosing;
	if (!x)
		return 0;
	for (uint32_t i = find_scope(x, die); i && n < room; i = x->list[i - 1].parent)
		names[n++] = x->list[i - 1].name;
	return n;
}
