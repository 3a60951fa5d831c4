// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dwarf_internal.h"

enum { ATTRS_MAX = 4096 };

struct builder {
	struct pk_abbrevs *table;
	struct pk_failures *failures;
	size_t list_room, attrs_count, attrs_room;
};

static void free_table(struct pk_abbrevs *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->attrs);
	free(t);
}

void pk_abbrevs_free(struct pk_dwarf_file *f)
{
	struct pk_abbrevs *t;
	size_t cursor = 0;

	while ((t = pk_table_next_value(&f->abbrevs, &cursor)))
		free_table(t);
	pk_table_free(&f->abbrevs);
}

static void *reserve(struct builder *b, void *list, size_t count, size_t *room, size_t size)
{
	const size_t wanted = *room ? *room * 2 : 64;
	void *more;

	if (count < *room)
		return list;
	more = pk_need(b->failures, realloc(list, wanted * size));
	if (more)
		*room = wanted;
	return more;
}

/* The attributes of one declaration. False: damaged or out of memory. */
static bool take_attrs(struct builder *b, struct pk_cursor *c, struct pk_abbrev *abbrev)
{
	struct pk_abbrevs *t = b->table;

	abbrev->first = (uint32_t)b->attrs_count;
	abbrev->count = 0;
	abbrev->size = 0;
	for (;;) {
		uint64_t name = pk_cursor_uleb(c), form = pk_cursor_uleb(c);
		int64_t constant = form == DW_FORM_implicit_const ? pk_cursor_sleb(c) : 0;
		struct pk_abbrev_attr *attrs;
		int size;

		if (c->bad || name > UINT16_MAX || form > UINT16_MAX || abbrev->count == ATTRS_MAX)
			return false;
		if (!name && !form)
			return true;
		attrs = reserve(b, t->attrs, b->attrs_count, &b->attrs_room, sizeof(*attrs));
		if (!attrs)
			return false;
		t->attrs = attrs;
		attrs[b->attrs_count++] =
			(struct pk_abbrev_attr){(uint16_t)name, (uint16_t)form, (int32_t)constant};
		abbrev->count++;
		size = pk_form_size((unsigned)form, &t->sizes);
		abbrev->size = size < 0 || abbrev->size < 0 ? -1 : abbrev->size + size;
	}
}

static int compare_codes(const void *a, const void *b)
{
	const struct pk_abbrev *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

/* The declarations up to the one of code 0. What is damaged ends the table. */
static bool take_all(struct builder *b, struct pk_cursor *c)
{
	struct pk_abbrevs *t = b->table;

	t->dense = true;
	for (;;) {
		struct pk_abbrev abbrev = {.code = pk_cursor_uleb(c)};
		struct pk_abbrev *list;

		abbrev.tag = (uint16_t)pk_cursor_uleb(c);
		abbrev.children = pk_cursor_u8(c);
		if (!abbrev.code || c->bad || !take_attrs(b, c, &abbrev))
			break;
		list = reserve(b, t->list, t->count, &b->list_room, sizeof(*list));
		if (!list)
			return false;
		t->list = list;
		t->dense &= abbrev.code == t->count + 1;
		list[t->count++] = abbrev;
	}
	if (!t->dense)
		qsort(t->list, t->count, sizeof(*t->list), compare_codes);
	return true;
}

/* *cut: size bytes were not enough for it. */
static struct pk_abbrevs *parse(struct pk_dwarf_file *f, uint64_t offset, uint64_t size,
				const struct pk_form_sizes *sizes, bool *cut)
{
	struct pk_failures *failures = f->dwarf->failures;
	struct pk_abbrevs *t = pk_need(failures, calloc(1, sizeof(*t)));
	struct pk_cursor c = pk_dwarf_section_cursor(&f->abbrev, offset, size);
	struct builder b = {.table = t, .failures = failures};
	const uint8_t *begin = c.p;

	*cut = false;
	if (!t)
		return NULL;
	t->sizes = *sizes;
	if (take_all(&b, &c) && pk_dwarf_spend(f->dwarf, 16 * (uint64_t)(c.p - begin))) {
		*cut = c.bad && size < f->abbrev.size;
		return t;
	}
	free_table(t);
	return NULL;
}

/* Tables stand one behind the other, and nothing tells how long each one is. */
static struct pk_abbrevs *parse_some(struct pk_dwarf_file *f, uint64_t offset,
				     const struct pk_form_sizes *sizes)
{
	struct pk_abbrevs *t;
	bool cut;

	for (uint64_t size = 16 << 10;; size *= 16) {
		t = parse(f, offset, size, sizes, &cut);
		if (!t || !cut)
			return t;
		free_table(t);
	}
}

static bool same_sizes(const struct pk_form_sizes *a, const struct pk_form_sizes *b)
{
	return a->version == b->version && a->address == b->address && a->offset == b->offset;
}

const struct pk_abbrevs *pk_abbrevs_get(struct pk_dwarf_file *f, uint64_t offset,
					const struct pk_form_sizes *sizes)
{
	struct pk_probe probe = pk_table_probe(&f->abbrevs, offset);
	struct pk_abbrevs *t;

	if (!pk_dwarf_spend(f->dwarf, 1))
		return NULL;
	while ((t = (struct pk_abbrevs *)(uintptr_t)pk_probe_next(&probe)))
		if (same_sizes(&t->sizes, sizes))
			return t;
	t = parse_some(f, offset, sizes);
	if (!t || pk_need_room(f->dwarf->failures, pk_table_add(&f->abbrevs, offset, (uintptr_t)t)))
		return t;
	free_table(t);
	return NULL;
}

const struct pk_abbrev *pk_abbrevs_find(const struct pk_abbrevs *t, uint64_t code)
{
	const struct pk_abbrev key = {.code = code};

	if (t->dense)
		return code && code <= t->count ? &t->list[code - 1] : NULL;
	return bsearch(&key, t->list, t->count, sizeof(*t->list), compare_codes);
}
