// SPDX-License-Identifier: BSD-2-Clause
#include "tracepoint_format.h"

uint64_t pk_tp_load(const struct pk_tracepoints *all, const struct pk_bytes *raw, uint64_t offset,
		    uint32_t size)
{
	const bool swap = all->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	const uint8_t *p;

	if (!size || offset > raw->size || size > raw->size - offset)
		return 0;
	p = raw->data + offset;
	switch (size) {
	case 1: return *p;
	case 2: return swap ? __builtin_bswap16(pk_load_u16(p)) : pk_load_u16(p);
	case 4: return swap ? __builtin_bswap32(pk_load_u32(p)) : pk_load_u32(p);
	case 8: return swap ? __builtin_bswap64(pk_load_u64(p)) : pk_load_u64(p);
	default: return 0;
	}
}

uint64_t pk_tp_extend(uint64_t value, uint32_t size, bool is_signed)
{
	unsigned int shift;

	if (!size || size >= 8)
		return value;
	shift = 64 - 8 * size;
	if (is_signed)
		return (uint64_t)((int64_t)(value << shift) >> shift);
	return value << shift >> shift;
}

struct pk_bytes pk_tp_field_bytes(const struct pk_tracepoints *all,
				  const struct pk_tracepoint_field *field,
				  const struct pk_bytes *raw)
{
	uint64_t offset = field->offset, size = field->size, place;
	struct pk_bytes none = {0};

	if (field->is_dynamic) {
		place = pk_tp_load(all, raw, offset, 4);
		size = place >> 16;
		offset = (place & 0xffff) + (field->is_relative ? offset + field->size : 0);
	}
	if (!raw->size || offset > raw->size)
		return none;
	/* An array whose size is 0 extends to the end of the raw bytes. */
	if (size > raw->size - offset || (!size && !field->is_dynamic))
		size = raw->size - offset;
	return (struct pk_bytes){raw->data + offset, size};
}

struct pk_bytes pk_tp_bytes(const struct pk_tracepoint *tracepoint, uint32_t number,
			    const struct pk_bytes *raw)
{
	const struct tp_node *node = &tracepoint->nodes[number];

	while (node->kind == TP_CAST)
		node = &tracepoint->nodes[node->a];
	if (node->kind == TP_UNARY && node->op == TP_OP('&', 0))
		node = &tracepoint->nodes[node->a];
	if (node->kind == TP_INDEX && tracepoint->nodes[node->a].kind == TP_FIELD)
		node = &tracepoint->nodes[node->a];
	if (!node->field)
		return (struct pk_bytes){0};
	return pk_tp_field_bytes(tracepoint->all, node->field, raw);
}

static uint64_t compare(uint16_t op, uint64_t a, uint64_t b, bool as_unsigned)
{
	bool less = as_unsigned ? a < b : (int64_t)a < (int64_t)b;

	switch (op) {
	case TP_OP('<', 0): return less;
	case TP_OP('<', '='): return less || a == b;
	case TP_OP('>', 0): return !less && a != b;
	default: return !less;
	}
}

static uint64_t divide(uint16_t op, uint64_t a, uint64_t b, bool as_unsigned)
{
	if (!b)
		return 0;
	if (as_unsigned)
		return op == TP_OP('/', 0) ? a / b : a % b;
	if ((int64_t)b == -1)
		return op == TP_OP('/', 0) ? -a : 0;
	return (uint64_t)(op == TP_OP('/', 0) ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

/* Shifts a number. The number of bits is taken modulo 64, as perf does on most machines. */
static uint64_t shift(uint16_t op, uint64_t a, uint64_t b, bool as_unsigned)
{
	if (op == TP_OP('<', '<'))
		return a << (b & 63);
	return as_unsigned ? a >> (b & 63) : (uint64_t)((int64_t)a >> (b & 63));
}

static uint64_t eval_binary(uint16_t op, uint64_t a, uint64_t b, bool as_unsigned)
{
	switch (op) {
	case TP_OP('+', 0): return a + b;
	case TP_OP('-', 0): return a - b;
	case TP_OP('*', 0): return a * b;
	case TP_OP('&', 0): return a & b;
	case TP_OP('|', 0): return a | b;
	case TP_OP('^', 0): return a ^ b;
	case TP_OP('=', '='): return a == b;
	case TP_OP('!', '='): return a != b;
	case TP_OP('&', '&'): return a && b;
	case TP_OP('|', '|'): return a || b;
	case TP_OP('/', 0):
	case TP_OP('%', 0): return divide(op, a, b, as_unsigned);
	case TP_OP('<', '<'):
	case TP_OP('>', '>'): return shift(op, a, b, as_unsigned);
	default: return compare(op, a, b, as_unsigned);
	}
}

static uint64_t eval_unary(uint16_t op, uint64_t a)
{
	switch (op) {
	case TP_OP('!', 0): return !a;
	case TP_OP('~', 0): return ~a;
	case TP_OP('-', 0): return -a;
	default: return a;
	}
}

static uint64_t element(const struct pk_tracepoint *tracepoint, const struct tp_node *node,
			const struct pk_bytes *raw)
{
	struct pk_bytes bytes = pk_tp_bytes(tracepoint, node->a, raw);
	uint64_t i = pk_tp_eval(tracepoint, node->b, raw), offset;

	if (__builtin_mul_overflow(i, (uint64_t)node->type.size, &offset))
		return 0;
	return pk_tp_extend(pk_tp_load(tracepoint->all, &bytes, offset, node->type.size),
			    node->type.size, node->type.is_signed);
}

uint64_t pk_tp_eval(const struct pk_tracepoint *tracepoint, uint32_t number,
		    const struct pk_bytes *raw)
{
	const struct tp_node *node = &tracepoint->nodes[number];
	const struct pk_tracepoint_field *field = node->field;

	switch (node->kind) {
	case TP_NUMBER: return node->value;
	case TP_FIELD:
		return pk_tp_extend(pk_tp_load(tracepoint->all, raw, field->offset, field->size),
				    field->size, field->is_signed);
	case TP_CAST:
		return pk_tp_extend(pk_tp_eval(tracepoint, node->a, raw),
				    node->type.is_pointer ? 8 : node->type.size,
				    node->type.is_signed);
	case TP_UNARY: return eval_unary(node->op, pk_tp_eval(tracepoint, node->a, raw));
	case TP_BINARY:
		return eval_binary(node->op, pk_tp_eval(tracepoint, node->a, raw),
				   pk_tp_eval(tracepoint, node->b, raw),
				   tracepoint->nodes[node->a].is_unsigned ||
					   tracepoint->nodes[node->b].is_unsigned);
	case TP_CHOICE:
		return pk_tp_eval(tracepoint,
				  pk_tp_eval(tracepoint, node->a, raw) ? node->b : node->c, raw);
	case TP_INDEX: return element(tracepoint, node, raw);
	case TP_DYNAMIC_LEN: return pk_tp_load(tracepoint->all, raw, field->offset, 4) >> 16;
	default: return 0;
	}
}

uint64_t pk_tp_eval_unsigned(const struct pk_tracepoint *tracepoint, uint32_t number,
			     const struct pk_bytes *raw)
{
	const struct tp_node *node = &tracepoint->nodes[number];

	if (node->kind == TP_FIELD)
		return pk_tp_load(tracepoint->all, raw, node->field->offset, node->field->size);
	return pk_tp_eval(tracepoint, number, raw);
}
