// SPDX-License-Identifier: BSD-2-Clause
/*
 * container_of(): a pointer to a member, minus the member's offset, points to the structure that
 * contains the member. Optimised code does not subtract: it accesses the other members relative to
 * the member. Usually a variable has the type of the outer structure. If there is no such variable,
 * or its location is unknown, the outer structure must be the only one that contains the member and
 * has a member of the access's size at the accessed offset:
 * - among the structures that the function mentions and that do not start with the member; or
 * - among the structures that a function of the source returns for a pointer to the member; or
 * - among all structures that the source defines. There are other common reasons for an access
 *   outside of a structure, such as casts to longer structures. Therefore one of the accesses must
 * be before the start of the inner structure, at an offset where an array of inner structures has
 * no member of that size. In the last two cases the outer structure must explain all accesses of
 * the function outside of structures of the inner type.
 */
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"
#include "table.h"

enum { DEPTH_MAX = 16, MEMBERS_MAX = 4096, WORK_MAX = 2 << 20 };

struct searches {
	struct pk_table known; /* by outer and inner type: 1 + offset; NOT_EMBEDDED: none */
	unsigned work;	       /* types and members that can still be examined for this function */
	struct pk_source_types source; /* of the function; read on first use */
	bool source_read, source_known;
};
#define NOT_EMBEDDED UINT64_MAX

enum pk_status pk_flow_containers_read(struct flow *f, uint64_t address)
{
	const pk_type_id *types;
	const size_t count = pk_types_mentioned(f->types, address, &types);
	pk_type_id *copy;

	f->searches = calloc(1, sizeof(*f->searches));
	if (!f->searches)
		return PK_NOMEM;
	f->searches->work = WORK_MAX;
	if (!count)
		return PK_OK;
	copy = malloc(count * sizeof(*types));
	if (!copy)
		return PK_NOMEM;
	memcpy(copy, types, count * sizeof(*types));
	f->mentioned = (struct type_list){copy, count};
	return PK_OK;
}

void pk_flow_containers_free(struct flow *f)
{
	if (f->searches)
		pk_table_free(&f->searches->known);
	free(f->searches);
	free((void *)(uintptr_t)f->mentioned.items);
	free(f->outside);
	f->searches = NULL;
	f->mentioned = (struct type_list){0};
	f->outside = NULL;
}

/* The structures of the source of the function at address. Returns NULL if it is unknown. */
static const struct pk_source_types *source_of(const struct flow *f, uint64_t address)
{
	struct searches *searches = f->searches;

	if (!searches->source_read)
		searches->source_known = pk_types_of_source(f->types, address, &searches->source);
	searches->source_read = true;
	return searches->source_known ? &searches->source : NULL;
}

/* Charges work. Returns false if the function's limit is reached. */
static bool work(const struct flow *f, unsigned amount)
{
	struct searches *searches = f->searches;

	searches->work -= amount < searches->work ? amount : searches->work;
	return searches->work;
}

struct search {
	struct pk_types *types;
	pk_type_id inner;
	uint64_t offset; /* offset of the inner structure in the outer one */
	unsigned found;	 /* number found; 2: more than one */
	unsigned fuel;
};

/* Counts the inner structures in the outer one. An array of them counts as two: the element is
 * unknown. */
