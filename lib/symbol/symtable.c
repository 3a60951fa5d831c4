// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symtable.h"
#include "vector.h"

/* ---- Filling and finding ---- */

#define PAGE UINT64_C(4096)

char *pk_symtable_names_room(struct pk_symtable *t, size_t size, uint32_t *offset)
{
	if (size > UINT32_MAX - t->names_size) {
		pk_failed(t->failures, NULL, EFBIG);
		return NULL;
	}
	if (pk_need_room(t->failures,
			 pk_reserve(&t->names, &t->names_room, t->names_size, size, 1)) != PK_OK)
		return NULL;
	*offset = (uint32_t)t->names_size;
	t->names_size += size;
	return t->names + *offset;
}

enum pk_status pk_symtable_names(struct pk_symtable *t, const void *bytes, size_t size,
				 uint32_t *offset)
{
	char *room;

	assert(size && !((const char *)bytes)[size - 1]);
	room = pk_symtable_names_room(t, size, offset);
	if (room)
		memcpy(room, bytes, size);
	return room ? PK_OK : PK_NOMEM;
}

enum pk_status pk_symtable_reserve(struct pk_symtable *t, size_t count)
{
	return pk_need_room(t->failures, pk_reserve(&t->entries, &t->room, t->count, count,
						    sizeof(*t->entries)));
}

enum pk_status pk_symtable_add(struct pk_symtable *t, uint64_t start, uint64_t size, uint32_t name,
			       uint32_t info)
{
	if (start == UINT64_MAX)
		return PK_OK; /* no symbol can end after this address */
	if (t->count >= UINT32_MAX) {
		pk_failed(t->failures, NULL, EFBIG);
		return PK_NOMEM;
	}
	if (t->count == t->room)
		PK_TRY(pk_symtable_reserve(t, 1));
	if (size > UINT64_MAX - start)
		size = UINT64_MAX - start;
	t->entries[t->count++] = (struct pk_symtable_entry){
		.at = start,
		.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
		.name = name,
		.info = info,
	};
	return PK_OK;
}

