// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_expression.h"

/* Operations, DWARF 5, 7.7.1. */
enum {
	DW_OP_addr = 0x03,
	DW_OP_deref = 0x06,
	DW_OP_const1u = 0x08,
	DW_OP_const1s,
	DW_OP_const2u,
	DW_OP_const2s,
	DW_OP_const4u,
	DW_OP_const4s,
	DW_OP_const8u,
	DW_OP_const8s,
	DW_OP_constu,
	DW_OP_consts,
	DW_OP_dup,
	DW_OP_drop,
	DW_OP_over,
	DW_OP_pick,
	DW_OP_swap,
	DW_OP_rot,
	DW_OP_abs = 0x19,
	DW_OP_and,
	DW_OP_div,
	DW_OP_minus,
	DW_OP_mod,
	DW_OP_mul,
	DW_OP_neg,
	DW_OP_not,
	DW_OP_or,
	DW_OP_plus,
	DW_OP_plus_uconst,
	DW_OP_shl,
	DW_OP_shr,
	DW_OP_shra,
	DW_OP_xor,
	DW_OP_bra,
	DW_OP_eq,
	DW_OP_ge,
	DW_OP_gt,
	DW_OP_le,
	DW_OP_lt,
	DW_OP_ne,
	DW_OP_skip,
	DW_OP_lit0 = 0x30,
	DW_OP_lit31 = 0x4f,
	DW_OP_breg0 = 0x70,
	DW_OP_breg31 = 0x8f,
	DW_OP_bregx = 0x92,
	DW_OP_deref_size = 0x94,
	DW_OP_nop = 0x96,
};

#define STACK_MAX      32
#define OPERATIONS_MAX 1024

struct evaluation {
	const struct cfi_context *context;
	struct cfi_bytes bytes;
	const uint8_t *begin;
	uint64_t stack[STACK_MAX];
	unsigned int depth;
	enum pk_cfi_status status;
};

/* Numbers are as wide as addresses. */
static void push(struct evaluation *e, uint64_t value)
{
	if (e->context->cfi->machine->word == 4)
		value = (uint32_t)value;
	if (e->depth == STACK_MAX)
		e->status = PK_CFI_BAD;
	else
		e->stack[e->depth++] = value;
}

static uint64_t pop(struct evaluation *e)
{
	if (!e->depth) {
		e->status = PK_CFI_BAD;
		return 0;
	}
	return e->stack[--e->depth];
}

static void pick(struct evaluation *e, uint64_t n)
{
	if (n >= e->depth)
		e->status = PK_CFI_BAD;
	else
		push(e, e->stack[e->depth - 1 - n]);
}

static void push_register(struct evaluation *e, uint64_t reg, uint64_t offset)
{
	const struct pk_frame_state *state = e->context->state;

	if (reg >= PK_CFI_REGISTERS || !(state->known >> reg & 1))
		e->status = PK_CFI_UNKNOWN;
	else
		push(e, state->value[reg] + offset);
}

static void dereference(struct evaluation *e, uint64_t size)
{
	const uint64_t address = pop(e);
	enum pk_cfi_status status;
	uint64_t value = 0;

	if (e->status)
		return;
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		e->status = PK_CFI_BAD;
		return;
	}
	status = cfi_read_memory(e->context, address, (unsigned int)size, &value);
	if (status)
		e->status = status;
	else
		push(e, value);
}

static void jump(struct evaluation *e, uint64_t by)
{
	const int64_t to = (e->bytes.at - e->begin) + (int64_t)by;

	if (to < 0 || to > e->bytes.end - e->begin)
		e->status = PK_CFI_BAD;
	else
		e->bytes.at = e->begin + to;
}

static void rotate(struct evaluation *e)
{
	const uint64_t a = pop(e), b = pop(e), c = pop(e);

	push(e, a);
	push(e, c);
	push(e, b);
}

static int64_t as_signed(const struct evaluation *e, uint64_t value)
{
	return e->context->cfi->machine->word == 4 ? (int32_t)value : (int64_t)value;
}

