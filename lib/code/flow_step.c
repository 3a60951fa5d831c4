/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "flow_internal.h"

static void set(struct state *s, unsigned reg, const struct value *value)
{
	if (reg < STATE_REGISTERS)
		s->regs[reg] = *value;
}

/* What an operand holds before the instruction. */
static struct value read_operand(const struct flow *f, const struct insn *insn,
				 const struct insn_operand *o, const struct state *s)
{
	if (o->kind == INSN_IMMEDIATE && insn->has_reference)
		return value_address(insn->reference);
	if (o->kind == INSN_IMMEDIATE)
		return flow_immediate(f, o->value);
	if (o->kind == INSN_MEMORY)
		return flow_load(f, insn, o, s);
	return o->reg < STATE_REGISTERS ? s->regs[o->reg] : value_unknown(FLOW_LOST_ARITHMETIC);
}

/* Pieces of words are no pointers. */
static struct value part(const struct flow *f, const struct value *value, unsigned size)
{
	if (size == f->machine->word || value->kind == VALUE_TYPE ||
	    (value->kind == VALUE_NUMBER && size >= 4) ||
	    (value->kind == VALUE_CONSTANT && size >= 4))
		return *value;
	return value_unknown(FLOW_LOST_ARITHMETIC);
}

static void write_operand(const struct flow *f, const struct insn *insn,
			  const struct insn_operand *o, const struct value *value, struct state *s)
{
	const struct value whole = part(f, value, o->size);
	struct value at;

	if (o->kind == INSN_REGISTER) {
		set(s, o->reg, &whole);
	} else if (o->kind == INSN_MEMORY && !o->segment) {
		at = flow_address(f, insn, o, s);
		if (at.kind == VALUE_CFA)
			state_store(s, at.offset, at.stride ? 0 : o->size, &whole,
				    f->machine->word);
	}
}

static void push(const struct flow *f, const struct value *value, struct state *s)
{
	struct value *stack = &s->regs[f->machine->stack];

	if (stack->kind != VALUE_CFA || stack->stride)
		return;
	stack->offset = offset_minus(stack->offset, f->machine->word);
	state_store(s, stack->offset, f->machine->word, value, f->machine->word);
}

static struct value pop(const struct flow *f, struct state *s)
{
	struct value *stack = &s->regs[f->machine->stack];
	const struct value *there;

	if (stack->kind != VALUE_CFA || stack->stride)
		return value_unknown(FLOW_LOST_MEMORY);
	there = state_load(s, stack->offset);
	stack->offset = offset_plus(stack->offset, f->machine->word);
	return there ? *there : value_unknown(FLOW_LOST_MEMORY);
}

static void leave(const struct flow *f, struct state *s)
{
	struct value frame;

	s->regs[f->machine->stack] = s->regs[f->machine->frame];
	frame = pop(f, s);
	set(s, f->machine->frame, &frame);
}

/* A few low bits of a pointer that are masked leave it what it is; more do not. */
static struct value masked(const struct value *value, const struct value *mask)
{
	if (value->kind == VALUE_POINTER && mask->kind == VALUE_CONSTANT && mask->offset < 0 &&
	    mask->offset >= -16)
		return *value;
	if (value->kind == VALUE_CFA && mask->kind == VALUE_CONSTANT && mask->offset < 0)
		return (struct value){.kind = VALUE_STACK};
	return value_unknown(FLOW_LOST_ARITHMETIC);
}

static struct value calculate(const struct flow *f, const struct insn *insn, const struct state *s)
{
	const struct insn_operand *o = insn->operand;
	const unsigned first = insn->operand_count > 2 ? 1 : 0;
	struct value a, b;

	if (insn->operand_count < 2)
		return value_unknown(FLOW_LOST_ARITHMETIC);
	a = read_operand(f, insn, &o[first], s);
	b = read_operand(f, insn, &o[first + 1], s);
	switch (insn->action) {
	case INSN_DO_ADD:
		return value_add(&a, &b,
				 o[first + 1].kind == INSN_REGISTER ? o[first + 1].scale : 1);
	case INSN_DO_SUBTRACT: return value_subtract(&a, &b);
	case INSN_DO_AND: return masked(&a, &b);
	case INSN_DO_MULTIPLY:
		return b.kind == VALUE_CONSTANT && !b.stride && b.offset > 0
			       ? value_multiply(&a, (uint64_t)b.offset)
			       : value_unknown(FLOW_LOST_ARITHMETIC);
	case INSN_DO_SHIFT_LEFT:
		return b.kind == VALUE_CONSTANT && !b.stride && b.offset >= 0 && b.offset < 31
			       ? value_multiply(&a, 1ULL << b.offset)
			       : value_unknown(FLOW_LOST_ARITHMETIC);
	default: return value_unknown(FLOW_LOST_ARITHMETIC);
	}
}

static struct value converted(const struct flow *f, const struct insn *insn, const struct state *s)
{
	const struct value v = read_operand(f, insn, &insn->operand[1], s);

	return v.kind == VALUE_TYPE || v.kind == VALUE_NUMBER || v.kind == VALUE_CONSTANT
		       ? v
		       : value_unknown(FLOW_LOST_ARITHMETIC);
}

