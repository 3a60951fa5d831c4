// SPDX-License-Identifier: BSD-2-Clause
/*
 * container_of(): a pointer to a member, less the member's offset, points to the structure that has
 * it. Code that was optimised does not even subtract, and accesses the other members from where the
 * member is. Mostly a variable says what the structure is, but not where nobody gave it a name, or
 * the compiler does not say where it is. Then the structure has to be the only one that contains
 * the member and has something of that size in that place:
 * - of those that the function has to do with, and that do not begin with the member; or
 * - of those that some function of the source returns for a pointer to the member; or
 * - of all that the source defines. As other reasons to leave a structure are common, such as casts
 *   to longer ones, one of the accesses has to be before its begin, and where no array of them has
 *   something of that size.
 * For the last two all accesses of the function outside of structures of that type have to be
 * explained so.
 */
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"

enum { DEPTH_MAX = 16, MEMBERS_MAX = 4096 };

bool containers_read(struct flow *f, uint64_t address)
{
	const pk_type_id *types;
	const size_t count = pk_types_mentioned(f->types, address, &types);
	pk_type_id *copy;

	if (!count)
		return true;
	copy = malloc(count * sizeof(*types));
	if (!copy)
		return false;
	memcpy(copy, types, count * sizeof(*types));
	f->mentioned = (struct type_list){copy, count};
	return true;
}

struct search {
	struct pk_types *types;
	pk_type_id inner;
	uint64_t offset; /* of the first that was found */
	unsigned found;	 /* 2: more than one */
	unsigned fuel;
};

/* Arrays of such structures have many: it is not known which. */
static void find_embedded(struct search *s, pk_type_id outer, uint64_t base, unsigned depth)
{
	const struct pk_member *list;
	const size_t count = pk_type_members(s->types, outer, &list);

	for (size_t i = 0; i < count && s->found < 2 && s->fuel; i++) {
		/* Looking into a member may read others. */
		const struct pk_member m = list[i];
		pk_type_id type = pk_type_strip(s->types, m.type);
		struct pk_type info;
		unsigned times = 1;

		s->fuel--;
		while (pk_type_info(s->types, type, &info) && info.kind == PK_KIND_OF_ARRAY) {
			times = info.count == 1 ? times : 2;
			type = pk_type_strip(s->types, info.target);
		}
		if (info.kind != PK_KIND_OF_STRUCT && info.kind != PK_KIND_OF_UNION)
			continue;
		if (value_same_type(s->types, type, s->inner)) {
			s->offset = base + m.offset;
			s->found += times;
		} else if (depth < DEPTH_MAX) {
			const unsigned before = s->found;

			find_embedded(s, type, base + m.offset, depth + 1);
			if (s->found > before)
				s->found += times - 1;
		}
	}
}

/* False: there is none, several, or too much to look at. */
static bool embedded(struct pk_types *t, pk_type_id outer, pk_type_id inner, uint64_t *offset)
{
	struct search s = {.types = t, .inner = inner, .fuel = MEMBERS_MAX};

	if (value_same_type(t, outer, inner))
		return false;
	find_embedded(&s, outer, 0, 0);
	*offset = s.offset;
	return s.found == 1 && s.fuel;
}

/* A whole number or pointer, as member or element of an array, of that size. */
static bool has_member(struct pk_types *t, const struct value *pointer, uint64_t size)
{
	struct pk_type outer, info;
	uint64_t rest = 0;
	pk_type_id type;

	if (!pk_type_info(t, pk_type_strip(t, pointer->type), &outer) || pointer->offset < 0 ||
	    size > outer.size || (uint64_t)pointer->offset > outer.size - size)
		return false;
	type = pk_type_at(t, pointer->type, pointer->offset, size, &rest);
	return type != PK_TYPE_NONE && !rest && pk_type_info(t, pk_type_strip(t, type), &info) &&
	       info.size == size && info.kind != PK_KIND_OF_ARRAY &&
	       info.kind != PK_KIND_OF_STRUCT && info.kind != PK_KIND_OF_UNION;
}

/* Is one of the two in the other one, or the same, and the same bytes are meant? The inner one is
 * as right. */
static bool is_inner(struct pk_types *t, const struct value *inner, const struct value *outer)
{
	uint64_t offset;

	if (inner->offset == outer->offset && value_same_type(t, inner->type, outer->type))
		return true;
	return embedded(t, outer->type, inner->type, &offset) &&
	       offset_plus(inner->offset, (int64_t)offset) == outer->offset;
}

/* Of the structures of a list the only one that contains the one that the pointer points to; the
 * pointer leads there to a member. Not those that begin with it: to what is behind a header,
 * whatever that is, a pointer to the header leads as well. */
static bool choose(struct pk_types *t, const struct type_list *list, const struct value *pointer,
		   uint64_t size, struct value *container)
{
	const pk_type_id inner = pk_type_strip(t, pointer->type);
	bool found = false;
	uint64_t offset;

	for (size_t i = 0; i < list->count; i++) {
		struct value one = {.kind = VALUE_POINTER, .type = list->items[i]};

		if (!embedded(t, one.type, inner, &offset) || !offset)
			continue;
		one.offset = offset_plus(pointer->offset, (int64_t)offset);
		if (!has_member(t, &one, size) || (found && is_inner(t, container, &one)))
			continue;
		if (found && !is_inner(t, &one, container))
			return false;
		*container = one;
		found = true;
	}
	return found;
}

