/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "flow_internal.h"
#include "vector.h"

static struct value register_value(const struct state *s, unsigned reg)
{
	return reg < STATE_REGISTERS ? s->regs[reg] : value_unknown(FLOW_NO_VARIABLE);
}

/* What is not moved stays what it is, and why it is not known. */
static struct value moved(const struct value *base, const struct value *by)
{
	return by->offset ? value_add(base, by, 1) : *base;
}

/* Numbers may be addresses where the object lies fixed: those that are larger than any member's
 * offset. */
#define FIRST_ADDRESS 0x10000

struct value flow_immediate(const struct flow *f, int64_t number)
{
	struct pk_global global;

	return f->options.fixed && (number >= FIRST_ADDRESS || number < -FIRST_ADDRESS) &&
			       pk_types_global(f->types, (uint64_t)number, &global)
		       ? value_address((uint64_t)number)
		       : value_constant(number);
}

struct value flow_address(const struct flow *f, const struct insn *insn,
			  const struct insn_operand *o, const struct state *s)
{
	struct value displacement = flow_immediate(f, o->value);
	struct value base, index;

	if (insn->has_reference && (o->base == INSN_REG_PC || o->base == INSN_NO_REG) &&
	    o->index == INSN_NO_REG)
		return value_address(insn->reference);
	if (o->base == INSN_NO_REG && o->index == INSN_NO_REG)
		return displacement;
	base = o->base == INSN_NO_REG ? displacement : register_value(s, o->base);
	if (base.kind == VALUE_POINTER || base.kind == VALUE_CFA || base.kind == VALUE_STACK ||
	    base.kind == VALUE_ADDRESS)
		displacement = value_constant(o->value);
	if (o->base != INSN_NO_REG && o->base == o->index)
		base = value_multiply(&base, 1u + o->scale);
	if (o->base != INSN_NO_REG && o->update != 2)
		base = moved(&base, &displacement);
	if (o->index == INSN_NO_REG || o->base == o->index)
		return base;
	index = register_value(s, o->index);
	return value_add(&base, &index, o->scale);
}

/* A variable of another object, by its name. */
static bool named(const struct flow *f, const char *name, uint64_t offset, struct value *pointer)
{
	struct pk_global global;

	if (!name || !pk_types_global_named(f->types, name, &global))
		return false;
	*pointer = (struct value){
		.kind = VALUE_POINTER, .type = global.type, .offset = (int64_t)offset};
	return true;
}

/* The pointer that the loader puts at an address. */
static bool loaded_pointer(const struct flow *f, uint64_t address, struct value *v)
{
	uint64_t value;
	const char *name;

	if (!f->options.slot)
		return false;
	switch (f->options.slot(f->options.arg, address, &value, &name)) {
	case FLOW_SLOT_ADDRESS: *v = value_address(value); return true;
	case FLOW_SLOT_POINTER: return named(f, name, 0, v);
	case FLOW_SLOT_THREAD:
		*v = value_constant((int64_t)(value - f->options.tls_size));
		return true;
	default: return false;
	}
}

/* A pointer to the variable at an address. */
static bool variable_at(const struct flow *f, const struct value *at, const char **name,
			struct value *pointer)
{
	struct pk_global global;
	uint64_t value;

	if (value_global(f->types, at, &global, pointer)) {
		*name = global.name;
		return true;
	}
	return !at->stride && f->options.slot &&
	       f->options.slot(f->options.arg, (uint64_t)at->offset, &value, name) ==
		       FLOW_SLOT_COPY &&
	       named(f, *name, value, pointer);
}

static struct value global_value(const struct flow *f, const struct value *at, uint64_t size)
{
	struct value pointer, v;
	const char *name;

	if (variable_at(f, at, &name, &pointer))
		return value_loaded(f->types, &pointer, size);
	if (!at->stride && size == f->machine->word && loaded_pointer(f, (uint64_t)at->offset, &v))
		return v;
	return value_unknown(FLOW_LOST_MEMORY);
}