static void move_pair(const struct flow *f, const struct insn *insn, struct state *s)
{
	struct insn_operand memory[2] = {insn->operand[2], insn->operand[2]};
	struct value v[2];
	unsigned i;

	memory[1].value += memory[1].update == 2 ? 0 : memory[1].size;
	for (i = 0; i < 2; i++)
		v[i] = read_operand(
			f, insn, insn->action == INSN_DO_LOAD_PAIR ? &memory[i] : &insn->operand[i],
			s);
	if (insn->action == INSN_DO_STORE_PAIR && memory[1].update == 2)
		return; /* nobody does that */
	for (i = 0; i < 2; i++)
		write_operand(f, insn,
			      insn->action == INSN_DO_LOAD_PAIR ? &insn->operand[i] : &memory[i],
			      &v[i], s);
}

static void exchange(const struct flow *f, const struct insn *insn, struct state *s)
{
	const struct value a = read_operand(f, insn, &insn->operand[0], s);
	const struct value b = read_operand(f, insn, &insn->operand[1], s);

	write_operand(f, insn, &insn->operand[0], &b, s);
	write_operand(f, insn, &insn->operand[1], &a, s);
}

/* Whatever else the instruction writes is not known any more. */
static void forget_changes(const struct flow *f, const struct insn *insn, struct state *s)
{
	const struct value unknown = value_unknown(FLOW_LOST_ARITHMETIC);
	const bool keeps_stack = insn->action == INSN_DO_PUSH || insn->action == INSN_DO_POP ||
				 insn->action == INSN_DO_LEAVE || insn->kind == INSN_CALL ||
				 insn->kind == INSN_RETURN;
	unsigned i;

	for (i = 0; i < STATE_REGISTERS; i++)
		if (insn->changes >> i & 1 && !(keeps_stack && i == f->machine->stack))
			s->regs[i] = unknown;
	for (i = 0; i < insn->operand_count; i++)
		if (insn->operand[i].kind == INSN_MEMORY && insn->operand[i].written)
			write_operand(f, insn, &insn->operand[i], &unknown, s);
}

static void call(const struct flow *f, const struct insn *insn, struct state *s)
{
	const struct value result = flow_result(f, insn, s);
	const struct value unknown = value_unknown(FLOW_LOST_CALL);
	unsigned i;

	for (i = 0; i < STATE_REGISTERS; i++)
		if (f->machine->call_clobbers >> i & 1)
			s->regs[i] = unknown;
	set(s, f->machine->result, &result);
}

/* Base registers that the access moves. */
static void update_bases(const struct insn *insn, const struct state *before, struct state *s)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct insn_operand *o = &insn->operand[i];
		const struct value by = value_constant(o->value);

		if (o->kind == INSN_MEMORY && o->update && o->base < STATE_REGISTERS &&
		    before->regs[o->base].kind != VALUE_UNKNOWN)
			s->regs[o->base] = value_add(&before->regs[o->base], &by, 1);
	}
}

static void act(struct flow *f, const struct insn *insn, struct state *s)
{
	const struct insn_operand *o = insn->operand;
	const struct state before = *s;
	bool changed = false;
	struct value v;

	switch (insn->action) {
	case INSN_DO_PUSH:
		v = read_operand(f, insn, &o[0], &before);
		push(f, &v, s);
		return;
	case INSN_DO_LEAVE: leave(f, s); return;
	case INSN_DO_POP: v = pop(f, s); break;
	case INSN_DO_MOVE: v = read_operand(f, insn, &o[1], &before); break;
	case INSN_DO_MOVE_ZERO:
	case INSN_DO_MOVE_SIGN: v = converted(f, insn, &before); break;
	case INSN_DO_MOVE_IF: {
		const struct value a = read_operand(f, insn, &o[0], &before);
		const struct value b = read_operand(f, insn, &o[1], &before);

		v = value_merge(f->types, &a, &b, &changed);
		break;
	}
	case INSN_DO_ADDRESS: v = flow_address(f, insn, &o[1], &before); break;
	case INSN_DO_CLEAR: v = value_constant(0); break;
	case INSN_DO_EXCHANGE: exchange(f, insn, s); return;
	case INSN_DO_LOAD_PAIR:
	case INSN_DO_STORE_PAIR:
		move_pair(f, insn, s);
		update_bases(insn, &before, s);
		return;
	case INSN_DO_OTHER:
		forget_changes(f, insn, s);
		update_bases(insn, &before, s);
		return;
	default: v = calculate(f, insn, &before); break;
	}
	forget_changes(f, insn, s);
	write_operand(f, insn, &o[0], &v, s);
	update_bases(insn, &before, s);
}

/* Does it touch memory where the operand says? "lea" and "nop" do not. */
static bool touches(const struct insn *insn, const struct insn_operand *o)
{
	return o->kind == INSN_MEMORY && insn->action != INSN_DO_ADDRESS && (o->read || o->written);
}

void flow_step(struct flow *f, const struct insn *insn, struct state *s)
{
	unsigned i;

	if (insn->kind == INSN_UNDECODED)
		return;
	for (i = 0; f->recording && i < insn->operand_count; i++)
		if (touches(insn, &insn->operand[i]))
			flow_note(f, insn, &insn->operand[i], s);
	if (f->recording && f->machine->call_pushes &&
	    (insn->kind == INSN_CALL || insn->kind == INSN_RETURN || insn->action == INSN_DO_PUSH ||
	     insn->action == INSN_DO_POP || insn->action == INSN_DO_LEAVE))
		flow_note(f, insn, NULL, s);
	if (!f->types || f->too_large)
		return;
	if (insn->kind == INSN_CALL)
		call(f, insn, s);
	else
		act(f, insn, s);
}
