// SPDX-License-Identifier: BSD-2-Clause
/* Finds the location of a variable (DWARF 5, 2.6). Expressions are evaluated without the values of
 * registers. The result is a base and an offset, for example "register 6 + offset" or "CFA +
 * offset". For a static variable, the result is an address in the object file. Only expressions
 * that compilers write are supported. */
#include "dwarf_location.h"

/* The limits for an expression. An expression that exceeds them is skipped. */
enum { EXPRESSION_MAX = 1 << 10, OPERATIONS_MAX = 64, STACK_MAX = 8 };

enum base { CONSTANT, REGISTER, CFA, ENTRY, ADDRESS, TLS, OTHER };

/* A value on the stack of the expression: base + offset. */
struct value {
	enum base base;
	uint16_t reg;
	int64_t offset;
};

/* The state while a location expression is evaluated. */
struct expression {
	const struct pk_variable_location *l;
	struct pk_cursor c;
	struct value stack[STACK_MAX];
	unsigned depth;
	struct pk_variable v; /* the result */
	bool done;	      /* true if `v` has a location */
	uint64_t piece;	      /* how many bytes of the variable are in the previous pieces */
};

static void push(struct expression *x, enum base base, uint64_t reg, uint64_t offset)
{
	if (x->depth == STACK_MAX || reg >= UINT16_MAX) {
		x->c.bad = true;
		return;
	}
	x->stack[x->depth++] = (struct value){base, (uint16_t)reg, (int64_t)offset};
}

static void finish(struct expression *x, enum pk_where where, uint64_t reg, uint64_t offset)
{
	x->v.where = reg < UINT16_MAX ? where : PK_WHERE_OTHER;
	x->v.reg = (uint16_t)reg;
	x->v.offset = (int64_t)offset;
	x->done = true;
}

/* Pushes the frame base + offset. The frame base is also an expression. It must be a register, a
 * register + offset, or the CFA. */
static void push_frame_base(struct expression *x, uint64_t offset)
{
	const struct pk_form_value *b = x->l->frame_base;
	struct pk_cursor c = x->c;
	uint8_t op = 0;

	if (b->class == PK_FORM_BLOCK) {
		c.p = (const uint8_t *)b->text;
		c.end = c.p + b->v;
		op = pk_cursor_u8(&c);
	}
	if (op == DW_OP_call_frame_cfa)
		push(x, CFA, 0, offset);
	else if (op >= DW_OP_reg0 && op < DW_OP_reg0 + 32)
		push(x, REGISTER, op - DW_OP_reg0, offset);
	else if (op >= DW_OP_breg0 && op < DW_OP_breg0 + 32)
		push(x, REGISTER, op - DW_OP_breg0, offset + (uint64_t)pk_cursor_sleb(&c));
	else
		push(x, OTHER, 0, 0);
}

static void push_indexed(struct expression *x, enum base base)
{
	const struct pk_form_value index = {.class = PK_FORM_ADDRESS_INDEX,
					    .v = pk_cursor_uleb(&x->c)};
	uint64_t address = 0;

	if (pk_unit_address(x->l->unit, &index, &address))
		push(x, base, 0, address);
	else
		push(x, OTHER, 0, 0);
}

/* Replaces the two topmost values by their sum or their difference. */
static void combine(struct expression *x, bool minus)
{
	struct value *a, *b;

	if (x->depth < 2) {
		x->c.bad = true;
		return;
	}
	b = &x->stack[--x->depth];
	a = &x->stack[x->depth - 1];
	if (!minus && a->base == CONSTANT) {
		b->offset = (int64_t)((uint64_t)a->offset + (uint64_t)b->offset);
		*a = *b;
	} else if (b->base == CONSTANT) {
		a->offset = (int64_t)(minus ? (uint64_t)a->offset - (uint64_t)b->offset
					    : (uint64_t)a->offset + (uint64_t)b->offset);
	} else {
		a->base = OTHER;
	}
}

static void push_entry_value(struct expression *x)
{
	const uint64_t size = pk_cursor_uleb(&x->c);
	struct pk_cursor c = x->c;
	uint8_t op;

	pk_cursor_skip(&x->c, size);
	op = x->c.bad ? 0 : pk_cursor_u8(&c);
	if (size == 1 && op >= DW_OP_reg0 && op < DW_OP_reg0 + 32)
		push(x, ENTRY, op - DW_OP_reg0, 0);
	else
		push(x, OTHER, 0, 0);
}