void pk_symtable_limit(struct pk_symtable *t, uint64_t size)
{
	t->entries[t->count - 1].back = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

static bool sorted(const struct pk_symtable *t)
{
	for (size_t i = 1; i < t->count; i++)
		if (t->entries[i].at < t->entries[i - 1].at)
			return false;
	return true;
}

/* The number of bits of a digit of the radix sort. In most files, addresses have two such digits.
 */
#define DIGIT_BITS 11
#define DIGITS	   ((size_t)1 << DIGIT_BITS)

static size_t digit_of(const struct pk_symtable_entry *e, unsigned shift)
{
	return e->at >> shift & (DIGITS - 1);
}

/* Does one pass of a radix sort, by the digit at bit `shift`. Returns false if all entries have the
 * same digit. */
static bool sort_by_digit(const struct pk_symtable_entry *from, struct pk_symtable_entry *to,
			  size_t n, unsigned shift)
{
	uint32_t begin[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		begin[digit_of(&from[i], shift)]++;
	if (begin[digit_of(&from[0], shift)] == n)
		return false;
	for (size_t i = 0; i < DIGITS; i++) {
		const uint32_t here = begin[i];

		begin[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[begin[digit_of(&from[i], shift)]++] = from[i];
	return true;
}

/* Returns all bits that are set in at least one address. */
static uint64_t bits_of(const struct pk_symtable *t)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < t->count; i++)
		bits |= t->entries[i].at;
	return bits;
}

/* Sorts by address. Entries with the same address keep their order, because the choice between
 * aliases depends on it. */
static enum pk_status pk_symtable_sort(struct pk_symtable *t)
{
	struct pk_symtable_entry *spare;
	uint64_t bits;

	if (sorted(t))
		return PK_OK;
	spare = pk_need(t->failures, malloc(t->count * sizeof(*spare)));
	if (!spare)
		return PK_NOMEM;
	bits = bits_of(t);
	for (unsigned shift = 0; shift < 64 && bits >> shift; shift += DIGIT_BITS) {
		struct pk_symtable_entry *entries = t->entries;

		if (!sort_by_digit(entries, spare, t->count, shift))
			continue;
		t->entries = spare;
		spare = entries;
		t->room = t->count;
	}
	free(spare);
	return PK_OK;
}

static bool same_module(const struct pk_symtable_entry *a, const struct pk_symtable_entry *b)
{
	return a->info >> PK_ENTRY_MODULE_SHIFT == b->info >> PK_ENTRY_MODULE_SHIFT;
}

/* Returns the size of the last symbol of the kernel or of a module. The symbol extends to 4 KiB
 * after the next page boundary, or after its start if the start is at a page boundary. */
static uint64_t room_to_page_end(uint64_t start)
{
	return ((start + PAGE - 1) & ~(PAGE - 1)) + PAGE - start;
}

static uint64_t room_to_next(const struct pk_symtable *t, size_t i)
{
	const struct pk_symtable_entry *e = &t->entries[i];
	uint64_t room = room_to_page_end(e->at);

	if (i + 1 < t->count && same_module(e, e + 1))
		room = e[1].at - e->at;
	return room < UINT64_MAX - e->at ? room : UINT64_MAX - e->at;
}

/* Returns whether a symbol before symbol i has the same address and a size. */
static bool is_sized_before(const struct pk_symtable *t, size_t i)
{
	const uint64_t at = t->entries[i].at;

	while (i-- && t->entries[i].at == at)
		if (t->entries[i].size)
			return true;
	return false;
}

static void fix_sizes(struct pk_symtable *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry *e = &t->entries[i];
		uint64_t room;

		if (e->size)
			continue;
		room = room_to_next(t, i);
		if (e->back && room)
			room = is_sized_before(t, i) ? 0 : room < e->back ? room : e->back;
		e->back = 0;
		e->size = room > UINT32_MAX ? UINT32_MAX : (uint32_t)room;
	}
}

/* Drops each label of unknown size that is inside a symbol of known size, because the label marks a
 * place in a function. perf shows either the label or the symbol, depending on the shape of its
 * search tree. */
static void drop_inner_labels(struct pk_symtable *t)
{
	uint64_t end = 0; /* greatest end of the symbols of known size so far */
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct pk_symtable_entry e = t->entries[i];

		if (!e.size && e.info & PK_ENTRY_NOTYPE && e.at < end)
			continue;
		end = e.size && e.at + e.size > end ? e.at + e.size : end;
		t->entries[kept++] = e;
	}
	t->count = kept;
}

static int compare_flag(const struct pk_symtable_entry *a, const struct pk_symtable_entry *b,
			uint32_t flag)
{
	return !!(a->info & flag) - !!(b->info & flag);
}

/* Returns a positive number if `a` is the better name, a negative number if `b` is better, and 0 if
 * they are equally good. */
static int compare_names(const char *a, const char *b)
{
	size_t a_bars = strspn(a, "_"), b_bars = strspn(b, "_");
	size_t a_size = strlen(a), b_size = strlen(b);

	if (a_bars != b_bars)
		return a_bars < b_bars ? 1 : -1;
	if (a_size != b_size)
		return a_size > b_size ? 1 : -1;
	return strncmp(a, "SyS", 3) && strncmp(a, "compat_SyS", 10) ? 0 : -1;
}

/* Returns the demangled name, or NULL if the name is shown unchanged. */
static char *demangled(struct pk_symtable *t, const char *name)
{
	t->budget.paid = t->names_size;
	t->budget.failures = t->failures;
	return t->demangle ? pk_name_demangle(&t->budget, name) : NULL;
}

/* Chooses between symbols at the same address. As in perf, the names are compared in the form in
 * which they are shown. If the budget is used up, the mangled names are compared. */
struct aliases {
	struct pk_symtable *t;
	char *best; /* demangled name of the best symbol so far, if `tried` is set */
	bool tried;
};

