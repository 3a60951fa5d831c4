// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "flow_value.h"

/* ---- Values ---- */

/* Numbers with a smaller absolute value are not valid pointers. They are NULL, or error codes of
 * the kernel. */
#define SMALL 4096

struct flow_value pk_flow_value_unknown(enum flow_reason lost)
{
	return (struct flow_value){.kind = VALUE_UNKNOWN, .lost = (uint8_t)lost};
}

struct flow_value pk_flow_value_constant(int64_t constant)
{
	return (struct flow_value){.kind = VALUE_CONSTANT, .offset = constant};
}

struct flow_value pk_flow_value_address(uint64_t address)
{
	return (struct flow_value){.kind = VALUE_ADDRESS, .offset = (int64_t)address};
}

struct flow_value pk_flow_value_of_type(struct pk_types *t, pk_type_id type)
{
	const pk_type_id plain = pk_type_strip(t, type);
	struct pk_type info;

	if (!pk_type_info(t, plain, &info))
		return pk_flow_value_unknown(FLOW_LOST_MEMORY);
	if (pk_type_is_address(info.kind))
		return (struct flow_value){.kind = VALUE_POINTER, .type = info.target};
	return (struct flow_value){.kind = VALUE_TYPE, .type = type};
}

static uint64_t size_of(struct pk_types *t, pk_type_id type)
{
	struct pk_type info;

	return pk_type_info(t, pk_type_strip(t, type), &info) ? info.size : 0;
}

bool pk_flow_value_is_typed(struct pk_types *t, const struct flow_value *v)
{
	struct pk_type info;

	if (v->kind != VALUE_POINTER || !pk_type_info(t, pk_type_strip(t, v->type), &info))
		return false;
	return info.kind != PK_KIND_OF_VOID && info.kind != PK_KIND_OF_NONE && !info.declared;
}

struct flow_value pk_flow_value_loaded(struct pk_types *t, const struct flow_value *pointer,
				       uint64_t size)
{
	int64_t offset;
	pk_type_id type;
	uint64_t rest = 0;

	if (pk_flow_value_place(t, pointer, &offset) != FLOW_TYPE)
		return pk_flow_value_unknown(FLOW_LOST_MEMORY);
	type = pk_type_at(t, pointer->type, offset, size, &rest);
	if (type == PK_TYPE_NONE || rest)
		return pk_flow_value_unknown(FLOW_LOST_MEMORY);
	return pk_flow_value_of_type(t, type);
}

/* ---- Arithmetic ---- */

static bool is_small(const struct flow_value *v)
{
	return v->offset > -SMALL && v->offset < SMALL;
}

static bool is_pointer(const struct flow_value *v)
{
	return v->kind == VALUE_POINTER || v->kind == VALUE_CFA || v->kind == VALUE_STACK ||
	       v->kind == VALUE_ADDRESS;
}

static uint32_t common(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a > UINT32_MAX ? 1 : (uint32_t)a;
}

/* Converts a value to a number. An unknown value can be any number, so it becomes 0 plus an unknown
 * multiple of 1. */
static struct flow_value as_number(const struct flow_value *v)
{
	struct flow_value number = *v;

	if (v->kind != VALUE_NUMBER && v->kind != VALUE_CONSTANT)
		number = (struct flow_value){
			.kind = VALUE_NUMBER,
			.lost = v->kind == VALUE_UNKNOWN ? v->lost : FLOW_LOST_ARITHMETIC,
			.stride = 1};
	return number;
}

struct flow_value pk_flow_value_multiply(const struct flow_value *v, uint64_t by)
{
	struct flow_value product;

	if (is_pointer(v) || v->kind == VALUE_CANARY || by > UINT32_MAX)
		return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	product = as_number(v);
	product.offset = (int64_t)((uint64_t)product.offset * by);
	product.stride = common(product.stride * by, 0);
	return product;
}

static struct flow_value sum(const struct flow_value *a, const struct flow_value *n, bool negative)
{
	struct flow_value v = a->kind == VALUE_CONSTANT && !negative ? *n : *a;

