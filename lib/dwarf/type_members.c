// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "type_slots.h"
#include "vector.h"

/* The limits for one lookup: the most members that are examined in one structure, and in all
 * structures together. */
enum { CANDIDATES_MAX = 64, FIT_FUEL = 512 };

static bool is_number(const struct pk_form_value *value)
{
	return value->class == PK_FORM_CONSTANT || value->class == PK_FORM_SECTION_OFFSET;
}

/* Finds the offset of a member. It is a number or, in DWARF 2, an expression that adds a number.
 * Returns false if the member is static or its offset is unknown. */
static bool offset_of(const struct pk_entry *e, bool swapped, uint64_t *offset)
{
	struct pk_cursor c;

	*offset = 0;
	if (e->member_location.class == PK_FORM_NONE)
		return !e->external && !e->declaration;
	if (is_number(&e->member_location)) {
		*offset = e->member_location.v;
		return true;
	}
	if (e->member_location.class != PK_FORM_BLOCK)
		return false;
	c = (struct pk_cursor){(const uint8_t *)e->member_location.text,
			       (const uint8_t *)e->member_location.text + e->member_location.v,
			       swapped, false};
	if (pk_cursor_u8(&c) != DW_OP_plus_uconst)
		return false;
	*offset = pk_cursor_uleb(&c);
	return !c.bad && c.p == c.end;
}

/* Finds the first bit of a bit field, relative to the start of the structure. DWARF 2 counts from
 * the most significant bit of the storage unit of the bit field. */
static bool first_bit(const struct pk_entry *e, uint64_t offset, uint64_t storage, bool big,
		      uint64_t *bit)
{
	*bit = 0;
	if (offset > UINT64_MAX / 16 || e->bit_size.v > UINT16_MAX)
		return false;
	if (is_number(&e->data_bit_offset)) {
		*bit = e->data_bit_offset.v;
		return *bit <= UINT64_MAX / 2;
	}
	*bit = offset * 8;
	if (!is_number(&e->bit_offset))
		return true;
	if (is_number(&e->byte_size))
		storage = e->byte_size.v;
	if (big) {
		*bit += e->bit_offset.v & UINT16_MAX;
		return true;
	}
	*bit += storage * 8 - e->bit_size.v - e->bit_offset.v;
	return storage <= 64 && *bit <= UINT64_MAX / 2;
}

static bool decode_member(struct pk_types *t, struct pk_unit *unit, const struct pk_entry *e,
			  struct pk_member *m)
{
	const bool swapped = pk_elf_swapped(unit->file->elf);
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swapped;
	struct pk_type type;
	uint64_t bit;

	*m = (struct pk_member){.base = e->tag == DW_TAG_inheritance};
	m->name = m->base ? NULL : pk_entry_name(unit, e);
	m->type = pk_type_of_value(t, unit, &e->type, PK_TYPE_NONE);
	if (!offset_of(e, swapped, &m->offset))
		return false;
	pk_type_info(t, m->type, &type);
	m->size = type.size;
	if (!is_number(&e->bit_size))
		return m->offset <= INT64_MAX && m->size <= INT64_MAX;
	if (!first_bit(e, m->offset, type.size, big, &bit))
		return false;
	m->offset = bit / 8;
	m->bit_offset = bit % 8;
	m->bit_size = (uint16_t)e->bit_size.v;
	m->size = (m->bit_offset + (uint64_t)m->bit_size + 7) / 8;
	return m->bit_size;
}

static int compare_members(const void *a, const void *b)
{
	const struct pk_member *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->bit_offset < y->bit_offset ? -1 : x->bit_offset > y->bit_offset;
}

/* Sorts the members by offset. Usually they are already sorted in the file. Then they are not
 * sorted again, so that the members of a union keep their order. */
static void sort_members(struct pk_member *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (compare_members(&list[i - 1], &list[i]) > 0) {
			qsort(list, count, sizeof(*list), compare_members);
			return;
		}
}

