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

struct value value_address(uint64_t address)
{
	return (struct value){.kind = VALUE_ADDRESS, .offset = (int64_t)address};
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
	int64_t offset;
	pk_type_id type;
	uint64_t rest = 0;

	if (value_place(t, pointer, &offset) != FLOW_TYPE)
		return value_unknown(FLOW_LOST_MEMORY);
	type = pk_type_at(t, pointer->type, offset, size, &rest);
	if (type == PK_TYPE_NONE || rest)
		return value_unknown(FLOW_LOST_MEMORY);
	return value_of_type(t, type);
}

/* ---- Arithmetic ---- */

static bool is_small(const struct value *v)
{
	return v->offset > -SMALL && v->offset < SMALL;
}

static bool is_pointer(const struct value *v)
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

/* What is not known is any number: 0 + n * 1. */
static struct value as_number(const struct value *v)
{
	struct value number = *v;

	if (v->kind != VALUE_NUMBER && v->kind != VALUE_CONSTANT)
		number = (struct value){.kind = VALUE_NUMBER,
					.lost = v->kind == VALUE_UNKNOWN ? v->lost
									 : FLOW_LOST_ARITHMETIC,
					.stride = 1};
	return number;
}

struct value value_multiply(const struct value *v, uint64_t by)
{
	struct value product;

	if (is_pointer(v) || v->kind == VALUE_CANARY || by > UINT32_MAX)
		return value_unknown(FLOW_LOST_ARITHMETIC);
	product = as_number(v);
	product.offset = (int64_t)((uint64_t)product.offset * by);
	product.stride = common(product.stride * by, 0);
	return product;
}

static struct value sum(const struct value *a, const struct value *n, bool negative)
{
	struct value v = a->kind == VALUE_CONSTANT && !negative ? *n : *a;

	v.offset = (int64_t)(negative ? (uint64_t)a->offset - (uint64_t)n->offset
				      : (uint64_t)a->offset + (uint64_t)n->offset);
	v.stride = common(a->stride, n->stride);
	if (v.kind == VALUE_CONSTANT && v.stride)
		v.kind = VALUE_NUMBER;
	return v;
}

struct value value_add(const struct value *a, const struct value *b, unsigned scale)
{
	const struct value by = scale == 1 ? *b : value_multiply(b, scale);
	const bool first = is_pointer(a), second = is_pointer(&by);
	const struct value one = first ? *a : as_number(a);
	const struct value other = second ? by : as_number(&by);

	if (first && second)
		return value_unknown(FLOW_LOST_ARITHMETIC);
	return second ? sum(&other, &one, false) : sum(&one, &other, false);
}

struct value value_subtract(const struct value *a, const struct value *b)
{
	const struct value one = is_pointer(a) ? *a : as_number(a);
	const struct value other = as_number(b);

	return is_pointer(b) ? value_unknown(FLOW_LOST_ARITHMETIC) : sum(&one, &other, true);
}

/* ---- Merging ---- */

/* Numbers of which one is the other and a multiple of something. */
static struct value merge_numbers(const struct value *a, const struct value *b)
{
	const uint64_t distance = a->offset > b->offset ? (uint64_t)a->offset - (uint64_t)b->offset
							: (uint64_t)b->offset - (uint64_t)a->offset;
	struct value both = *a;

	both.stride = common(common(a->stride, b->stride), distance);
	return both;
}

static bool in_one_variable(struct pk_types *t, const struct value *a, const struct value *b)
{
	struct pk_global one, other;

	return pk_types_global(t, (uint64_t)a->offset, &one) &&
	       pk_types_global(t, (uint64_t)b->offset, &other) && one.address == other.address;
}

static bool same_type(struct pk_types *t, pk_type_id a, pk_type_id b)
{
	a = pk_type_strip(t, a);
	b = pk_type_strip(t, b);
	return a == b ||
	       (size_of(t, a) == size_of(t, b) && !strcmp(pk_type_name(t, a), pk_type_name(t, b)));
}

/* Two pointers to one type: into an array of them, or into an array that is a member. */
static struct value merge_pointers(struct pk_types *t, const struct value *a, const struct value *b)
{
	const uint64_t size = size_of(t, a->type);
	const struct value both = merge_numbers(a, b);
	struct value low = both;

	if (a->offset == b->offset || (size && both.stride % size == 0))
		return both;
	low.offset = a->offset < b->offset ? a->offset : b->offset;
	if (value_in_one_array(t, a->type, a->offset, b->offset))
		return low;
	return value_unknown(FLOW_LOST_MERGE);
}

static struct value merge_different(struct pk_types *t, const struct value *a,
				    const struct value *b)
{
	if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
		return a->kind == VALUE_UNKNOWN ? *a : *b;
	if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER) {
		if (same_type(t, a->type, b->type))
			return merge_pointers(t, a, b);
		if (!value_is_typed(t, a) || !value_is_typed(t, b))
			return value_is_typed(t, a) ? *a : *b;
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
		const struct value one = as_number(a), other = as_number(b);
		struct value both = merge_numbers(&one, &other);

		both.kind = VALUE_NUMBER;
		both.lost = FLOW_LOST_MERGE;
		return both;
	}
	return value_unknown(FLOW_LOST_MERGE);
}

static bool is_same(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->stride == b->stride && a->type == b->type &&
	       a->offset == b->offset;
}

struct value value_merge(struct pk_types *t, const struct value *a, const struct value *b,
			 bool *changed)
{
	struct value v;

	if (b->kind == VALUE_UNREACHED || is_same(a, b))
		return *a;
	v = a->kind == VALUE_UNREACHED ? *b : merge_different(t, a, b);
	*changed |= !is_same(a, &v);
	return v;
}