static void find_embedded(struct search *s, pk_type_id outer, uint64_t base, unsigned depth)
{
	const struct pk_member *list;
	const size_t count = pk_type_members(s->types, outer, &list);

	for (size_t i = 0; i < count && s->found < 2 && s->fuel; i++) {
		/* A copy: the recursion can read further members and move the list. */
		const struct pk_member m = list[i];
		pk_type_id type = pk_type_strip(s->types, m.type);
		struct pk_type info;
		unsigned times = 1;

		s->fuel--;
		/* The elements of a damaged array type can be of that type. */
		while (pk_type_info(s->types, type, &info) && info.kind == PK_KIND_OF_ARRAY &&
		       s->fuel) {
			times = info.count == 1 ? times : 2;
			type = pk_type_strip(s->types, info.target);
			s->fuel--;
		}
		if (info.kind != PK_KIND_OF_STRUCT && info.kind != PK_KIND_OF_UNION)
			continue;
		if (pk_flow_value_same_type(s->types, type, s->inner)) {
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

/* Whether the outer structure contains exactly one inner structure. *offset is its offset. Also
 * returns false if there are too many members to search. */
static bool embedded(const struct flow *f, pk_type_id outer, pk_type_id inner, uint64_t *offset)
{
	const uint64_t key = (uint64_t)outer << 32 | inner;
	struct search s = {.types = f->types, .inner = inner, .fuel = MEMBERS_MAX};
	uint64_t known = pk_table_get_u64(&f->searches->known, key);

	if (!work(f, 1))
		return false;
	if (!known) {
		if (!pk_flow_value_same_type(f->types, outer, inner))
			find_embedded(&s, outer, 0, 0);
		work(f, MEMBERS_MAX - s.fuel);
		known = s.found == 1 && s.fuel && s.offset < INT64_MAX ? 1 + s.offset
								       : NOT_EMBEDDED;
		/* Without memory, the next search finds the same. */
		(void)pk_table_set_u64(&f->searches->known, key, known);
	}
	*offset = known - 1;
	return known != NOT_EMBEDDED;
}

/* Whether the pointer points to a whole number or pointer of that size: a member, or an element of
 * an array. */
static bool has_member(struct pk_types *t, const struct flow_value *pointer, uint64_t size)
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

/* The same for a pointer that can have an index: the member is an element of an array. */
static bool has_place(struct pk_types *t, const struct flow_value *pointer, uint64_t size)
{
	struct flow_value first = *pointer;

	first.stride = 0;
	return (!pointer->stride || pk_flow_value_indexes(t, pointer, &first.offset)) &&
	       has_member(t, &first, size);
}

/* Whether inner is outer, or is contained in it, and both refer to the same bytes. Both are correct
 * results then. */
static bool is_inner(const struct flow *f, const struct flow_value *inner,
		     const struct flow_value *outer)
{
	uint64_t offset;

	if (inner->offset == outer->offset &&
	    pk_flow_value_same_type(f->types, inner->type, outer->type))
		return true;
	return embedded(f, outer->type, inner->type, &offset) &&
	       offset_plus(inner->offset, (int64_t)offset) == outer->offset;
}

/* Finds the only structure of a list that contains the pointer's structure and has a member at the
 * accessed offset. Structures that start with the pointer's structure are ignored: it can be a
 * common header, which any of them can follow. */
static bool choose(const struct flow *f, const struct flow_value *pointer, uint64_t size,
		   struct flow_value *container)
{
	const pk_type_id inner = pk_type_strip(f->types, pointer->type);
	const struct type_list *list = &f->mentioned;
	bool found = false;
	uint64_t offset;

	for (size_t i = 0; i < list->count; i++) {
		struct flow_value one = {
			.kind = VALUE_POINTER, .stride = pointer->stride, .type = list->items[i]};

		if (!embedded(f, one.type, inner, &offset) || !offset)
			continue;
		one.offset = offset_plus(pointer->offset, (int64_t)offset);
		if (!has_place(f->types, &one, size) || (found && is_inner(f, container, &one)))
			continue;
		if (found && !is_inner(f, &one, container))
			return false;
		*container = one;
		found = true;
	}
	return found;
}

static bool is_known(const struct flow *f, const struct flow_value *pointer, uint64_t size,
		     struct flow_value *container)
{
	const pk_type_id inner = pk_type_strip(f->types, pointer->type);

	for (size_t i = 0; i < f->embedding_count; i++) {
		const struct embedding *e = &f->embeddings[i];

		if (!pk_flow_value_same_type(f->types, e->inner, inner))
			continue;
		*container = (struct flow_value){
			.kind = VALUE_POINTER,
			.stride = pointer->stride,
			.type = e->outer,
			.offset = offset_plus(pointer->offset, (int64_t)e->offset)};
		return has_place(f->types, container, size);
	}
	return false;
}

bool pk_flow_value_in_container(const struct flow *f, const struct flow_value *pointer,
				uint64_t size, struct flow_value *container)
{
	int64_t inside;

	if (pointer->kind != VALUE_POINTER || !size ||
	    (!f->mentioned.count && !f->embedding_count) ||
	    !pk_flow_value_is_typed(f->types, pointer) ||
	    (!pk_flow_value_is_beside(f->types, pointer) &&
	     pk_flow_value_place(f->types, pointer, &inside) == FLOW_TYPE))
		return false;
	/* If the limit of work is reached, the search may have missed other structures that contain
	 * this one. The answer is then uncertain: return false. */
	return (choose(f, pointer, size, container) || is_known(f, pointer, size, container)) &&
	       work(f, 0);
}

/* ---- All structures that the source defines ---- */

bool pk_flow_value_is_doubtful(const struct flow *f, uint64_t address,
			       const struct flow_value *pointer, uint64_t size)
{
	const pk_type_id inner = pk_type_strip(f->types, pointer->type);
	const struct pk_source_types *source;
	const bool near = pk_flow_value_is_near(pointer);
	uint64_t offset;

	if (!pk_flow_value_is_beside(f->types, pointer))
		return false;
	source = source_of(f, address);
	for (size_t i = 0; source && i < source->structure_count; i++) {
		struct flow_value one = *pointer;

		if (!embedded(f, source->structures[i], inner, &offset))
			continue;
		one.type = source->structures[i];
		one.offset = offset_plus(pointer->offset, (int64_t)offset);
		if (!near || has_place(f->types, &one, size))
			return true;
	}
	return !near && (!source || !work(f, 0));
}

void pk_flow_containers_lack(struct flow *f, const struct flow_value *pointer, uint64_t size)
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

/* Whether the access is before the structure, and not explained by an array of such structures. */
static bool is_before(struct pk_types *t, const struct outside *o)
{
	const struct flow_value here = {.kind = VALUE_POINTER, .type = o->type};
	struct flow_value element = here;
	struct pk_type info;

	if (o->offset >= 0 || !o->size || !pk_type_info(t, o->type, &info) || !info.size ||
	    info.size > INT64_MAX)
		return false;
	element.offset = o->offset % (int64_t)info.size;
	if (element.offset)
		element.offset += (int64_t)info.size;
	return !has_member(t, &element, o->size);
}

/* Whether the embedding explains all accesses by pointers to that type. */
static bool explains(struct flow *f, const struct embedding *e)
{
	for (size_t i = 0; i < f->outside_count; i++) {
		const struct outside *o = &f->outside[i];
		const struct flow_value there = {
			.kind = VALUE_POINTER,
			.type = e->outer,
			.offset = offset_plus(o->offset, (int64_t)e->offset)};

		if (pk_flow_value_same_type(f->types, o->type, e->inner) &&
		    !has_member(f->types, &there, o->size))
			return false;
	}
	return true;
}

static bool is_inside(const struct flow *f, const struct embedding *inner,
		      const struct embedding *outer)
{
	const struct flow_value a = {
		.kind = VALUE_POINTER, .type = inner->outer, .offset = (int64_t)inner->offset};
	const struct flow_value b = {
		.kind = VALUE_POINTER, .type = outer->outer, .offset = (int64_t)outer->offset};

	return is_inner(f, &a, &b);
}

/* Adds a candidate. Returns false if it contradicts the previous ones. */
static bool add_candidate(struct flow *f, pk_type_id outer, struct embedding *found, size_t *count)
{
	struct embedding one = {.inner = found->inner, .outer = outer};

	/* Structures that start with the inner structure need no check here: either a function
	 * returns them, or they do not explain the access before their start. */
	if (!embedded(f, outer, one.inner, &one.offset) || !explains(f, &one) ||
	    (*count && is_inside(f, found, &one)))
		return true;
	if (*count && !is_inside(f, &one, found))
		return false;
	*found = one;
	++*count;
	return true;
}

/* Searches the functions of the source that convert the pointer. They can be inlined without any
 * debugging information. */
static bool find_converted(struct flow *f, const struct pk_source_types *source,
			   struct embedding *found)
{
	size_t count = 0;

	for (size_t i = 0; i < source->conversion_count; i++)
		if (pk_flow_value_same_type(f->types, source->conversions[i].from, found->inner) &&
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
		if (pk_flow_value_same_type(f->types, f->embeddings[i].inner, inner))
			return true;
	return false;
}

bool pk_flow_containers_find(struct flow *f, uint64_t address)
{
	const struct pk_source_types *source;

	if (!f->outside_count || f->outside_count == OUTSIDE_MAX) /* can be incomplete */
		return false;
	source = source_of(f, address);
	if (!source)
		return false;
	for (size_t i = 0; i < f->outside_count && f->embedding_count < EMBEDDINGS_MAX; i++) {
		const struct outside *o = &f->outside[i];
		struct embedding found = {.inner = o->type};

		if (!is_noted(f, o->type) &&
		    (find_converted(f, source, &found) ||
		     (is_before(f->types, o) && find_any(f, source, &found))) &&
		    work(f, 0))
			f->embeddings[f->embedding_count++] = found;
	}
	return f->embedding_count;
}