	v.offset = (int64_t)(negative ? (uint64_t)a->offset - (uint64_t)n->offset
				      : (uint64_t)a->offset + (uint64_t)n->offset);
	v.stride = common(a->stride, n->stride);
	if (v.kind == VALUE_CONSTANT && v.stride)
		v.kind = VALUE_NUMBER;
	return v;
}

struct flow_value pk_flow_value_add(const struct flow_value *a, const struct flow_value *b,
				    unsigned scale)
{
	const struct flow_value by = scale == 1 ? *b : pk_flow_value_multiply(b, scale);
	const bool first = is_pointer(a), second = is_pointer(&by);
	const struct flow_value one = first ? *a : as_number(a);
	const struct flow_value other = second ? by : as_number(&by);

	if (first && second)
		return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	return second ? sum(&other, &one, false) : sum(&one, &other, false);
}

struct flow_value pk_flow_value_subtract(const struct flow_value *a, const struct flow_value *b)
{
	const struct flow_value one = is_pointer(a) ? *a : as_number(a);
	const struct flow_value other = as_number(b);

	return is_pointer(b) ? pk_flow_value_unknown(FLOW_LOST_ARITHMETIC)
			     : sum(&one, &other, true);
}

/* ---- Merging ---- */

/* Merges two numbers a + n * stride into one. The new stride also divides the difference of the
 * numbers. */
static struct flow_value merge_numbers(const struct flow_value *a, const struct flow_value *b)
{
	const uint64_t distance = a->offset > b->offset ? (uint64_t)a->offset - (uint64_t)b->offset
							: (uint64_t)b->offset - (uint64_t)a->offset;
	struct flow_value both = *a;

	both.stride = common(common(a->stride, b->stride), distance);
	return both;
}

static bool in_one_variable(struct pk_types *t, const struct flow_value *a,
			    const struct flow_value *b)
{
	struct pk_global one, other;

	return pk_types_global(t, (uint64_t)a->offset, &one) &&
	       pk_types_global(t, (uint64_t)b->offset, &other) && one.address == other.address;
}

bool pk_flow_value_same_type(struct pk_types *t, pk_type_id a, pk_type_id b)
{
	a = pk_type_strip(t, a);
	b = pk_type_strip(t, b);
	return a == b ||
	       (size_of(t, a) == size_of(t, b) && !strcmp(pk_type_name(t, a), pk_type_name(t, b)));
}

/* Merges two pointers to the same type. The result points into an array of this type, or into an
 * array that is a member of this type. */
static struct flow_value merge_pointers(struct pk_types *t, const struct flow_value *a,
					const struct flow_value *b)
{
	const uint64_t size = size_of(t, a->type);
	const struct flow_value both = merge_numbers(a, b);
	struct flow_value low = both;

	if (a->offset == b->offset || (size && both.stride % size == 0))
		return both;
	low.offset = a->offset < b->offset ? a->offset : b->offset;
	if (pk_flow_value_in_one_array(t, a->type, a->offset, b->offset))
		return low;
	return pk_flow_value_unknown(FLOW_LOST_MERGE);
}

static struct flow_value merge_different(struct pk_types *t, const struct flow_value *a,
					 const struct flow_value *b)
{
	if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
		return a->kind == VALUE_UNKNOWN ? *a : *b;
	if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER) {
		if (pk_flow_value_same_type(t, a->type, b->type))
			return merge_pointers(t, a, b);
		if (!pk_flow_value_is_typed(t, a) || !pk_flow_value_is_typed(t, b))
			return pk_flow_value_is_typed(t, a) ? *a : *b;
	}
	if (a->kind == VALUE_POINTER && b->kind == VALUE_CONSTANT && is_small(b))
		return *a;
	if (b->kind == VALUE_POINTER && a->kind == VALUE_CONSTANT && is_small(a))
		return *b;
	if (a->kind == VALUE_STACK && b->kind == VALUE_STACK)
		return *a;
	if (a->kind == VALUE_CFA && b->kind == VALUE_CFA)
		return merge_numbers(a->offset < b->offset ? a : b, a->offset < b->offset ? b : a);
	if (a->kind == VALUE_ADDRESS && b->kind == VALUE_ADDRESS && in_one_variable(t, a, b))
		return merge_numbers(a, b);
	if (!is_pointer(a) && !is_pointer(b)) {
		const struct flow_value one = as_number(a), other = as_number(b);
		struct flow_value both = merge_numbers(&one, &other);

		both.kind = VALUE_NUMBER;
		both.lost = FLOW_LOST_MERGE;
		return both;
	}
	return pk_flow_value_unknown(FLOW_LOST_MERGE);
}