static uint64_t divide(struct evaluation *e, int64_t a, int64_t b)
{
	if (!b) {
		e->status = PK_CFI_BAD;
		return 0;
	}
	return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t modulo(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (!b)
		e->status = PK_CFI_BAD;
	return b ? a % b : 0;
}

static uint64_t shift_arithmetic(int64_t a, uint64_t n)
{
	return (uint64_t)(a >> (n < 63 ? n : 63));
}

/* False: op has not two operands on the stack. */
static bool binary(struct evaluation *e, uint8_t op)
{
	const bool two = (op >= DW_OP_and && op <= DW_OP_mul) || op == DW_OP_or ||
			 op == DW_OP_plus || (op >= DW_OP_shl && op <= DW_OP_xor) ||
			 (op >= DW_OP_eq && op <= DW_OP_ne);
	uint64_t a, b;
	int64_t x, y;

	if (!two)
		return false;
	b = pop(e);
	a = pop(e);
	x = as_signed(e, a);
	y = as_signed(e, b);
	switch (op) {
	case DW_OP_and: push(e, a & b); break;
	case DW_OP_div: push(e, divide(e, x, y)); break;
	case DW_OP_minus: push(e, a - b); break;
	case DW_OP_mod: push(e, modulo(e, a, b)); break;
	case DW_OP_mul: push(e, a * b); break;
	case DW_OP_or: push(e, a | b); break;
	case DW_OP_plus: push(e, a + b); break;
	case DW_OP_shl: push(e, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(e, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(e, shift_arithmetic(x, b)); break;
	case DW_OP_xor: push(e, a ^ b); break;
	case DW_OP_eq: push(e, x == y); break;
	case DW_OP_ge: push(e, x >= y); break;
	case DW_OP_gt: push(e, x > y); break;
	case DW_OP_le: push(e, x <= y); break;
	case DW_OP_lt: push(e, x < y); break;
	default: push(e, x != y);
	}
	return true;
}

/* Constants and registers. */
static bool operand(struct evaluation *e, uint8_t op)
{
	struct cfi_bytes *bytes = &e->bytes;
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(e, op - DW_OP_lit0);
		return true;
	}
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, op - DW_OP_breg0, cfi_read_sleb(bytes));
		return true;
	}
	switch (op) {
	case DW_OP_addr: push(e, cfi_read(bytes, e->context->cfi->machine->word)); return true;
	case DW_OP_const1u: push(e, cfi_read(bytes, 1)); return true;
	case DW_OP_const1s: push(e, cfi_read_signed(bytes, 1)); return true;
	case DW_OP_const2u: push(e, cfi_read(bytes, 2)); return true;
	case DW_OP_const2s: push(e, cfi_read_signed(bytes, 2)); return true;
	case DW_OP_const4u: push(e, cfi_read(bytes, 4)); return true;
	case DW_OP_const4s: push(e, cfi_read_signed(bytes, 4)); return true;
	case DW_OP_const8u:
	case DW_OP_const8s: push(e, cfi_read(bytes, 8)); return true;
	case DW_OP_constu: push(e, cfi_read_uleb(bytes)); return true;
	case DW_OP_consts: push(e, cfi_read_sleb(bytes)); return true;
	case DW_OP_bregx:
		reg = cfi_read_uleb(bytes);
		push_register(e, reg, cfi_read_sleb(bytes));
		return true;
	default: return false;
	}
}

static void other(struct evaluation *e, uint8_t op)
{
	uint64_t a, b;

	switch (op) {
	case DW_OP_deref: dereference(e, e->context->cfi->machine->word); break;
	case DW_OP_deref_size: dereference(e, cfi_read(&e->bytes, 1)); break;
	case DW_OP_dup: pick(e, 0); break;
	case DW_OP_drop: pop(e); break;
	case DW_OP_over: pick(e, 1); break;
	case DW_OP_pick: pick(e, cfi_read(&e->bytes, 1)); break;
	case DW_OP_swap:
		a = pop(e);
		b = pop(e);
		push(e, a);
		push(e, b);
		break;
	case DW_OP_rot: rotate(e); break;
	case DW_OP_abs:
		a = pop(e);
		push(e, as_signed(e, a) < 0 ? -a : a);
		break;
	case DW_OP_neg: push(e, -pop(e)); break;
	case DW_OP_not: push(e, ~pop(e)); break;
	case DW_OP_plus_uconst:
		a = pop(e);
		push(e, a + cfi_read_uleb(&e->bytes));
		break;
	case DW_OP_bra:
		a = cfi_read_signed(&e->bytes, 2);
		if (pop(e))
			jump(e, a);
		break;
	case DW_OP_skip: jump(e, cfi_read_signed(&e->bytes, 2)); break;
	case DW_OP_nop: break;
	default: e->status = PK_CFI_BAD;
	}
}

enum pk_cfi_status cfi_evaluate(const struct cfi_context *context, uint64_t offset,
				const uint64_t *initial, uint64_t *result)
{
	const struct pk_cfi_section *section = &context->table->section;
	struct evaluation e = {
		.context = context,
		.bytes = {section->data + offset, section->data + section->size,
			  context->cfi->machine->swapped, false},
		.status = PK_CFI_OK,
	};
	uint64_t *const work = context->memory->work;
	const uint64_t limit = work && *work < OPERATIONS_MAX ? *work : OPERATIONS_MAX;
	uint64_t left = limit;

	e.bytes = cfi_read_block(&e.bytes, cfi_read_uleb(&e.bytes));
	e.begin = e.bytes.at;
	if (initial)
		push(&e, *initial);
	while (!e.status && e.bytes.at < e.bytes.end && left) {
		const uint8_t op = (uint8_t)cfi_read(&e.bytes, 1);

		left--;
		if (!operand(&e, op) && !binary(&e, op))
			other(&e, op);
		if (e.bytes.failed)
			e.status = PK_CFI_BAD;
	}
	if (work)
		*work -= limit - left;
	if (!e.status && e.bytes.at < e.bytes.end)
		e.status = PK_CFI_BAD; /* too long */
	*result = pop(&e);
	return e.status;
}