static void read_members(struct pk_types *t, pk_type_id id)
{
	struct pk_unit *unit = t->slots[id].unit;
	struct pk_member *list = NULL;
	size_t count = 0, room = 0;
	struct pk_entries w;
	struct pk_entry e;

	t->slots[id].members_read = true;
	if (!unit || !pk_entries_below(&w, unit, t->slots[id].die))
		return;
	while (pk_entries_next(&w)) {
		const unsigned tag = w.abbrev->tag;

		if (tag != DW_TAG_member && tag != DW_TAG_inheritance) {
			if (!pk_entries_read(&w, &e))
				break;
			pk_entries_leave_out(&w, e.sibling);
			continue;
		}
		if (!pk_entries_read(&w, &e) || !pk_dwarf_spend(t->dwarf, 16) ||
		    pk_need_room(t->dwarf->failures,
				 pk_reserve(&list, &room, count, 1, sizeof(*list))) != PK_OK)
			break;
		count += decode_member(t, unit, &e, &list[count]);
	}
	sort_members(list, count);
	t->slots[id].members = list;
	t->slots[id].member_count = count;
}

size_t pk_type_members(struct pk_types *t, pk_type_id id, const struct pk_member **members)
{
	const pk_type_id real = pk_type_strip(t, id);
	const struct pk_type_slot *s = pk_type_slot(t, real);

	*members = NULL;
	if (!s || (s->type.kind != PK_KIND_OF_STRUCT && s->type.kind != PK_KIND_OF_UNION))
		return 0;
	if (!s->members_read)
		read_members(t, real);
	*members = t->slots[real].members;
	return t->slots[real].member_count;
}

/* ---- The member at an offset ---- */

/* A memory access in a type. */
struct access {
	uint64_t offset, size; /* size is 0 if it is unknown */
};

/* Finds the members that the access can touch. They are the range [*first, *end) of the list, which
 * has at most 64 members. */
static void candidates(const struct pk_member *list, size_t count, const struct access *a,
		       size_t *first, size_t *end)
{
	const uint64_t last = a->offset + (a->size ? a->size - 1 : 0);
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (list[middle].offset <= last)
			low = middle + 1;
		else
			high = middle;
	}
	*end = low;
	/* In a union, all members start at 0, so the first members are examined. */
	*first = low > CANDIDATES_MAX && list[low - 1].offset ? low - CANDIDATES_MAX : 0;
	if (*end - *first > CANDIDATES_MAX)
		*end = *first + CANDIDATES_MAX;
}

/* How well a member fits an access, from the worst to the best. */
enum fit {
	FIT_NONE,
	FIT_TOUCHED, /* The member contains only a part of the access. */
	FIT_COVERED, /* The member contains the whole access. */
	FIT_LEAF,    /* The member contains the whole access, and is not a structure. */
	FIT_EXACT    /* The access is exactly the member. */
};

static enum fit fit_in(struct pk_types *t, pk_type_id id, struct access a, unsigned depth,
		       unsigned *fuel);

static enum fit fit_member(struct pk_types *t, const struct pk_member *m, const struct access *a,
			   unsigned depth, unsigned *fuel)
{
	struct access in = {a->offset - m->offset, a->size};
	enum fit fit;

	/* A member with size 0 is a flexible array, which extends to the end. */
	if (a->offset < m->offset) {
		if (!a->size || m->offset - a->offset >= a->size || !m->size)
			return FIT_NONE;
		return FIT_TOUCHED;
	}
	if (m->size && in.offset >= m->size)
		return FIT_NONE;
	if (m->bit_size)
		return FIT_LEAF;
	if (m->size && in.size > m->size - in.offset)
		return FIT_TOUCHED;
	fit = *fuel && depth < PK_TYPE_HOPS ? fit_in(t, m->type, in, depth + 1, fuel) : FIT_COVERED;
	return m->size && fit < FIT_COVERED ? FIT_COVERED : fit;
}