static void end_at_implicit_value(struct expression *x)
{
	const uint64_t size = pk_cursor_uleb(&x->c);
	struct pk_cursor c = x->c;
	uint64_t value = 0;

	pk_cursor_skip(&x->c, size);
	if (size == 1 || size == 2 || size == 4 || size == 8)
		value = pk_cursor_uint(&c, (unsigned)size);
	finish(x, PK_WHERE_CONSTANT, 0, value);
}

static void end_at_implicit_pointer(struct expression *x)
{
	pk_cursor_skip(&x->c, x->l->unit->sizes.offset);
	pk_cursor_sleb(&x->c);
	finish(x, PK_WHERE_POINTER, 0, 0);
}

static uint64_t constant(struct pk_cursor *c, unsigned op)
{
	switch (op) {
	case DW_OP_const1u: return pk_cursor_u8(c);
	case DW_OP_const1s: return (uint64_t)(int8_t)pk_cursor_u8(c);
	case DW_OP_const2u: return pk_cursor_u16(c);
	case DW_OP_const2s: return (uint64_t)(int16_t)pk_cursor_u16(c);
	case DW_OP_const4u: return pk_cursor_u32(c);
	case DW_OP_const4s: return (uint64_t)(int32_t)pk_cursor_u32(c);
	case DW_OP_constu: return pk_cursor_uleb(c);
	case DW_OP_consts: return (uint64_t)pk_cursor_sleb(c);
	default: return pk_cursor_u64(c);
	}
}

/* Ends an expression whose topmost value is the value of the variable, and not its address. */
static void end_at_value(struct expression *x)
{
	const struct value *top = x->depth ? &x->stack[x->depth - 1] : NULL;

	switch (top ? top->base : OTHER) {
	case CONSTANT: finish(x, PK_WHERE_CONSTANT, 0, (uint64_t)top->offset); break;
	case REGISTER: finish(x, PK_WHERE_VALUE, top->reg, (uint64_t)top->offset); break;
	case CFA: finish(x, PK_WHERE_CFA_VALUE, 0, (uint64_t)top->offset); break;
	case ENTRY: finish(x, PK_WHERE_ENTRY_VALUE, top->reg, (uint64_t)top->offset); break;
	case ADDRESS: /* The value is the address of another variable. It is unknown, because it
		       * depends on the load address. */
	case TLS:
	case OTHER: finish(x, PK_WHERE_OTHER, 0, 0); break;
	}
}

/* Ends an expression whose topmost value is the address of the variable. */
static void end_at_address(struct expression *x)
{
	const struct value *top = x->depth ? &x->stack[x->depth - 1] : NULL;

	switch (top ? top->base : OTHER) {
	case REGISTER: finish(x, PK_WHERE_MEMORY, top->reg, (uint64_t)top->offset); break;
	case CFA: finish(x, PK_WHERE_CFA, 0, (uint64_t)top->offset); break;
	case ADDRESS:
	case CONSTANT: finish(x, PK_WHERE_ADDRESS, 0, (uint64_t)top->offset); break;
	case TLS: finish(x, PK_WHERE_TLS, 0, (uint64_t)top->offset); break;
	case ENTRY:
	case OTHER: finish(x, PK_WHERE_OTHER, 0, 0); break;
	}
}

/* Ends a piece of the variable (DW_OP_piece). Returns false if the rest of the expression must not
 * be read. */
static bool end_piece(struct expression *x, uint64_t size)
{
	struct pk_variable v;

	if (!x->done && x->depth)
		end_at_address(x);
	v = x->v;
	v.piece = x->piece;
	v.piece_size = size;
	x->piece += size;
	x->depth = 0;
	/* A piece without an expression has no location. */
	if (!x->done || !size)
		return true;
	x->done = false;
	return x->l->place(x->l->arg, &v);
}