static bool is_same(const struct flow_value *a, const struct flow_value *b)
{
	return a->kind == b->kind && a->stride == b->stride && a->type == b->type &&
	       a->offset == b->offset;
}

struct flow_value pk_flow_value_merge(struct pk_types *t, const struct flow_value *a,
				      const struct flow_value *b, bool *changed)
{
	struct flow_value v;

	if (b->kind == VALUE_UNREACHED || is_same(a, b))
		return *a;
	v = a->kind == VALUE_UNREACHED ? *b : merge_different(t, a, b);
	*changed |= !is_same(a, &v);
	return v;
}

/* ---- The offset of a pointer in its type. The pointer can have an index. ---- */

/* An index usually starts at 0. In code such as a[i - 1], it can start at a number from -INDEX_MAX
 * to INDEX_MAX. */
enum { INDEX_MAX = 3 };

/* member_at() checks at most this number of members before an offset. */
enum { LOOK_BACK = 256 };

/* Returns the first member that contains the offset, or NULL if there is none. The members are
 * sorted by offset. A member with size 0 is a flexible array if it is the last member. Otherwise it
 * is only a marker. */
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

/* Finds the outermost array that contains the offset. The array is the type itself, an element of
 * an array, or a member. If `stride` is not 0, arrays are skipped whose element size does not
 * divide `stride`. Sets *start to the offset of the array. */
static bool find_array(struct pk_types *t, pk_type_id type, int64_t offset, uint64_t stride,
		       uint64_t *start, struct pk_type *array)
{
	const struct pk_member *m;
	size_t count;

	*start = 0;
	for (unsigned depth = 0; depth < 16; depth++) {
		type = pk_type_strip(t, type);
		if (offset < 0 || !pk_type_info(t, type, array))
			return false;
		if (array->kind == PK_KIND_OF_ARRAY) {
			if (!stride || (array->stride && stride % array->stride == 0))
				return true;
			if (!array->stride || array->stride > INT64_MAX)
				return false;
			*start += (uint64_t)offset / array->stride * array->stride;
			offset %= (int64_t)array->stride;
			type = array->target;
			continue;
		}
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

bool pk_flow_value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b)
{
	struct pk_type one, other;
	uint64_t start, end;

	return find_array(t, type, a, 0, &start, &one) && find_array(t, type, b, 0, &end, &other) &&
	       start == end;
}

bool pk_flow_value_indexes(struct pk_types *t, const struct flow_value *v, int64_t *offset)
{
	struct pk_type array;
	uint64_t start;

	if (!v->stride)
		return false;
	*offset = v->offset;
	if (find_array(t, v->type, v->offset, v->stride, &start, &array))
		return true;
	/* The index starts at 1 or at a greater number. */
	for (unsigned i = 1; v->stride > 1 && i <= INDEX_MAX; i++) {
		*offset = offset_plus(v->offset, (int64_t)i * v->stride);
		if (find_array(t, v->type, *offset, v->stride, &start, &array) &&
		    array.stride == v->stride)
			return true;
	}
	return false;
}

static int64_t modulo(int64_t offset, uint64_t size)
{
	offset %= (int64_t)size;
	return offset < 0 ? offset + (int64_t)size : offset;
}

bool pk_flow_value_is_beside(struct pk_types *t, const struct flow_value *v)
{
	struct pk_type info;

	return v->stride && pk_type_info(t, pk_type_strip(t, v->type), &info) &&
	       (info.kind == PK_KIND_OF_STRUCT || info.kind == PK_KIND_OF_UNION) &&
	       (v->offset < 0 || (uint64_t)v->offset >= info.size);
}

bool pk_flow_value_is_near(const struct flow_value *v)
{
	const int64_t reach = (INDEX_MAX + 1) * (int64_t)v->stride;

	return v->offset > -reach && v->offset < reach;
}

enum flow_found pk_flow_value_place(struct pk_types *t, const struct flow_value *v, int64_t *offset)
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
	if (pk_flow_value_indexes(t, v, offset))
		return FLOW_TYPE;
	*offset = v->offset;
	if (find_array(t, v->type, v->offset, 0, &start, &array)) /* also finds flexible arrays */
		return FLOW_TYPE;
	if (v->offset < 0 || (uint64_t)v->offset >= info.size)
		return FLOW_NOT;
	return v->stride && info.size % v->stride ? FLOW_NOT : FLOW_TYPE;
}

