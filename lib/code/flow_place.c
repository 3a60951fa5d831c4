/* SPDX-License-Identifier: BSD-2-Clause */
/* Where in a type a pointer leads that may have been moved by an index. */
#include "flow_internal.h"

/* So many members that begin at or before an offset are looked at for one that reaches it. */
enum { LOOK_BACK = 256 };

/* The first member that the offset is in. They are by offset; what has no size is a flexible array
 * if it is the last, else a mark. NULL: none. */
static const struct pk_member *member_at(const struct pk_member *list, size_t count,
					 uint64_t offset)
{
	size_t low = 0, high = count, i;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (list[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (i = low > LOOK_BACK ? low - LOOK_BACK : 0; i < low; i++)
		if (offset - list[i].offset < list[i].size ||
		    (!list[i].size && list[i].offset == list[count - 1].offset))
			return &list[i];
	return NULL;
}

/* The array that is (or is in) the type, and that the offset is in; *start: where it begins. */
static bool find_array(struct pk_types *t, pk_type_id type, int64_t offset, uint64_t *start,
		       struct pk_type *array)
{
	const struct pk_member *m;
	size_t count;

	*start = 0;
	for (unsigned depth = 0; depth < 16; depth++) {
		type = pk_type_strip(t, type);
		if (offset < 0 || !pk_type_info(t, type, array))
			return false;
		if (array->kind == PK_KIND_OF_ARRAY)
			return true;
		count = pk_type_members(t, type, &m);
		m = member_at(m, count, (uint64_t)offset);
		if (!m)
			return false;
		offset -= (int64_t)m->offset;
		*start += m->offset;
		type = m->type;
	}
	return false;
}

bool value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b)
{
	struct pk_type one, other;
	uint64_t start, end;

	return find_array(t, type, a, &start, &one) && find_array(t, type, b, &end, &other) &&
	       start == end;
}

/* An index that is counted from 1 (or further on): what follows is an array of such elements. */
static bool find_array_behind(struct pk_types *t, const struct value *v, int64_t *offset)
{
	struct pk_type array;
	uint64_t start;

	if (v->stride < 2)
		return false;
	for (unsigned i = 1; i < 4; i++) {
		const int64_t there = offset_plus(v->offset, (int64_t)i * v->stride);

		if (find_array(t, v->type, there, &start, &array) && array.stride == v->stride) {
			*offset = there;
			return true;
		}
	}
	return false;
}

static int64_t modulo(int64_t offset, uint64_t size)
{
	offset %= (int64_t)size;
	return offset < 0 ? offset + (int64_t)size : offset;
}

enum flow_found value_place(struct pk_types *t, const struct value *v, int64_t *offset)
{
	struct pk_type info, array;
	uint64_t start;

	*offset = v->offset;
	if (!pk_type_info(t, pk_type_strip(t, v->type), &info))
		return FLOW_NOT;
	if (info.kind != PK_KIND_OF_STRUCT && info.kind != PK_KIND_OF_UNION) {
		if (info.size && info.size <= INT64_MAX)
			*offset = modulo(v->offset, info.size);
		return FLOW_TYPE;
	}
	if (!info.size || info.size > INT64_MAX)
		return FLOW_NOT;
	if (v->stride && v->stride % info.size == 0) {
		*offset = modulo(v->offset, info.size);
		return FLOW_TYPE;
	}
	if (find_array(t, v->type, v->offset, &start, &array)) /* flexible ones, too */
		return FLOW_TYPE;
	if (v->stride && find_array_behind(t, v, offset))
		return FLOW_TYPE;
	if (!v->stride)
		return v->offset >= 0 && (uint64_t)v->offset < info.size ? FLOW_TYPE : FLOW_NOT;
	*offset = modulo(v->offset, info.size);
	return info.size % v->stride ? FLOW_NOT : FLOW_TYPE;
}

/* Is an index of any use in it? */
static bool has_elements(struct pk_types *t, pk_type_id type)
{
	struct pk_type info;

	return pk_type_info(t, pk_type_strip(t, type), &info) &&
	       (info.kind == PK_KIND_OF_ARRAY || info.kind == PK_KIND_OF_STRUCT ||
		info.kind == PK_KIND_OF_UNION);
}

bool value_global(struct pk_types *t, const struct value *v, struct pk_global *global,
		  struct value *pointer)
{
	int64_t at = v->offset;
	bool found = pk_types_global(t, (uint64_t)at, global);

	for (unsigned i = 1; v->stride && i < 4 && !(found && has_elements(t, global->type)); i++) {
		at = offset_plus(v->offset, (int64_t)i * v->stride);
		found = pk_types_global(t, (uint64_t)at, global);
	}
	if (!found || (v->stride && !has_elements(t, global->type)))
		return false;
	*pointer = (struct value){.kind = VALUE_POINTER,
				  .stride = v->stride,
				  .type = global->type,
				  .offset = (int64_t)((uint64_t)at - global->address)};
	return true;
}

const struct pk_variable *value_on_frame(const struct flow *f, const struct state *s,
					 uint64_t address, const struct value *v,
					 struct value *pointer)
{
	const struct pk_variable *found = variables_on_frame(f, s, address, v->offset);
	int64_t at = v->offset;

	for (unsigned i = 1; v->stride && i < 4 && !(found && has_elements(f->types, found->type));
	     i++) {
		at = offset_plus(v->offset, (int64_t)i * v->stride);
		found = variables_on_frame(f, s, address, at);
	}
	if (!found || (v->stride && !has_elements(f->types, found->type)))
		return NULL;
	*pointer = (struct value){.kind = VALUE_POINTER,
				  .stride = v->stride,
				  .type = found->type,
				  .offset = offset_minus(at, found->offset)};
	if (found->where == PK_WHERE_MEMORY)
		pointer->offset = offset_minus(pointer->offset, s->regs[found->reg].offset);
	return found;
}
