/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "flow_internal.h"

static struct value register_value(const struct state *s, unsigned reg)
{
	return reg < STATE_REGISTERS ? s->regs[reg] : value_unknown(FLOW_NO_VARIABLE);
}

/* A register that is used as a base is an address, and if nothing is known of it but that a table
 * of constants lies at the displacement, it is the index. */
static bool is_index_of_table(const struct flow *f, const struct insn_operand *o,
			      const struct value *base)
{
	struct pk_global global;

	if (base->kind != VALUE_UNKNOWN && base->kind != VALUE_TYPE)
		return false;
	return o->value > 4096 || o->value < -4096
		       ? pk_types_global(f->types, (uint64_t)o->value, &global)
		       : false;
}

struct value flow_address(const struct flow *f, const struct insn *insn,
			  const struct insn_operand *o, const struct state *s)
{
	const struct value displacement = value_constant(o->value);
	struct value base, index;

	if (insn->has_reference && (o->base == INSN_REG_PC || o->base == INSN_NO_REG) &&
	    o->index == INSN_NO_REG)
		return value_constant((int64_t)insn->reference);
	if (o->base == INSN_NO_REG && o->index == INSN_NO_REG)
		return displacement;
	base = o->base == INSN_NO_REG ? value_constant(0) : register_value(s, o->base);
	if (o->base != INSN_NO_REG && is_index_of_table(f, o, &base)) {
		base = displacement;
		base.indexed = true;
		return base;
	}
	if (o->update != 2 && (o->value || o->index == INSN_NO_REG) && base.kind != VALUE_TYPE)
		base = base.kind == VALUE_UNKNOWN ? base : value_add(&base, &displacement, 1);
	if (o->index == INSN_NO_REG)
		return base;
	index = register_value(s, o->index);
	return value_add(&base, &index, o->scale);
}

static struct value global_value(const struct flow *f, const struct value *at, uint64_t size)
{
	struct pk_global global;
	struct value pointer = {.kind = VALUE_POINTER, .indexed = at->indexed};

	if (!pk_types_global(f->types, (uint64_t)at->offset, &global))
		return value_unknown(FLOW_LOST_MEMORY);
	pointer.type = global.type;
	pointer.offset = at->offset - (int64_t)global.address;
	return value_loaded(f->types, &pointer, size);
}

static struct value frame_value(const struct flow *f, const struct insn *insn,
				const struct value *at, uint64_t size, const struct state *s)
{
	const struct pk_variable *v = variables_on_frame(f, s, insn->address, at->offset);
	const struct value *slot = at->indexed ? NULL : state_load(s, at->offset);
	struct value value = value_unknown(FLOW_LOST_MEMORY);
	struct value pointer = {.kind = VALUE_POINTER, .indexed = at->indexed};

	if (v) {
		pointer.type = v->type;
		pointer.offset = at->offset - v->offset;
		if (v->where == PK_WHERE_MEMORY)
			pointer.offset -= s->regs[v->reg].offset;
		value = value_loaded(f->types, &pointer, size);
	}
	if (slot && (value.kind == VALUE_UNKNOWN || !value_is_typed(f->types, &value)) &&
	    size == f->machine->word)
		return *slot;
	return value;
}

/* Where the processor has the guard of the stack: see gcc's -mstack-protector-guard-offset. */
static bool is_canary(const struct flow *f, const struct insn_operand *o)
{
	return o->segment && o->base == INSN_NO_REG && o->index == INSN_NO_REG &&
	       o->value == 5 * f->machine->word &&
	       (o->segment == (f->machine->word == 8 ? 'f' : 'g') || f->options.kernel);
}

struct value flow_load(const struct flow *f, const struct insn *insn, const struct insn_operand *o,
		       const struct state *s)
{
	const struct pk_variable *v;
	struct value at, pointer = {.kind = VALUE_POINTER};
	struct pk_global global;

	if (is_canary(f, o))
		return (struct value){.kind = VALUE_CANARY};
	at = flow_address(f, insn, o, s);
	if (o->segment && !f->options.kernel) {
		if (at.kind != VALUE_CONSTANT || at.indexed || !f->options.tls_size ||
		    !pk_types_thread_local(f->types, f->options.tls_size + (uint64_t)at.offset,
					   &global))
			return value_unknown(FLOW_THREAD_LOCAL);
		pointer.type = global.type;
		pointer.offset =
			(int64_t)(f->options.tls_size + (uint64_t)at.offset - global.address);
		return value_loaded(f->types, &pointer, o->size);
	}
	switch (at.kind) {
	case VALUE_POINTER: return value_loaded(f->types, &at, o->size);
	case VALUE_CONSTANT: return global_value(f, &at, o->size);
	case VALUE_CFA: return frame_value(f, insn, &at, o->size, s);
	default: break;
	}
	v = o->base < STATE_REGISTERS && o->index == INSN_NO_REG
		    ? variables_based(f, insn->address, o->base, o->value)
		    : NULL;
	if (!v)
		return value_unknown(FLOW_LOST_MEMORY);
	pointer.type = v->type;
	pointer.offset = o->value - v->offset;
	return value_loaded(f->types, &pointer, o->size);
}

/* ---- What is noted of an access ---- */

static void not_found(struct flow_access *a, enum flow_reason reason)
{
	a->found = FLOW_NOT;
	a->reason = reason;
}