static void forget_best(struct aliases *a)
{
	free(a->best);
	a->best = NULL;
	a->tried = false;
}

static int compare_shown(struct aliases *a, const char *old, const char *new)
{
	char *shown;
	int order;

	if (!strcmp(old, new) || (a->t->demangle && pk_cpp_variants(old, new)))
		return 0;
	if (!a->tried)
		a->best = demangled(a->t, old);
	a->tried = true;
	shown = demangled(a->t, new);
	order = compare_names(a->best ? a->best : old, shown ? shown : new);
	if (order < 0) {
		free(a->best);
		a->best = shown;
	} else {
		free(shown);
	}
	return order;
}

/* Returns whether the new symbol is better than the old one. */
static bool better(struct aliases *a, const struct pk_symtable_entry *old,
		   const struct pk_symtable_entry *new)
{
	const char *names = a->t->names;
	int order = !!old->size - !!new->size;

	if (!order)
		order = -compare_flag(old, new, PK_ENTRY_NOTYPE);
	if (!order)
		order = -compare_flag(old, new, PK_ENTRY_WEAK);
	if (!order)
		order = compare_flag(old, new, PK_ENTRY_GLOBAL);
	if (!order)
		return compare_shown(a, names + old->name, names + new->name) < 0;
	if (order < 0)
		forget_best(a);
	return order < 0;
}

static void drop_aliases(struct pk_symtable *t)
{
	struct aliases aliases = {.t = t};
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry e = t->entries[i];
		struct pk_symtable_entry *old = kept ? &t->entries[kept - 1] : NULL;

		if (!old || old->at != e.at) {
			t->entries[kept++] = e;
			forget_best(&aliases);
			continue;
		}
		e.info |= old->info & PK_ENTRY_IFUNC;
		old->info |= e.info & PK_ENTRY_IFUNC;
		if (better(&aliases, old, &e))
			*old = e;
	}
	forget_best(&aliases);
	t->count = kept;
}

enum pk_status pk_symtable_settle(struct pk_symtable *t)
{
	PK_TRY(pk_symtable_sort(t));
	drop_inner_labels(t);
	fix_sizes(t);
	if (!t->all_names)
		drop_aliases(t);
	return PK_OK;
}

/* Returns the index of the last entry that starts at or before addr, or 0 if there is none. The
 * table must not be empty. */
static size_t find_last(const struct pk_symtable *t, uint64_t addr)
{
	size_t low = 0, n = t->count;

	while (n > 1) {
		size_t half = n / 2;

		low += t->entries[low + half].at <= addr ? half : 0;
		n -= half;
	}
	return low;
}

static bool covers(const struct pk_symtable_entry *e, uint64_t addr)
{
	return addr >= e->at && addr - pk_symtable_start(e) < e->size;
}

struct pk_symtable_entry *pk_symtable_find(const struct pk_symtable *t, uint64_t addr)
{
	struct pk_symtable_entry *e = t->count ? &t->entries[find_last(t, addr)] : NULL;

	return e && covers(e, addr) ? e : NULL;
}

struct pk_symtable_entry *pk_symtable_find_range(const struct pk_symtable *t, uint64_t addr,
						 struct pk_range *same)
{
	struct pk_symtable_entry *e;
	uint64_t end;

	*same = PK_RANGE_ALL;
	if (!t->count)
		return NULL;
	e = &t->entries[find_last(t, addr)];
	if (addr < e->at) {
		same->to = e->at;
		return NULL;
	}
	end = pk_symtable_start(e) + e->size;
	if (end < e->at)
		end = UINT64_MAX;
	if (e + 1 < t->entries + t->count)
		same->to = e[1].at;
	if (!covers(e, addr)) {
		same->from = end;
		return NULL;
	}
	pk_range_clip(same, e->at, end);
	return e;
}

