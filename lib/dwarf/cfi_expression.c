// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_expression.h"
#include "dwarf_constants.h"

#define STACK_MAX      32
#define OPERATIONS_MAX 1024

struct evaluation {
	const struct cfi_context *context;
	struct pk_cursor bytes;
	const uint8_t *begin;
	uint64_t stack[STACK_MAX];
	unsigned int depth;
	enum pk_cfi_status status;
};

/* Pushes a number, and cuts it to the size of an address. */
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
	const int64_t to = (e->bytes.p - e->begin) + (int64_t)by;

	if (to < 0 || to > e->bytes.end - e->begin)
		e->status = PK_CFI_BAD;
	else
		e->bytes.p = e->begin + to;
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

/* Executes a binary operator. Returns false if it is another operation. */
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

/* Executes an operation that pushes a constant or a register. Returns false if it is another
 * operation. */
static bool operand(struct evaluation *e, uint8_t op)
{
	struct pk_cursor *bytes = &e->bytes;
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(e, op - DW_OP_lit0);
		return true;
	}
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, op - DW_OP_breg0, pk_cursor_sleb(bytes));
		return true;
	}
	switch (op) {
	case DW_OP_addr:
		push(e, pk_cursor_uint(bytes, e->context->cfi->machine->word));
		return true;
	case DW_OP_const1u: push(e, pk_cursor_u8(bytes)); return true;
	case DW_OP_const1s: push(e, pk_cursor_sint(bytes, 1)); return true;
	case DW_OP_const2u: push(e, pk_cursor_u16(bytes)); return true;
	case DW_OP_const2s: push(e, pk_cursor_sint(bytes, 2)); return true;
	case DW_OP_const4u: push(e, pk_cursor_u32(bytes)); return true;
	case DW_OP_const4s: push(e, pk_cursor_sint(bytes, 4)); return true;
	case DW_OP_const8u:
	case DW_OP_const8s: push(e, pk_cursor_u64(bytes)); return true;
	case DW_OP_constu: push(e, pk_cursor_uleb(bytes)); return true;
	case DW_OP_consts: push(e, pk_cursor_sleb(bytes)); return true;
	case DW_OP_bregx:
		reg = pk_cursor_uleb(bytes);
		push_register(e, reg, pk_cursor_sleb(bytes));
		return true;
	default: return false;
	}
}

static void other(struct evaluation *e, uint8_t op)
{
	uint64_t a, b;

	switch (op) {
	case DW_OP_deref: dereference(e, e->context->cfi->machine->word); break;
	case DW_OP_deref_size: dereference(e, pk_cursor_u8(&e->bytes)); break;
	case DW_OP_dup: pick(e, 0); break;
	case DW_OP_drop: pop(e); break;
	case DW_OP_over: pick(e, 1); break;
	case DW_OP_pick: pick(e, pk_cursor_u8(&e->bytes)); break;
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
		push(e, a + pk_cursor_uleb(&e->bytes));
		break;
	case DW_OP_bra:
		a = pk_cursor_sint(&e->bytes, 2);
		if (pop(e))
			jump(e, a);
		break;
	case DW_OP_skip: jump(e, pk_cursor_sint(&e->bytes, 2)); break;
	case DW_OP_nop: break;
	default: e->status = PK_CFI_BAD;
	}
}

enum pk_cfi_status pk_cfi_evaluate(const struct cfi_context *context, uint64_t offset,
				   const uint64_t *initial, uint64_t *result)
{
	const struct pk_cfi_section *section = &context->table->frame.section;
	struct evaluation e = {
		.context = context,
		.bytes = {section->data + offset, section->data + section->size,
			  context->cfi->machine->swapped, false},
		.status = PK_CFI_OK,
	};
	uint64_t *const work = context->memory->work;
	const uint64_t limit = work && *work < OPERATIONS_MAX ? *work : OPERATIONS_MAX;
	uint64_t left = limit;

	e.bytes = pk_cursor_block(&e.bytes, pk_cursor_uleb(&e.bytes));
	e.begin = e.bytes.p;
	if (initial)
		push(&e, *initial);
	while (!e.status && e.bytes.p < e.bytes.end && left) {
		const uint8_t op = pk_cursor_u8(&e.bytes);

		left--;
		if (!operand(&e, op) && !binary(&e, op))
			other(&e, op);
		if (e.bytes.bad)
			e.status = PK_CFI_BAD;
	}
	if (work)
		*work -= limit - left;
	if (!e.status && e.bytes.p < e.bytes.end)
		e.status = PK_CFI_BAD; /* The expression has more operations than the limit. */
	*result = pop(&e);
	return e.status;
}