static void found_type(const struct flow *f, struct flow_access *a, pk_type_id type, int64_t offset,
		       bool indexed)
{
	const pk_type_id plain = pk_type_strip(f->types, type);
	struct pk_type info;

	if (!pk_type_info(f->types, plain, &info) || info.kind == PK_KIND_OF_VOID ||
	    info.declared || info.kind == PK_KIND_OF_FUNCTION || info.kind == PK_KIND_OF_NONE) {
		not_found(a, FLOW_VOID_POINTER);
		return;
	}
	if (info.size && (offset < 0 || (uint64_t)offset >= info.size)) {
		if (!indexed && (info.kind == PK_KIND_OF_STRUCT || info.kind == PK_KIND_OF_UNION)) {
			not_found(a, FLOW_OUTSIDE);
			return;
		}
		offset %= (int64_t)info.size;
		if (offset < 0)
			offset += (int64_t)info.size;
	}
	a->found = FLOW_TYPE;
	a->type = type;
	a->offset = offset;
}

static void note_constant(const struct flow *f, struct flow_access *a, const struct value *at)
{
	struct pk_global global;

	a->found = FLOW_ADDRESS;
	a->reference = (uint64_t)at->offset;
	if (!pk_types_global(f->types, (uint64_t)at->offset, &global))
		return;
	a->variable = global.name;
	found_type(f, a, global.type, at->offset - (int64_t)global.address, at->indexed);
}

static void note_frame(const struct flow *f, struct flow_access *a, const struct value *at,
		       const struct state *s)
{
	const struct pk_variable *v = variables_on_frame(f, s, a->address, at->offset);
	int64_t offset;

	a->found = FLOW_STACK;
	if (!v)
		return;
	offset = at->offset - v->offset;
	if (v->where == PK_WHERE_MEMORY)
		offset -= s->regs[v->reg].offset;
	a->variable = v->name;
	found_type(f, a, v->type, offset, at->indexed);
}

static void note_segment(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct value *at)
{
	struct pk_global global;

	if (f->options.kernel && f->machine->word == 8 && o->segment == 'g') {
		if (at->kind == VALUE_CONSTANT)
			note_constant(f, a, at);
		else if (at->kind == VALUE_POINTER)
			found_type(f, a, at->type, at->offset, at->indexed);
		a->found = FLOW_PER_CPU;
		return;
	}
	not_found(a, FLOW_THREAD_LOCAL);
	if (at->kind != VALUE_CONSTANT || !f->options.tls_size ||
	    !pk_types_thread_local(f->types, f->options.tls_size + (uint64_t)at->offset, &global))
		return;
	a->variable = global.name;
	found_type(f, a, global.type,
		   (int64_t)(f->options.tls_size + (uint64_t)at->offset - global.address),
		   at->indexed);
}

static void note_unknown(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct value *at)
{
	const struct pk_variable *v = o->base < STATE_REGISTERS && o->index == INSN_NO_REG
					      ? variables_based(f, a->address, o->base, o->value)
					      : NULL;

	if (v) {
		a->variable = v->name;
		found_type(f, a, v->type, o->value - v->offset, false);
	} else {
		not_found(a,
			  at->kind == VALUE_UNKNOWN ? (enum flow_reason)at->lost : FLOW_NO_POINTER);
	}
}

static void classify(const struct flow *f, const struct insn *insn, const struct insn_operand *o,
		     const struct state *s, struct flow_access *a)
{
	struct value at;

	if (is_canary(f, o)) {
		a->found = FLOW_CANARY;
		return;
	}
	at = flow_address(f, insn, o, s);
	if (o->segment)
		note_segment(f, a, o, &at);
	else if (at.kind == VALUE_CONSTANT)
		note_constant(f, a, &at);
	else if (at.kind == VALUE_CFA)
		note_frame(f, a, &at, s);
	else if (at.kind == VALUE_POINTER)
		found_type(f, a, at.type, at.offset, at.indexed);
	else
		note_unknown(f, a, o, &at);
	if (a->found == FLOW_NOT && !f->has_function &&
	    (a->reason == FLOW_NO_VARIABLE || a->reason == FLOW_LOST_CALL ||
	     a->reason == FLOW_LOST_MERGE || a->reason == FLOW_LOST_ARITHMETIC ||
	     a->reason == FLOW_LOST_MEMORY))
		a->reason = FLOW_NO_INFORMATION;
}

static struct flow_access *new_access(struct flow *f, const struct insn *insn)
{
	struct flow_access *grown;

	if (f->access_count == f->access_room) {
		f->access_room = f->access_room ? 2 * f->access_room : 64;
		grown = realloc(f->accesses, f->access_room * sizeof(*grown));
		if (!grown) {
			f->failed = true;
			return NULL;
		}
		f->accesses = grown;
	}
	grown = &f->accesses[f->access_count++];
	memset(grown, 0, sizeof(*grown));
	grown->address = insn->address;
	return grown;
}

void flow_note(struct flow *f, const struct insn *insn, const struct insn_operand *o,
	       const struct state *s)
{
	struct flow_access *a = f->recording ? new_access(f, insn) : NULL;

	if (!a)
		return;
	if (!o) {
		a->found = FLOW_CALLS;
		a->size = f->machine->word;
		return;
	}
	a->size = o->size;
	a->read = o->read;
	a->written = o->written;
	if (f->too_large)
		not_found(a, FLOW_TOO_LARGE);
	else if (!f->types)
		not_found(a, FLOW_NO_INFORMATION);
	else
		classify(f, insn, o, s, a);
}