static struct value frame_value(const struct flow *f, const struct insn *insn,
				const struct value *at, uint64_t size, const struct state *s)
{
	const struct value *slot = at->stride ? NULL : state_load(s, at->offset);
	struct value value = value_unknown(FLOW_LOST_MEMORY), pointer;

	if (value_on_frame(f, s, insn->address, at, &pointer))
		value = value_loaded(f->types, &pointer, size);
	if (slot && size == f->machine->word && !value_is_typed(f->types, &value))
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

static bool thread_local_at(const struct flow *f, const struct value *at, struct pk_global *global,
			    struct value *pointer)
{
	const uint64_t offset = f->options.tls_size + (uint64_t)at->offset;

	if ((at->kind != VALUE_CONSTANT && at->kind != VALUE_ADDRESS) || !f->options.tls_size ||
	    !pk_types_thread_local(f->types, offset, global))
		return false;
	*pointer = (struct value){.kind = VALUE_POINTER,
				  .stride = at->stride,
				  .type = global->type,
				  .offset = (int64_t)(offset - global->address)};
	return true;
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
	if (o->segment && !f->options.kernel)
		return thread_local_at(f, &at, &global, &pointer)
			       ? value_loaded(f->types, &pointer, o->size)
			       : value_unknown(FLOW_THREAD_LOCAL);
	if (o->segment && at.kind == VALUE_CONSTANT)
		at.kind = VALUE_ADDRESS; /* per-CPU, in the first pages */
	switch (at.kind) {
	case VALUE_POINTER:
		pointer = value_loaded(f->types, &at, o->size);
		if (pointer.kind != VALUE_UNKNOWN)
			return pointer;
		pointer = (struct value){.kind = VALUE_POINTER};
		break;
	case VALUE_ADDRESS: return global_value(f, &at, o->size);
	case VALUE_CFA: return frame_value(f, insn, &at, o->size, s);
	default: break;
	}
	v = o->base < STATE_REGISTERS && o->index == INSN_NO_REG
		    ? variables_based(f, insn->address, o->base, o->value)
		    : NULL;
	if (!v)
		return value_unknown(FLOW_LOST_MEMORY);
	pointer.type = v->type;
	pointer.offset = offset_minus(o->value, v->offset);
	return value_loaded(f->types, &pointer, o->size);
}

/* ---- What is noted of an access ---- */

static void not_found(struct flow_access *a, enum flow_reason reason)
{
	a->found = FLOW_NOT;
	a->reason = reason;
}

static void found_type(const struct flow *f, struct flow_access *a, const struct value *pointer)
{
	struct pk_type info;

	if (!pk_type_info(f->types, pk_type_strip(f->types, pointer->type), &info) ||
	    info.kind == PK_KIND_OF_VOID || info.declared || info.kind == PK_KIND_OF_FUNCTION ||
	    info.kind == PK_KIND_OF_NONE) {
		not_found(a, FLOW_VOID_POINTER);
	} else if (value_place(f->types, pointer, &a->offset) == FLOW_TYPE) {
		a->found = FLOW_TYPE;
		a->type = pointer->type;
	} else {
		not_found(a, FLOW_OUTSIDE);
	}
}

static void note_address(const struct flow *f, struct flow_access *a, const struct value *at)
{
	struct value pointer;
	const char *name;

	if (variable_at(f, at, &name, &pointer)) {
		a->variable = name;
		found_type(f, a, &pointer);
	} else if (at->stride) {
		not_found(a, FLOW_LOST_ARITHMETIC);
	} else {
		a->found = FLOW_ADDRESS;
		a->reference = (uint64_t)at->offset;
	}
}

/* What an instruction writes to memory, or finds there. NULL: not known. */
static const struct value *kept_value(const struct flow_access *a, const struct insn *insn,
				      const struct value *at, const struct state *s)
{
	if (a->read || !a->written)
		return at->stride ? NULL : state_load(s, at->offset);
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct insn_operand *o = &insn->operand[i];

		if (o->kind == INSN_REGISTER && !o->written && o->reg < STATE_REGISTERS)
			return &s->regs[o->reg];
	}
	return NULL;
}