/* Finds the member that fits best. If several members fit equally well, it is the first of them. */
static enum fit best_member(struct pk_types *t, pk_type_id id, const struct access *a,
			    unsigned depth, unsigned *fuel, struct pk_member *best)
{
	const struct pk_member *list;
	const size_t count = pk_type_members(t, id, &list);
	enum fit fit = FIT_NONE;
	size_t first, end;

	candidates(list, count, a, &first, &end);
	for (size_t i = first; i < end && fit < FIT_EXACT; i++) {
		/* This is a copy, because fit_member() can read other types, which moves the slots.
		 */
		const struct pk_member m = list[i];
		enum fit f;

		*fuel -= *fuel > 0;
		f = fit_member(t, &m, a, depth, fuel);
		if (f > fit || (f == FIT_LEAF && fit == FIT_LEAF && best->bit_size &&
				best->offset < a->offset && m.offset == a->offset)) {
			fit = f;
			*best = m;
		}
	}
	return fit;
}

/* Finds the element of an array that contains the offset. Returns false if the offset is outside of
 * the array. */
static bool enter_array(const struct pk_type *type, struct access *a, uint64_t *index)
{
	if (!type->stride || (type->size && a->offset >= type->size))
		return false;
	*index = a->offset / type->stride;
	a->offset %= type->stride;
	return true;
}

static enum fit fit_in(struct pk_types *t, pk_type_id id, struct access a, unsigned depth,
		       unsigned *fuel)
{
	const pk_type_id real = pk_type_strip(t, id);
	struct pk_member m;
	struct pk_type type;
	uint64_t index;

	if (!pk_type_info(t, real, &type))
		return FIT_NONE;
	if (type.kind == PK_KIND_OF_STRUCT || type.kind == PK_KIND_OF_UNION)
		return best_member(t, real, &a, depth, fuel, &m);
	if (type.kind == PK_KIND_OF_ARRAY) {
		if (!enter_array(&type, &a, &index) || depth >= PK_TYPE_HOPS)
			return FIT_NONE;
		if (a.size > type.stride - a.offset)
			return FIT_COVERED;
		return fit_in(t, type.target, a, depth + 1, fuel);
	}
	return !a.offset && type.size == a.size ? FIT_EXACT : FIT_LEAF;
}

/* ---- From the type down to the accessed member ---- */

/* The state of a search for the accessed member. */
struct descent {
	pk_type_id id;
	struct access a;
	uint64_t start, size; /* which bytes the type `id` uses, relative to the start of the type
			       * at which the search started */
	bool bit_field;
	char *text; /* a buffer of `room` bytes, or NULL */
	size_t room, used;
};

static void say(struct descent *d, const char *text)
{
	const size_t left = d->room ? d->room - 1 - d->used : 0;
	const size_t length = strlen(text), size = length < left ? length : left;

	if (!d->room)
		return;
	memcpy(d->text + d->used, text, size);
	d->used += size;
	d->text[d->used] = 0;
}

static void say_member(struct descent *d, const char *name)
{
	if (!name)
		return;
	if (d->used)
		say(d, ".");
	say(d, name);
}

static bool step_array(struct descent *d, const struct pk_type *type)
{
	char text[32];
	uint64_t index;

	if (!enter_array(type, &d->a, &index))
		return false;
	snprintf(text, sizeof(text), "[%" PRIu64 "]", index);
	say(d, text);
	d->start += index * type->stride;
	d->size = type->stride;
	d->id = type->target;
	return true;
}

/* Moves to the member that fits the access best. Returns false if there is none, or if `whole` is
 * true and the member contains only a part of the access. */