/* This function is long because it is a flat switch. */
static bool operate(struct expression *x, unsigned op)
{
	struct pk_cursor *c = &x->c;
	const unsigned word = x->l->unit->sizes.address;
	uint64_t n;

	if (op >= DW_OP_lit0 && op < DW_OP_lit0 + 32) {
		push(x, CONSTANT, 0, op - DW_OP_lit0);
	} else if (op >= DW_OP_reg0 && op < DW_OP_reg0 + 32) {
		finish(x, PK_WHERE_REGISTER, op - DW_OP_reg0, 0);
	} else if (op >= DW_OP_breg0 && op < DW_OP_breg0 + 32) {
		push(x, REGISTER, op - DW_OP_breg0, (uint64_t)pk_cursor_sleb(c));
	} else if (op >= DW_OP_const1u && op <= DW_OP_consts) {
		push(x, CONSTANT, 0, constant(c, op));
	} else {
		switch (op) {
		case DW_OP_addr: push(x, ADDRESS, 0, pk_cursor_uint(c, word)); break;
		case DW_OP_addrx:
		case DW_OP_GNU_addr_index: push_indexed(x, ADDRESS); break;
		case DW_OP_constx:
		case DW_OP_GNU_const_index: push_indexed(x, CONSTANT); break;
		case DW_OP_regx: finish(x, PK_WHERE_REGISTER, pk_cursor_uleb(c), 0); break;
		case DW_OP_bregx:
			n = pk_cursor_uleb(c);
			push(x, REGISTER, n, (uint64_t)pk_cursor_sleb(c));
			break;
		case DW_OP_fbreg: push_frame_base(x, (uint64_t)pk_cursor_sleb(c)); break;
		case DW_OP_call_frame_cfa: push(x, CFA, 0, 0); break;
		case DW_OP_plus_uconst:
			push(x, CONSTANT, 0, pk_cursor_uleb(c));
			combine(x, false);
			break;
		case DW_OP_plus: combine(x, false); break;
		case DW_OP_minus: combine(x, true); break;
		case DW_OP_entry_value:
		case DW_OP_GNU_entry_value: push_entry_value(x); break;
		case DW_OP_form_tls_address:
		case DW_OP_GNU_push_tls_address:
			if (x->depth && x->stack[x->depth - 1].base == CONSTANT)
				x->stack[x->depth - 1].base = TLS;
			break;
		case DW_OP_stack_value: end_at_value(x); break;
		case DW_OP_implicit_value: end_at_implicit_value(x); break;
		case DW_OP_implicit_pointer:
		case DW_OP_GNU_implicit_pointer: end_at_implicit_pointer(x); break;
		case DW_OP_piece: return end_piece(x, pk_cursor_uleb(c));
		case DW_OP_nop: break;
		default: /* The operation is not supported, so the location is unknown. */
			finish(x, PK_WHERE_OTHER, 0, 0);
			c->p = c->end;
		}
	}
	return true;
}

/* Evaluates one expression, which is valid for addresses in [low, high). */
static bool evaluate(const struct pk_variable_location *l, struct pk_cursor c, uint64_t low,
		     uint64_t high)
{
	struct expression x = {.l = l, .c = c, .v = {.low = low, .high = high}};

	if (low >= high || c.p == c.end)
		return true;
	if (!pk_dwarf_spend(l->unit->file->dwarf, 32))
		return false;
	for (int i = 0; i < OPERATIONS_MAX && x.c.p < x.c.end; i++)
		if (!operate(&x, pk_cursor_u8(&x.c)))
			return false;
	if (x.c.bad || x.c.p < x.c.end || x.piece)
		return true;
	if (!x.done)
		end_at_address(&x);
	return l->place(l->arg, &x.v);
}

/* ---- Lists of locations ---- */

struct locations {
	struct pk_dwarf_list list;
	const struct pk_variable_location *l;
};

static bool give(struct locations *locations, uint64_t size, uint64_t low, uint64_t high)
{
	struct pk_dwarf_list *list = &locations->list;
	struct pk_cursor c = list->c;

	pk_cursor_skip(&list->c, size);
	if (list->c.bad || size > EXPRESSION_MAX)
		return false;
	c.end = list->c.p;
	return pk_dwarf_spend(list->unit->file->dwarf, 16) && evaluate(locations->l, c, low, high);
}

/* Reads a list in .debug_loc (up to DWARF 4). It is like .debug_ranges, with an expression after
 * each pair of addresses. */