static bool is_known(const struct flow *f, const struct value *pointer, uint64_t size,
		     struct value *container)
{
	const pk_type_id inner = pk_type_strip(f->types, pointer->type);

	for (size_t i = 0; i < f->embedding_count; i++) {
		const struct embedding *e = &f->embeddings[i];

		if (!value_same_type(f->types, e->inner, inner))
			continue;
		*container =
			(struct value){.kind = VALUE_POINTER,
				       .type = e->outer,
				       .offset = offset_plus(pointer->offset, (int64_t)e->offset)};
		return has_member(f->types, container, size);
	}
	return false;
}

bool value_in_container(const struct flow *f, const struct value *pointer, uint64_t size,
			struct value *container)
{
	int64_t inside;

	if (pointer->kind != VALUE_POINTER || pointer->stride || !size ||
	    (!f->mentioned.count && !f->embedding_count) || !value_is_typed(f->types, pointer) ||
	    value_place(f->types, pointer, &inside) == FLOW_TYPE)
		return false;
	return choose(f->types, &f->mentioned, pointer, size, container) ||
	       is_known(f, pointer, size, container);
}

/* ---- By all that the source defines ---- */

void containers_lack(struct flow *f, const struct value *pointer, uint64_t size)
{
	if (pointer->stride || f->embedding_count || f->outside_count == OUTSIDE_MAX)
		return;
	if (!f->outside)
		f->outside = malloc(OUTSIDE_MAX * sizeof(*f->outside));
	if (f->outside)
		f->outside[f->outside_count++] = (struct outside){
			pk_type_strip(f->types, pointer->type), pointer->offset, size};
	else
		f->failed = true;
}

/* Nothing but what is in front of the structure is there: no array of them explains the access. */
static bool is_before(struct pk_types *t, const struct outside *o)
{
	const struct value here = {.kind = VALUE_POINTER, .type = o->type};
	struct value element = here;
	struct pk_type info;

	if (o->offset >= 0 || !o->size || !pk_type_info(t, o->type, &info) || !info.size ||
	    info.size > INT64_MAX)
		return false;
	element.offset = o->offset % (int64_t)info.size;
	if (element.offset)
		element.offset += (int64_t)info.size;
	return !has_member(t, &element, o->size);
}

/* The embedding explains all accesses by pointers to that type. */
static bool explains(struct flow *f, const struct embedding *e)
{
	for (size_t i = 0; i < f->outside_count; i++) {
		const struct outside *o = &f->outside[i];
		const struct value there = {.kind = VALUE_POINTER,
					    .type = e->outer,
					    .offset = offset_plus(o->offset, (int64_t)e->offset)};

		if (value_same_type(f->types, o->type, e->inner) &&
		    !has_member(f->types, &there, o->size))
			return false;
	}
	return true;
}

static bool is_inside(struct pk_types *t, const struct embedding *inner,
		      const struct embedding *outer)
{
	const struct value a = {
		.kind = VALUE_POINTER, .type = inner->outer, .offset = (int64_t)inner->offset};
	const struct value b = {
		.kind = VALUE_POINTER, .type = outer->outer, .offset = (int64_t)outer->offset};

	return is_inner(t, &a, &b);
}

/* The structure of the list is the only one so far, or as good. False: it is another one. */
static bool add_candidate(struct flow *f, pk_type_id outer, struct embedding *found, size_t *count)
{
	struct embedding one = {.inner = found->inner, .outer = outer};

	/* Here those that begin with the structure are not left out: either a function says what
	 * they are, or there is an access before their begin, which they do not explain. */
	if (!embedded(f->types, outer, one.inner, &one.offset) || !explains(f, &one) ||
	    (*count && is_inside(f->types, found, &one)))
		return true;
	if (*count && !is_inside(f->types, &one, found))
		return false;
	*found = one;
	++*count;
	return true;
}

/* By functions of the source that do the conversion, which may have been inlined without a trace.
 */
static bool find_converted(struct flow *f, const struct pk_source_types *source,
			   struct embedding *found)
{
	size_t count = 0;

	for (size_t i = 0; i < source->conversion_count; i++)
		if (value_same_type(f->types, source->conversions[i].from, found->inner) &&
		    !add_candidate(f, source->conversions[i].to, found, &count))
			return false;
	return count;
}

static bool find_any(struct flow *f, const struct pk_source_types *source, struct embedding *found)
{
	size_t count = 0;

	for (size_t i = 0; i < source->structure_count; i++)
		if (!add_candidate(f, source->structures[i], found, &count))
			return false;
	return count;
}

static bool is_noted(const struct flow *f, pk_type_id inner)
{
	for (size_t i = 0; i < f->embedding_count; i++)
		if (value_same_type(f->types, f->embeddings[i].inner, inner))
			return true;
	return false;
}

bool containers_find(struct flow *f, uint64_t address)
{
	struct pk_source_types source;

	if (!f->outside_count || f->outside_count == OUTSIDE_MAX || /* perhaps not all of them */
	    !pk_types_of_source(f->types, address, &source))
		return false;
	for (size_t i = 0; i < f->outside_count && f->embedding_count < EMBEDDINGS_MAX; i++) {
		const struct outside *o = &f->outside[i];
		struct embedding found = {.inner = o->type};

		if (!is_noted(f, o->type) &&
		    (find_converted(f, &source, &found) ||
		     (is_before(f->types, o) && find_any(f, &source, &found))))
			f->embeddings[f->embedding_count++] = found;
	}
	return f->embedding_count;
}
