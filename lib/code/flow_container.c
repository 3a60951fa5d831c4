// SPDX-License-Identifier: BSD-2-Clause
/*
 * Finds outer structures, as container_of() does: a pointer to a member, minus the offset of the
 * member, points to the structure that contains the member. Here, the member is the inner
 * structure, and the structure that contains it is the outer structure. Optimised code does not
 * subtract the offset. It accesses other members of the outer structure relative to the pointer to
 * the inner structure.
 *
 * Usually a variable has the type of the outer structure. If there is no such variable, or if its
 * location is unknown, this code searches the outer structure. The outer structure must contain the
 * inner structure, and must have a member of the size of the access at the accessed offset. It must
 * be the only such structure in one of these lists:
 *
 *   - the structures that the function mentions and that do not start with the inner structure
 *   - the structures to which a function of the source converts a pointer to the inner structure
 *   - all structures that the source (the compilation unit) defines
 *
 * The third list needs more evidence, because there are other common reasons for an access outside
 * of a structure, such as casts to longer structures. One of the accesses must be before the start
 * of the inner structure. At this offset, an array of inner structures must have no member of that
 * size. In the second and third list, the outer structure must explain all accesses of the function
 * outside of the inner structure.
 */
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"
#include "table.h"

enum { DEPTH_MAX = 16, MEMBERS_MAX = 4096, WORK_MAX = 2 << 20 };

/* Data for the searches in one function. */
struct searches {
	/* The results of earlier searches. The key is made of an outer and an inner type. The value
	 * is the offset of the inner structure plus 1, or NOT_EMBEDDED. */
	struct pk_table known;
	unsigned work; /* the number of types and members that may still be examined for this
			* function */
	/* The source of the function, which is read when it is first used. */
	struct pk_source_types source;
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

/* Returns the structures in the source of the function at this address. Returns NULL if the source
 * is unknown. */
static const struct pk_source_types *source_of(const struct flow *f, uint64_t address)
{
	struct searches *searches = f->searches;

	if (!searches->source_read)
		searches->source_known = pk_types_of_source(f->types, address, &searches->source);
	searches->source_read = true;
	return searches->source_known ? &searches->source : NULL;
}

/* Subtracts `amount` from the work that is left for the function. Returns false if nothing is left.
 */
static bool work(const struct flow *f, unsigned amount)
{
	struct searches *searches = f->searches;

	searches->work -= amount < searches->work ? amount : searches->work;
	return searches->work;
}

/* A search for the inner structure in an outer structure. */
struct search {
	struct pk_types *types;
	pk_type_id inner;
	uint64_t offset; /* the offset of the inner structure in the outer structure */
	unsigned found;	 /* the number of inner structures that were found; 2 means several */
	unsigned fuel;
};

/* Counts the inner structures in the outer structure. An array of inner structures is counted as
 * two, because the element is unknown. */
static void find_embedded(struct search *s, pk_type_id outer, uint64_t base, unsigned depth)
{
	const struct pk_member *list;
	const size_t count = pk_type_members(s->types, outer, &list);

	for (size_t i = 0; i < count && s->found < 2 && s->fuel; i++) {
		/* This is a copy, because the recursion can read further members and move the list.
		 */
		const struct pk_member m = list[i];
		pk_type_id type = pk_type_strip(s->types, m.type);
		struct pk_type info;
		unsigned times = 1;

		s->fuel--;
		/* In damaged debugging information, the elements of an array can have the type of
		 * the array itself. `fuel` ends this loop. */
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

/* Returns true if the outer structure contains exactly one inner structure, and sets *offset to its
 * offset. Also returns false if there are too many members to search. */
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
		/* If memory is exhausted, the result is not stored. The next search then computes
		 * it again. */
		(void)pk_table_set_u64(&f->searches->known, key, known);
	}
	*offset = known - 1;
	return known != NOT_EMBEDDED;
}

/* Returns true if the pointer points to the start of a number or a pointer of this size. It can be
 * a member or an element of an array. */
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

/* Like has_member(), for a pointer that can have an index. With an index, the member must be an
 * element of an array. */
static bool has_place(struct pk_types *t, const struct flow_value *pointer, uint64_t size)
{
	struct flow_value first = *pointer;

	first.stride = 0;
	return (!pointer->stride || pk_flow_value_indexes(t, pointer, &first.offset)) &&
	       has_member(t, &first, size);
}

/* Returns true if both pointers refer to the same bytes, and if the structure of `outer` is, or
 * contains, the structure of `inner`. Both pointers are then correct results. */
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

/* Finds the only structure in f->mentioned that contains the pointer's structure and has a member
 * at the accessed offset. Structures that start with the pointer's structure are ignored. The
 * pointer's structure can be a common header at the start of many structures. */
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
	 * the pointer's structure. The result is then uncertain, so it returns false. */
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

/* Returns true if the access is before the structure, and an array of such structures does not
 * explain it. */
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

/* Returns true if the embedding explains all accesses by pointers to the inner type. */
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

/* Adds the outer structure as a candidate. Returns false if it contradicts an earlier candidate. */
static bool add_candidate(struct flow *f, pk_type_id outer, struct embedding *found, size_t *count)
{
	struct embedding one = {.inner = found->inner, .outer = outer};

	/* A structure that starts with the inner structure needs no check here. If a function
	 * converts a pointer to this structure, the structure is a valid candidate. Otherwise
	 * explains() rejects the structure, because it does not explain the access before its
	 * start. */
	if (!embedded(f, outer, one.inner, &one.offset) || !explains(f, &one) ||
	    (*count && is_inside(f, found, &one)))
		return true;
	if (*count && !is_inside(f, &one, found))
		return false;
	*found = one;
	++*count;
	return true;
}

/* Searches the functions of the source that convert a pointer to the inner structure. Such a
 * function can be inlined without any debugging information about it. */
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

	if (!f->outside_count ||
	    f->outside_count == OUTSIDE_MAX) /* If the list is full, it can be incomplete. */
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