bool pk_flow_value_has_elements(struct pk_types *t, pk_type_id type)
{
	struct pk_type info;

	return pk_type_info(t, pk_type_strip(t, type), &info) &&
	       (info.kind == PK_KIND_OF_ARRAY || info.kind == PK_KIND_OF_STRUCT ||
		info.kind == PK_KIND_OF_UNION);
}

bool pk_flow_value_global(struct pk_types *t, const struct flow_value *v, struct pk_global *global,
			  struct flow_value *pointer)
{
	int64_t at = v->offset;
	bool found = pk_types_global(t, (uint64_t)at, global);

	for (unsigned i = 1;
	     v->stride && i < 4 && !(found && pk_flow_value_has_elements(t, global->type)); i++) {
		at = offset_plus(v->offset, (int64_t)i * v->stride);
		found = pk_types_global(t, (uint64_t)at, global);
	}
	if (!found || (v->stride && !pk_flow_value_has_elements(t, global->type)))
		return false;
	*pointer = (struct flow_value){.kind = VALUE_POINTER,
				       .stride = v->stride,
				       .type = global->type,
				       .offset = (int64_t)((uint64_t)at - global->address)};
	return true;
}

/* ---- States ---- */

static void forget(struct flow_state *s, int64_t at, unsigned size, unsigned word)
{
	unsigned i = 0;

	while (i < s->slot_count) {
		const int64_t there = s->slots[i].at;

		if ((uint64_t)offset_minus(there, at) < size ||
		    (uint64_t)offset_minus(at, there) < word)
			s->slots[i] = s->slots[--s->slot_count];
		else
			i++;
	}
}

void pk_flow_state_store(struct flow_state *s, int64_t at, unsigned size,
			 const struct flow_value *value, unsigned word)
{
	forget(s, at, size ? size : 64, word);
	if (size != word || value->kind == VALUE_UNKNOWN)
		return;
	/* If there is no room, one slot is dropped. */
	if (s->slot_count == STATE_SLOTS) {
		s->slots[0] = s->slots[--s->slot_count];
	}
	s->slots[s->slot_count++] = (struct flow_word){at, *value};
}

const struct flow_value *pk_flow_state_load(const struct flow_state *s, int64_t at)
{
	for (unsigned i = 0; i < s->slot_count; i++)
		if (s->slots[i].at == at)
			return &s->slots[i].value;
	return NULL;
}

bool pk_flow_state_merge(struct pk_types *t, struct flow_state *to, const struct flow_state *from)
{
	bool changed = false;
	unsigned i = 0;

	if (!to->reached) {
		*to = *from;
		return true;
	}
	for (unsigned reg = 0; reg < STATE_REGISTERS; reg++)
		to->regs[reg] = pk_flow_value_merge(t, &to->regs[reg], &from->regs[reg], &changed);
	while (i < to->slot_count) {
		const struct flow_value *other = pk_flow_state_load(from, to->slots[i].at);

		if (other)
			to->slots[i].value =
				pk_flow_value_merge(t, &to->slots[i].value, other, &changed);
		if (!other || to->slots[i].value.kind == VALUE_UNKNOWN) {
			to->slots[i] = to->slots[--to->slot_count];
			changed = true;
		} else {
			i++;
		}
	}
	return changed;
}