static bool read_pairs(struct locations *locations)
{
	uint64_t low, high;

	while (pk_dwarf_list_pair(&locations->list, &low, &high))
		if (!give(locations, pk_cursor_u16(&locations->list.c), low, high))
			return false;
	return true;
}

/* Reads an entry of a list up to its expression. Sets *expression to true if the entry has an
 * expression. Returns false if the list ends or is damaged. */
static bool read_bounds(struct pk_dwarf_list *l, bool old, uint64_t *low, uint64_t *high,
			bool *expression)
{
	const unsigned size = l->unit->sizes.address;

	*expression = true;
	switch (pk_cursor_u8(&l->c)) {
	case DW_LLE_base_addressx:
		l->base = pk_dwarf_list_indexed(l);
		*expression = false;
		break;
	case DW_LLE_startx_endx:
		*low = pk_dwarf_list_indexed(l);
		*high = pk_dwarf_list_indexed(l);
		break;
	case DW_LLE_startx_length:
		*low = pk_dwarf_list_indexed(l);
		*high = *low + (old ? pk_cursor_u32(&l->c) : pk_cursor_uleb(&l->c));
		break;
	case DW_LLE_offset_pair:
		*low = l->base + (old ? pk_cursor_u32(&l->c) : pk_cursor_uleb(&l->c));
		*high = l->base + (old ? pk_cursor_u32(&l->c) : pk_cursor_uleb(&l->c));
		break;
	case DW_LLE_default_location:
		*low = 0;
		*high = UINT64_MAX;
		break;
	case DW_LLE_base_address:
		l->base = pk_cursor_uint(&l->c, size);
		*expression = false;
		break;
	case DW_LLE_start_end:
		*low = pk_cursor_uint(&l->c, size);
		*high = pk_cursor_uint(&l->c, size);
		break;
	case DW_LLE_start_length:
		*low = pk_cursor_uint(&l->c, size);
		*high = *low + pk_cursor_uleb(&l->c);
		break;
	case DW_LLE_GNU_view_pair:
		pk_cursor_uleb(&l->c);
		pk_cursor_uleb(&l->c);
		*expression = false;
		break;
	default: return false;
	}
	return !l->c.bad;
}

/* Reads a list in .debug_loclists. If `old` is true, reads a list in .debug_loc.dwo of split
 * DWARF 4. */
static bool read_entries(struct locations *locations, bool old)
{
	struct pk_dwarf_list *l = &locations->list;
	uint64_t low, high;
	bool expression;

	for (;;) {
		pk_dwarf_list_continue(l);
		if (!pk_dwarf_spend(l->unit->file->dwarf, 4))
			return false;
		if (!read_bounds(l, old, &low, &high, &expression))
			return true;
		if (expression &&
		    !give(locations, old ? pk_cursor_u16(&l->c) : pk_cursor_uleb(&l->c), low, high))
			return false;
	}
}

bool pk_location_each(const struct pk_variable_location *l, const struct pk_form_value *location)
{
	struct pk_unit *unit = l->unit;
	const struct pk_unit *owner = unit->skeleton ? unit->skeleton : unit;
	const bool old = unit->sizes.version < 5;
	struct locations locations = {{.unit = unit,
				       .piece_size = 4 * EXPRESSION_MAX,
				       .entry_max = EXPRESSION_MAX + 64,
				       .base = owner->base},
				      l};
	uint64_t offset = location->v;

	if (location->class == PK_FORM_BLOCK) {
		const uint8_t *p = (const uint8_t *)location->text;
		struct pk_cursor c = {p, p + location->v, pk_elf_swapped(unit->file->elf), false};

		return location->v > EXPRESSION_MAX || evaluate(l, c, 0, UINT64_MAX);
	}
	if (location->class == PK_FORM_LIST_INDEX &&
	    !pk_dwarf_list_offset(unit, &unit->file->loclists, unit->loclists_base, location->v,
				  &offset))
		return true;
	if (location->class != PK_FORM_LIST_INDEX && location->class != PK_FORM_SECTION_OFFSET)
		return true;
	pk_dwarf_list_seek(&locations.list, old ? &unit->file->loc : &unit->file->loclists,
			   offset + (old ? unit->loc_base : 0));
	return old && !unit->file->split ? read_pairs(&locations) : read_entries(&locations, old);
}