static bool step_member(struct pk_types *t, struct descent *d, bool whole)
{
	unsigned fuel = FIT_FUEL;
	struct pk_member m;
	enum fit fit = best_member(t, d->id, &d->a, 0, &fuel, &m);

	if (fit == FIT_NONE || (whole && fit == FIT_TOUCHED))
		return false;
	say_member(d, m.name);
	d->start += m.offset;
	d->size = m.size;
	d->bit_field = m.bit_size;
	d->id = m.type;
	/* The access starts before the member. The result is the first member that the access
	 * touches. */
	if (d->a.offset < m.offset)
		d->a = (struct access){0, 0};
	else
		d->a.offset -= m.offset;
	return true;
}

static void descend(struct pk_types *t, struct descent *d, bool whole)
{
	for (int i = 0; i < PK_TYPE_HOPS && !d->bit_field; i++) {
		const pk_type_id real = pk_type_strip(t, d->id);
		struct pk_type type;

		if (!pk_type_info(t, real, &type))
			return;
		if (type.kind == PK_KIND_OF_ARRAY) {
			if (whole && type.stride && d->a.size > type.stride)
				return;
			if (!step_array(d, &type))
				return;
		} else if (type.kind == PK_KIND_OF_STRUCT || type.kind == PK_KIND_OF_UNION) {
			d->id = real;
			if (!step_member(t, d, whole))
				return;
		} else {
			return;
		}
	}
}

/* If an access is after the end of a structure, it can be in an element of the last array. The
 * length of this array must be unspecified, such as "data[]" or "data[1]". Returns false if there
 * is no such array. */
static bool enter_tail(struct pk_types *t, struct descent *d)
{
	for (int i = 0; i < PK_TYPE_HOPS; i++) {
		const struct pk_member *list;
		const size_t count = pk_type_members(t, d->id, &list);
		struct pk_member m;
		struct pk_type type;

		if (!count || list[count - 1].offset > d->a.offset)
			return false;
		m = list[count - 1];
		d->a.offset -= m.offset;
		d->start += m.offset;
		d->id = m.type;
		say_member(d, m.name);
		if (!pk_type_info(t, pk_type_strip(t, m.type), &type))
			return false;
		if (type.kind == PK_KIND_OF_ARRAY) {
			if (type.count > 1)
				return false;
			type.size = 0;
			return step_array(d, &type);
		}
	}
	return false;
}

/* Starts at a type. If the type is a number or a pointer, and the offset is outside of the type,
 * assumes that the access is in an array of this type. For a structure, this would be only a guess.
 * Returns false if the offset is not in the type. */
static bool enter(struct pk_types *t, struct descent *d, pk_type_id id, int64_t offset,
		  uint64_t size)
{
	struct pk_type type;

	d->id = id;
	d->a = (struct access){(uint64_t)offset, size};
	if (!pk_type_info(t, pk_type_strip(t, id), &type))
		return false;
	d->size = type.size;
	switch (type.kind) {
	case PK_KIND_OF_BASE:
	case PK_KIND_OF_POINTER:
	case PK_KIND_OF_REFERENCE:
	case PK_KIND_OF_ENUM:
		d->a.offset = type.size ? d->a.offset % type.size : 0;
		return type.size && type.size <= INT64_MAX;
	case PK_KIND_OF_STRUCT:
	case PK_KIND_OF_UNION:
	case PK_KIND_OF_ARRAY:
		if (offset < 0)
			return false;
		return !type.size || d->a.offset < type.size || enter_tail(t, d);
	default: return false;
	}
}

pk_type_id pk_type_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
		      uint64_t *rest)
{
	struct descent d = {.room = 0};

	*rest = 0;
	if (!enter(t, &d, id, offset, size))
		return PK_TYPE_NONE;
	descend(t, &d, true);
	*rest = d.a.offset;
	return d.id;
}

bool pk_type_member_name(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
			 char *text, size_t room, uint64_t *start, uint64_t *length)
{
	struct descent d = {.text = text, .room = room};
	bool ok;

	if (room)
		*text = 0;
	ok = enter(t, &d, id, offset, size);
	if (ok)
		descend(t, &d, false);
	if (start)
		*start = d.start;
	if (length)
		*length = d.size;
	return ok;
}