/* Where no variable is, it is a register that is kept: of the type of what it holds. */
static void note_kept(const struct flow *f, struct flow_access *a, const struct value *kept)
{
	struct pk_type info;
	pk_type_id type = kept->type;

	if (kept->kind == VALUE_POINTER && value_is_typed(f->types, kept)) {
		if (!pk_type_info(f->types, pk_type_strip(f->types, type), &info))
			return;
		/* Not where it is but something in a structure. */
		if (kept->offset && info.kind != PK_KIND_OF_BASE && info.kind != PK_KIND_OF_POINTER)
			return;
		type = pk_type_pointer(f->types, type);
	} else if (kept->kind != VALUE_TYPE) {
		return;
	}
	if (!pk_type_info(f->types, pk_type_strip(f->types, type), &info) || info.size != a->size)
		return;
	a->found = FLOW_TYPE;
	a->type = type;
	a->offset = 0;
}

static void note_frame(const struct flow *f, struct flow_access *a, const struct insn *insn,
		       const struct value *at, const struct state *s)
{
	struct value pointer;
	const struct pk_variable *v = value_on_frame(f, s, a->address, at, &pointer);

	a->found = FLOW_STACK;
	if (!v) {
		const struct value *kept = kept_value(a, insn, at, s);

		if (kept)
			note_kept(f, a, kept);
		return;
	}
	a->variable = v->name;
	found_type(f, a, &pointer);
}

static void note_segment(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct value *at)
{
	struct pk_global global;
	struct value pointer;

	if (f->options.kernel && f->machine->word == 8 && o->segment == 'g') {
		if (at->kind == VALUE_CONSTANT || at->kind == VALUE_ADDRESS)
			note_address(f, a, at);
		else if (at->kind == VALUE_POINTER)
			found_type(f, a, at);
		a->found = FLOW_PER_CPU;
	} else if (thread_local_at(f, at, &global, &pointer)) {
		a->variable = global.name;
		found_type(f, a, &pointer);
	} else {
		not_found(a, FLOW_THREAD_LOCAL);
	}
}

static void note_unknown(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct value *at)
{
	const struct pk_variable *v = o->base < STATE_REGISTERS && o->index == INSN_NO_REG
					      ? variables_based(f, a->address, o->base, o->value)
					      : NULL;
	struct value pointer = {.kind = VALUE_POINTER};

	if (v) {
		a->variable = v->name;
		pointer.type = v->type;
		pointer.offset = offset_minus(o->value, v->offset);
		found_type(f, a, &pointer);
	} else {
		not_found(a, at->kind == VALUE_UNKNOWN || at->kind == VALUE_NUMBER
				     ? (enum flow_reason)at->lost
				     : FLOW_NO_POINTER);
	}
}

/* A variable may lie where the pointer's own type does not reach: the header of what is behind it.
 */
static void note_pointer(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct value *at)
{
	const struct value unknown = value_unknown(FLOW_OUTSIDE);
	struct value other;

	found_type(f, a, at);
	if (a->found != FLOW_NOT)
		return;
	if (o->index == INSN_NO_REG && o->update != 2 &&
	    variables_other(f, a->address, o->base, o->value, &other))
		found_type(f, a, &other);
	else if (a->reason == FLOW_OUTSIDE)
		note_unknown(f, a, o, &unknown);
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
	else if (at.kind == VALUE_ADDRESS)
		note_address(f, a, &at);
	else if (at.kind == VALUE_CFA)
		note_frame(f, a, insn, &at, s);
	else if (at.kind == VALUE_STACK)
		a->found = FLOW_STACK;
	else if (at.kind == VALUE_POINTER)
		note_pointer(f, a, o, &at);
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

	if (!pk_reserve(&f->accesses, &f->access_room, f->access_count, 1, sizeof(*f->accesses))) {
		f->failed = true;
		return NULL;
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
