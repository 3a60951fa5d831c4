/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "flow_internal.h"

/* Pointers that are none: NULL, and errors as the kernel returns them. */
#define SMALL 4096

struct value value_unknown(enum flow_reason lost)
{
	return (struct value){.kind = VALUE_UNKNOWN, .lost = (uint8_t)lost};
}

struct value value_constant(int64_t constant)
{
	return (struct value){.kind = VALUE_CONSTANT, .offset = constant};
}

struct value value_of_type(struct pk_types *t, pk_type_id type)
{
	const pk_type_id plain = pk_type_strip(t, type);
	struct pk_type info;

	if (!pk_type_info(t, plain, &info))
		return value_unknown(FLOW_LOST_MEMORY);
	if (pk_type_is_address(info.kind))
		return (struct value){.kind = VALUE_POINTER, .type = info.target};
	return (struct value){.kind = VALUE_TYPE, .type = type};
}

static uint64_t size_of(struct pk_types *t, pk_type_id type)
{
	struct pk_type info;

	return pk_type_info(t, pk_type_strip(t, type), &info) ? info.size : 0;
}

bool value_is_typed(struct pk_types *t, const struct value *v)
{
	struct pk_type info;

	if (v->kind != VALUE_POINTER || !pk_type_info(t, pk_type_strip(t, v->type), &info))
		return false;
	return info.kind != PK_KIND_OF_VOID && info.kind != PK_KIND_OF_NONE && !info.declared;
}

struct value value_loaded(struct pk_types *t, const struct value *pointer, uint64_t size)
{
	const uint64_t whole = size_of(t, pointer->type);
	int64_t offset = pointer->offset;
	pk_type_id type;
	uint64_t rest = 0;

	if (whole && (pointer->indexed || offset >= 0)) {
		offset %= (int64_t)whole;
		if (offset < 0)
			offset += (int64_t)whole;
	}
	type = pk_type_at(t, pointer->type, offset, size, &rest);
	if (type == PK_TYPE_NONE || rest)
		return value_unknown(FLOW_LOST_MEMORY);
	return value_of_type(t, type);
}

static bool is_address(const struct value *v)
{
	return v->kind == VALUE_POINTER || v->kind == VALUE_CFA;
}

static struct value shifted(const struct value *v, int64_t by)
{
	struct value sum = *v;

	sum.offset = (int64_t)((uint64_t)sum.offset + (uint64_t)by);
	return sum;
}

static struct value indexed(const struct value *v)
{
	struct value sum = *v;

	sum.indexed = true;
	return sum;
}

struct value value_add(const struct value *a, const struct value *b, unsigned scale)
{
	if (b->kind == VALUE_CONSTANT && !b->indexed &&
	    (is_address(a) || a->kind == VALUE_CONSTANT))
		return shifted(a, (int64_t)((uint64_t)b->offset * scale));
	if (a->kind == VALUE_CONSTANT && !a->indexed && scale == 1 && is_address(b))
		return shifted(b, a->offset);
	if (is_address(a) && !is_address(b))
		return indexed(a);
	if (is_address(b) && !is_address(a) && scale == 1)
		return indexed(b);
	/* A table at an address that is known, and an index. */
	if (a->kind == VALUE_CONSTANT && !is_address(b))
		return indexed(a);
	if (b->kind == VALUE_CONSTANT && scale == 1 && !is_address(a))
		return indexed(b);
	return value_unknown(a->kind == VALUE_UNKNOWN && a->lost != FLOW_NO_VARIABLE
				     ? (enum flow_reason)a->lost
				     : FLOW_LOST_ARITHMETIC);
}

struct value value_subtract(const struct value *a, const struct value *b)
{
	if (b->kind == VALUE_CONSTANT && !b->indexed &&
	    (is_address(a) || a->kind == VALUE_CONSTANT))
		return shifted(a, (int64_t)(0 - (uint64_t)b->offset));
	return is_address(a) && !is_address(b) ? indexed(a) : value_unknown(FLOW_LOST_ARITHMETIC);
}

