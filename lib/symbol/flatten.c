/* SPDX-License-Identifier: BSD-2-Clause */
/* Overlapping symbols made disjoint, so that a lookup is one binary search. */
#include <stdlib.h>

#include "symtable.h"

/* A sweep over the starts; the heap has the symbols that are open, the one to show on top. */
struct sweep {
	const struct pk_symtable_entry *in;
	struct pk_symtable_entry *out;
	size_t count;
	enum pk_overlap overlap;
	uint32_t *heap;
	size_t open;
	uint64_t pos;	/* all before it has been written */
	uint32_t shown; /* whose piece was written last */
	uint64_t upto;	/* and how far it was shown */
};

static uint64_t end_of(const struct pk_symtable_entry *e)
{
	return e->at + e->size;
}

static bool above(const struct sweep *s, uint32_t a, uint32_t b)
{
	if (s->overlap == PK_OVERLAP_NEWEST)
		return s->in[a].name > s->in[b].name; /* names are in the order of adding */
	return a > b;
}

static void push(struct sweep *s, uint32_t symbol)
{
	size_t i = s->open++;

	while (i && above(s, symbol, s->heap[(i - 1) / 2])) {
		s->heap[i] = s->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	s->heap[i] = symbol;
}

static void pop(struct sweep *s)
{
	uint32_t last = s->heap[--s->open];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= s->open)
			break;
		if (child + 1 < s->open && above(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (above(s, last, s->heap[child]))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
}

static void show(struct sweep *s, uint32_t symbol, uint64_t end)
{
	struct pk_symtable_entry *e = &s->out[s->count];

	if (!s->count || s->shown != symbol || s->upto != s->pos) {
		*e = s->in[symbol];
		e->at = s->pos;
		e->back = (uint32_t)(s->pos - s->in[symbol].at);
		s->count++;
	}
	s->shown = symbol;
	s->upto = end;
	s->pos = end;
}

static void advance(struct sweep *s, uint64_t to)
{
	while (s->open && s->pos < to) {
		uint32_t top = s->heap[0];
		uint64_t end = end_of(&s->in[top]);

		if (end <= s->pos)
			pop(s);
		else
			show(s, top, end < to ? end : to);
	}
	s->pos = to;
}

/* Nothing is added any more. Where there is no memory for less, it stays as it is. */
static void shrink(struct pk_symtable *t)
{
	struct pk_symtable_entry *entries;

	entries = realloc(t->entries, (t->count + 1) * sizeof(*entries)); /* may fail */
	if (!entries)
		return;
	t->entries = entries;
	t->room = t->count + 1;
}

static bool overlapping(const struct pk_symtable *t)
{
	for (size_t i = 1; i < t->count; i++)
		if (end_of(&t->entries[i - 1]) > t->entries[i].at ||
		    t->entries[i - 1].at == t->entries[i].at)
			return true;
	return false;
}

bool pk_symtable_flatten(struct pk_symtable *t, enum pk_overlap overlap)
{
	struct sweep s = {.overlap = overlap};

	if (!pk_symtable_sort(t))
		return false;
	if (!overlapping(t)) {
		shrink(t);
		return true;
	}
	s.in = t->entries;
	s.out = pk_need(t->failures, malloc(2 * t->count * sizeof(*s.out)));
	s.heap = pk_need(t->failures, malloc(t->count * sizeof(*s.heap)));
	if (!s.out || !s.heap) {
		free(s.out);
		free(s.heap);
		return false;
	}
	for (size_t i = 0; i < t->count; i++) {
		advance(&s, s.in[i].at);
		push(&s, (uint32_t)i);
	}
	advance(&s, UINT64_MAX);
	free(s.heap);
	free(t->entries);
	t->entries = s.out;
	t->room = 2 * t->count;
	t->count = s.count;
	shrink(t);
	return true;
}