static enum pk_status keep_shown(struct pk_symtable *t, struct pk_symtable_entry *e, char *name)
{
	PK_TRY(pk_need_room(t->failures, pk_reserve(&t->shown, &t->shown_room, t->shown_count, 1,
						    sizeof(*t->shown))));
	e->name = t->shown_count;
	e->info |= PK_ENTRY_SHOWN;
	t->shown[t->shown_count++] = name;
	return PK_OK;
}

static char *plt_name(const struct pk_symtable *t, const struct pk_symtable_entry *e,
		      const char *name)
{
	if (*name)
		return pk_need_text(t->failures, "%s@plt", name);
	return pk_need_text(t->failures, "offset_%#" PRIx64 "@plt", pk_symtable_start(e));
}

const char *pk_symtable_name(struct pk_symtable *t, struct pk_symtable_entry *e)
{
	const char *name;
	char *shown;

	if (e->info & PK_ENTRY_SHOWN && e->name < t->shown_count)
		return t->shown[e->name];
	if (e->name >= t->names_size)
		return ""; /* the offset is wrong, which happens only in a damaged copy from the
			    * cache */
	name = t->names + e->name;
	if (e->info & PK_ENTRY_PLAIN)
		return name;
	shown = demangled(t, name);
	if (!shown)
		shown = pk_name_cut(&t->budget, name);
	if (e->info & PK_ENTRY_PLT) {
		char *plain = shown;

		shown = plt_name(t, e, plain ? plain : name);
		pk_name_spend(&t->budget, shown ? strlen(shown) : 0);
		free(plain);
	}
	if (shown && keep_shown(t, e, shown) == PK_OK)
		return shown;
	if (!shown)
		e->info |= PK_ENTRY_PLAIN;
	free(shown);
	return name;
}

void pk_symtable_clear(struct pk_symtable *t)
{
	for (uint32_t i = 0; i < t->shown_count; i++)
		free(t->shown[i]);
	free(t->shown);
	if (!t->mapped) {
		free(t->names);
		free(t->entries);
	}
	*t = (struct pk_symtable){.failures = t->failures};
}

/* ---- Overlapping symbols are made disjoint, so that a lookup is one binary search ---- */

/* Goes through the symbols by their starts. The heap contains the symbols that are open at `pos`.
 * The symbol on top of the heap is the one that is shown. */
struct sweep {
	const struct pk_symtable_entry *in;
	struct pk_symtable_entry *out;
	size_t count;
	enum pk_overlap overlap;
	uint32_t *heap;
	size_t open;
	uint64_t pos;	/* the output is complete up to this address */
	uint32_t shown; /* symbol of the last written range */
	uint64_t upto;	/* end of the last written range */
};

static uint64_t end_of(const struct pk_symtable_entry *e)
{
	return e->at + e->size;
}

static bool above(const struct sweep *s, uint32_t a, uint32_t b)
{
	if (s->overlap == PK_OVERLAP_NEWEST)
		return s->in[a].name > s->in[b].name; /* a symbol that was added later has a greater
						       * offset of its name */
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

static bool overlapping(const struct pk_symtable *t)
{
	for (size_t i = 1; i < t->count; i++)
		if (end_of(&t->entries[i - 1]) > t->entries[i].at ||
		    t->entries[i - 1].at == t->entries[i].at)
			return true;
	return false;
}

enum pk_status pk_symtable_flatten(struct pk_symtable *t, enum pk_overlap overlap)
{
	struct sweep s = {.overlap = overlap};

	PK_TRY(pk_symtable_sort(t));
	if (!overlapping(t)) {
		pk_shrink(&t->entries, &t->room, t->count, sizeof(*t->entries));
		return PK_OK;
	}
	s.in = t->entries;
	s.out = pk_need(t->failures, malloc(2 * t->count * sizeof(*s.out)));
	s.heap = pk_need(t->failures, malloc(t->count * sizeof(*s.heap)));
	if (!s.out || !s.heap) {
		free(s.out);
		free(s.heap);
		return PK_NOMEM;
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
	pk_shrink(&t->entries, &t->room, t->count, sizeof(*t->entries));
	return PK_OK;
}