static bool is_small(const struct value *v)
{
	return v->kind == VALUE_CONSTANT && v->offset > -SMALL && v->offset < SMALL;
}

/* Do both lie in one array that is a member of the type (or of a member of it)? */
static bool in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b)
{
	const struct pk_member *m;
	struct pk_type info;
	size_t n;

	for (unsigned depth = 0; depth < 16; depth++) {
		type = pk_type_strip(t, type);
		if (a < 0 || b < 0 || !pk_type_info(t, type, &info))
			return false;
		if (info.kind == PK_KIND_OF_ARRAY)
			return true;
		for (n = pk_type_members(t, type, &m); n; n--, m++)
			if ((uint64_t)a >= m->offset && (uint64_t)a - m->offset < m->size &&
			    (uint64_t)b >= m->offset && (uint64_t)b - m->offset < m->size)
				break;
		if (!n)
			return false;
		a -= (int64_t)m->offset;
		b -= (int64_t)m->offset;
		type = m->type;
	}
	return false;
}

/* Two pointers to one type: into an array of them, or into an array that is a member. */
static struct value merge_offsets(struct pk_types *t, const struct value *a, const struct value *b)
{
	const int64_t size = (int64_t)size_of(t, a->type);
	struct value both = *a;

	both.indexed = true;
	if (a->offset == b->offset)
		return both;
	if (size > 0 && (int64_t)((uint64_t)a->offset - (uint64_t)b->offset) % size == 0) {
		both.offset = a->offset % size;
		if (both.offset < 0)
			both.offset += size;
		return both;
	}
	if (in_one_array(t, a->type, a->offset, b->offset)) {
		both.offset = a->offset < b->offset ? a->offset : b->offset;
		return both;
	}
	return value_unknown(FLOW_LOST_MERGE);
}

static bool same_type(struct pk_types *t, pk_type_id a, pk_type_id b)
{
	a = pk_type_strip(t, a);
	b = pk_type_strip(t, b);
	return a == b ||
	       (size_of(t, a) == size_of(t, b) && !strcmp(pk_type_name(t, a), pk_type_name(t, b)));
}

static bool in_one_variable(struct pk_types *t, const struct value *a, const struct value *b)
{
	struct pk_global one, other;

	return pk_types_global(t, (uint64_t)a->offset, &one) &&
	       pk_types_global(t, (uint64_t)b->offset, &other) && one.address == other.address;
}

static struct value merge_different(struct pk_types *t, const struct value *a,
				    const struct value *b)
{
	if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER) {
		if (same_type(t, a->type, b->type))
			return merge_offsets(t, a, b);
		if (!value_is_typed(t, a))
			return *b;
		if (!value_is_typed(t, b))
			return *a;
	}
	if (a->kind == b->kind && a->kind != VALUE_UNKNOWN && a->type == b->type &&
	    (a->offset == b->offset || (a->kind == VALUE_CONSTANT && in_one_variable(t, a, b)))) {
		struct value both = a->offset < b->offset ? *a : *b;

		both.indexed = true;
		return both;
	}
	if (a->kind == VALUE_POINTER && is_small(b))
		return *a;
	if (b->kind == VALUE_POINTER && is_small(a))
		return *b;
	if (a->kind == VALUE_UNKNOWN)
		return *a;
	return b->kind == VALUE_UNKNOWN ? *b : value_unknown(FLOW_LOST_MERGE);
}

struct value value_merge(struct pk_types *t, const struct value *a, const struct value *b,
			 bool *changed)
{
	struct value v;

	if (b->kind == VALUE_UNREACHED)
		return *a;
	if (a->kind == b->kind && a->indexed == b->indexed && a->type == b->type &&
	    a->offset == b->offset)
		return *a;
	v = a->kind == VALUE_UNREACHED ? *b : merge_different(t, a, b);
	if (v.kind != a->kind || v.indexed != a->indexed || v.type != a->type ||
	    v.offset != a->offset)
		*changed = true;
	return v;
}
