// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"
#include "vector.h"

/* ---- Accesses ---- */

static struct flow_value register_value(const struct flow_state *s, unsigned reg)
{
	return reg < STATE_REGISTERS ? s->regs[reg] : pk_flow_value_unknown(FLOW_NO_VARIABLE);
}

/* Returns base + by. If the offset of `by` is 0, returns `base` unchanged. So an unknown value
 * keeps its reason. */
static struct flow_value moved(const struct flow_value *base, const struct flow_value *by)
{
	return by->offset ? pk_flow_value_add(base, by, 1) : *base;
}

/* In an object with fixed addresses, a number can be an address if it is larger than the offset of
 * any member. */
#define FIRST_ADDRESS 0x10000

static struct flow_value flow_immediate(const struct flow *f, int64_t number)
{
	struct pk_global global;

	return f->options.fixed && (number >= FIRST_ADDRESS || number < -FIRST_ADDRESS) &&
			       pk_types_global(f->types, (uint64_t)number, &global)
		       ? pk_flow_value_address((uint64_t)number)
		       : pk_flow_value_constant(number);
}

static struct flow_value flow_address(const struct flow *f, const struct insn *insn,
				      const struct insn_operand *o, const struct flow_state *s)
{
	struct flow_value displacement = flow_immediate(f, o->value);
	struct flow_value base, index;

	if (insn->has_reference && (o->base == INSN_REG_PC || o->base == INSN_NO_REG) &&
	    o->index == INSN_NO_REG)
		return pk_flow_value_address(insn->reference);
	if (o->base == INSN_NO_REG && o->index == INSN_NO_REG)
		return displacement;
	base = o->base == INSN_NO_REG ? displacement : register_value(s, o->base);
	if (base.kind == VALUE_POINTER || base.kind == VALUE_CFA || base.kind == VALUE_STACK ||
	    base.kind == VALUE_ADDRESS)
		displacement = pk_flow_value_constant(o->value);
	if (o->base != INSN_NO_REG && o->base == o->index)
		base = pk_flow_value_multiply(&base, 1u + o->scale);
	if (o->base != INSN_NO_REG && o->update != 2)
		base = moved(&base, &displacement);
	if (o->index == INSN_NO_REG || o->base == o->index)
		return base;
	index = register_value(s, o->index);
	return pk_flow_value_add(&base, &index, o->scale);
}

/* Sets *pointer to a place in a variable of another object. The variable is found by its name.
 * Returns false if the variable is unknown. */
static bool named(const struct flow *f, const char *name, uint64_t offset,
		  struct flow_value *pointer)
{
	struct pk_global global;

	if (!name || !pk_types_global_named(f->types, name, &global))
		return false;
	*pointer = (struct flow_value){
		.kind = VALUE_POINTER, .type = global.type, .offset = (int64_t)offset};
	return true;
}

/* Sets *v to the pointer that the loader writes at this address. Returns false if the loader writes
 * no pointer there. */
static bool loaded_pointer(const struct flow *f, uint64_t address, struct flow_value *v)
{
	uint64_t value;
	const char *name;

	if (!f->options.slot)
		return false;
	switch (f->options.slot(f->options.arg, address, &value, &name)) {
	case FLOW_SLOT_ADDRESS: *v = pk_flow_value_address(value); return true;
	case FLOW_SLOT_POINTER: return named(f, name, 0, v);
	case FLOW_SLOT_THREAD:
		*v = pk_flow_value_constant((int64_t)(value - f->options.tls_size));
		return true;
	default: return false;
	}
}

/* Finds the variable at an address. Sets *name to its name, and *pointer to the place in the
 * variable. Returns false if there is no variable. */
static bool variable_at(const struct flow *f, const struct flow_value *at, const char **name,
			struct flow_value *pointer)
{
	struct pk_global global;
	uint64_t value;

	if (pk_flow_value_global(f->types, at, &global, pointer)) {
		*name = global.name;
		return true;
	}
	return !at->stride && f->options.slot &&
	       f->options.slot(f->options.arg, (uint64_t)at->offset, &value, name) ==
		       FLOW_SLOT_COPY &&
	       named(f, *name, value, pointer);
}

static struct flow_value global_value(const struct flow *f, const struct flow_value *at,
				      uint64_t size)
{
	struct flow_value pointer, v;
	const char *name;

	if (variable_at(f, at, &name, &pointer))
		return pk_flow_value_loaded(f->types, &pointer, size);
	if (!at->stride && size == f->machine->word && loaded_pointer(f, (uint64_t)at->offset, &v))
		return v;
	return pk_flow_value_unknown(FLOW_LOST_MEMORY);
}

static struct flow_value frame_value(const struct flow *f, const struct insn *insn,
				     const struct flow_value *at, uint64_t size,
				     const struct flow_state *s)
{
	const struct flow_value *slot = at->stride ? NULL : pk_flow_state_load(s, at->offset);
	struct flow_value value = pk_flow_value_unknown(FLOW_LOST_MEMORY), pointer;

	if (pk_flow_value_on_frame(f, s, insn->address, at, &pointer))
		value = pk_flow_value_loaded(f->types, &pointer, size);
	if (slot && size == f->machine->word && !pk_flow_value_is_typed(f->types, &value))
		return *slot;
	return value;
}

/* Returns true if the operand is the stack guard. For its location, see the option
 * -mstack-protector-guard-offset of gcc. */
static bool is_canary(const struct flow *f, const struct insn_operand *o)
{
	return o->segment && o->base == INSN_NO_REG && o->index == INSN_NO_REG &&
	       o->value == 5 * f->machine->word &&
	       (o->segment == (f->machine->word == 8 ? 'f' : 'g') || f->options.kernel);
}

static bool thread_local_at(const struct flow *f, const struct flow_value *at,
			    struct pk_global *global, struct flow_value *pointer)
{
	const uint64_t offset = f->options.tls_size + (uint64_t)at->offset;

	if ((at->kind != VALUE_CONSTANT && at->kind != VALUE_ADDRESS) || !f->options.tls_size ||
	    !pk_types_thread_local(f->types, offset, global))
		return false;
	*pointer = (struct flow_value){.kind = VALUE_POINTER,
				       .stride = at->stride,
				       .type = global->type,
				       .offset = (int64_t)(offset - global->address)};
	return true;
}

static struct flow_value flow_load(const struct flow *f, const struct insn *insn,
				   const struct insn_operand *o, const struct flow_state *s)
{
	const struct pk_variable *v;
	struct flow_value at, pointer = {.kind = VALUE_POINTER};
	struct pk_global global;

	if (is_canary(f, o))
		return (struct flow_value){.kind = VALUE_CANARY};
	at = flow_address(f, insn, o, s);
	if (o->segment && !f->options.kernel)
		return thread_local_at(f, &at, &global, &pointer)
			       ? pk_flow_value_loaded(f->types, &pointer, o->size)
			       : pk_flow_value_unknown(FLOW_THREAD_LOCAL);
	if (o->segment && at.kind == VALUE_CONSTANT)
		at.kind =
			VALUE_ADDRESS; /* The constant is the address of a per-CPU variable. In the
					* kernel's file, these variables are in the first pages. */
	switch (at.kind) {
	case VALUE_POINTER:
		if (pk_flow_value_in_container(f, &at, o->size, &pointer))
			return pk_flow_value_loaded(f->types, &pointer, o->size);
		if (pk_flow_value_is_doubtful(f, insn->address, &at, o->size))
			return pk_flow_value_unknown(FLOW_LOST_MEMORY);
		pointer = pk_flow_value_loaded(f->types, &at, o->size);
		if (pointer.kind != VALUE_UNKNOWN)
			return pointer;
		pointer = (struct flow_value){.kind = VALUE_POINTER};
		break;
	case VALUE_ADDRESS: return global_value(f, &at, o->size);
	case VALUE_CFA: return frame_value(f, insn, &at, o->size, s);
	default: break;
	}
	v = o->base < STATE_REGISTERS && o->index == INSN_NO_REG
		    ? pk_flow_variables_based(f, insn->address, o->base, o->value)
		    : NULL;
	if (!v)
		return pk_flow_value_unknown(FLOW_LOST_MEMORY);
	pointer.type = v->type;
	pointer.offset = offset_minus(o->value, v->offset);
	return pk_flow_value_loaded(f->types, &pointer, o->size);
}

/* ---- Recording accesses ---- */

static void not_found(struct flow_access *a, enum flow_reason reason)
{
	a->found = FLOW_NOT;
	a->reason = reason;
}

static void found_type(const struct flow *f, struct flow_access *a,
		       const struct flow_value *pointer)
{
	struct pk_type info;

	if (!pk_type_info(f->types, pk_type_strip(f->types, pointer->type), &info) ||
	    info.kind == PK_KIND_OF_VOID || info.declared || info.kind == PK_KIND_OF_FUNCTION ||
	    info.kind == PK_KIND_OF_NONE) {
		not_found(a, FLOW_VOID_POINTER);
	} else if (pk_flow_value_place(f->types, pointer, &a->offset) == FLOW_TYPE) {
		a->found = FLOW_TYPE;
		a->type = pointer->type;
	} else {
		not_found(a, FLOW_OUTSIDE);
	}
}

static void note_address(const struct flow *f, struct flow_access *a, const struct flow_value *at)
{
	struct flow_value pointer;
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

/* Returns the value that the instruction writes to memory or reads from there. Returns NULL if the
 * value is unknown. */
static const struct flow_value *kept_value(const struct flow_access *a, const struct insn *insn,
					   const struct flow_value *at, const struct flow_state *s)
{
	if (a->read || !a->written)
		return at->stride ? NULL : pk_flow_state_load(s, at->offset);
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct insn_operand *o = &insn->operand[i];

		if (o->kind == INSN_REGISTER && !o->written && o->reg < STATE_REGISTERS)
			return &s->regs[o->reg];
	}
	return NULL;
}

/* A memory slot without a variable holds a saved register. So the slot has the type of the saved
 * value. */
static void note_kept(const struct flow *f, struct flow_access *a, const struct flow_value *kept)
{
	struct pk_type info;
	pk_type_id type = kept->type;

	if (kept->kind == VALUE_POINTER && pk_flow_value_is_typed(f->types, kept)) {
		if (!pk_type_info(f->types, pk_type_strip(f->types, type), &info))
			return;
		/* If the value points into the middle of a structure, its exact type is unknown. */
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
		       const struct flow_value *at, const struct flow_state *s)
{
	struct flow_value pointer;
	const struct pk_variable *v = pk_flow_value_on_frame(f, s, a->address, at, &pointer);

	a->found = FLOW_STACK;
	if (!v) {
		const struct flow_value *kept = kept_value(a, insn, at, s);

		if (kept)
			note_kept(f, a, kept);
		return;
	}
	a->variable = v->name;
	found_type(f, a, &pointer);
}

static void note_segment(const struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct flow_value *at)
{
	struct pk_global global;
	struct flow_value pointer;

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
			 const struct flow_value *at)
{
	const struct pk_variable *v =
		o->base < STATE_REGISTERS && o->index == INSN_NO_REG
			? pk_flow_variables_based(f, a->address, o->base, o->value)
			: NULL;
	struct flow_value pointer = {.kind = VALUE_POINTER};

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

/* Finds another variable in the base register whose type has a member at the accessed place. */
static bool in_other_variable(const struct flow *f, const struct flow_access *a,
			      const struct insn_operand *o, const struct flow_value *at,
			      const struct flow_state *s, struct flow_value *other)
{
	const struct flow_value *base = o->base < STATE_REGISTERS ? &s->regs[o->base] : NULL;
	struct flow_value distance = pk_flow_value_constant(o->value);

	if (!base || o->update == 2)
		return false;
	if (o->index != INSN_NO_REG) {
		if (base->kind != VALUE_POINTER || base->stride)
			return false;
		distance = *at;
		distance.offset = offset_minus(at->offset, base->offset);
	}
	return pk_flow_variables_other(f, a->address, o->base, &distance, other);
}

/* Notes an access through a pointer. If the access is outside of the pointer's type, it can be to a
 * larger structure that contains this type. For example, the pointer can point to the header of the
 * structure. */
static void note_pointer(struct flow *f, struct flow_access *a, const struct insn_operand *o,
			 const struct flow_value *at, const struct flow_state *s)
{
	const struct flow_value unknown = pk_flow_value_unknown(FLOW_OUTSIDE);
	struct flow_value other;

	found_type(f, a, at);
	if (a->found != FLOW_NOT && !pk_flow_value_is_beside(f->types, at))
		return;
	if (in_other_variable(f, a, o, at, s, &other) ||
	    pk_flow_value_in_container(f, at, a->size, &other))
		found_type(f, a, &other);
	else if (a->found != FLOW_NOT && pk_flow_value_is_doubtful(f, a->address, at, a->size))
		not_found(a, FLOW_OUTSIDE);
	else if (a->found == FLOW_NOT && a->reason == FLOW_OUTSIDE)
		note_unknown(f, a, o, &unknown);
	if (a->found == FLOW_NOT && a->reason == FLOW_OUTSIDE)
		pk_flow_containers_lack(f, at, a->size);
}

static void classify(struct flow *f, const struct insn *insn, const struct insn_operand *o,
		     const struct flow_state *s, struct flow_access *a)
{
	struct flow_value at;

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
		note_pointer(f, a, o, &at, s);
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

	if (pk_reserve(&f->accesses, &f->access_room, f->access_count, 1, sizeof(*f->accesses)) !=
	    PK_OK) {
		f->failed = true;
		return NULL;
	}
	grown = &f->accesses[f->access_count++];
	memset(grown, 0, sizeof(*grown));
	grown->address = insn->address;
	return grown;
}

static void flow_note(struct flow *f, const struct insn *insn, const struct insn_operand *o,
		      const struct flow_state *s)
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

/* ---- Calls ---- */

static const char *callee_name(const struct flow *f, const struct insn *insn)
{
	return insn->has_target && f->options.name ? f->options.name(f->options.arg, insn->target)
						   : NULL;
}

bool pk_flow_never_returns(const struct flow *f, const struct insn *insn)
{
	static const char *const names[] = {
		"abort",      "exit",	 "_exit",	   "__assert_fail", "__stack_chk_fail",
		"__chk_fail", "longjmp", "siglongjmp",	   "__cxa_throw",   "_Unwind_Resume",
		"panic",      "do_exit", "__fortify_fail", "pthread_exit"};
	const char *name = callee_name(f, insn);
	size_t length = name ? strcspn(name, "@") : 0, i;

	for (i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == length && !strncmp(name, names[i], length))
			return true;
	return false;
}

static bool find_callee(const struct flow *f, const struct insn *insn, const struct flow_state *s,
			struct pk_function *function)
{
	const struct insn_operand *o = insn->operand;
	struct flow_value pointer;
	const char *name;
	char plain[256];
	size_t length;

	if (insn->has_target) {
		if (pk_types_function(f->types, insn->target, function) &&
		    function->start == insn->target)
			return true;
		name = callee_name(f, insn);
		length = name ? strcspn(name, "@") : 0;
		if (!length || length >= sizeof(plain))
			return false;
		memcpy(plain, name, length);
		plain[length] = '\0';
		return pk_types_function_named(f->types, plain, function);
	}
	if (!insn->operand_count)
		return false;
	pointer = pk_flow_value_unknown(FLOW_LOST_CALL);
	if (o->kind == INSN_MEMORY)
		pointer = flow_load(f, insn, o, s);
	else if (o->kind == INSN_REGISTER && o->reg < STATE_REGISTERS)
		pointer = s->regs[o->reg];
	return pointer.kind == VALUE_POINTER && !pointer.offset &&
	       pk_type_function(f->types, pointer.type, function);
}

static struct flow_value flow_result(const struct flow *f, const struct insn *insn,
				     const struct flow_state *s)
{
	struct pk_function function;
	struct flow_value v;

	if (!find_callee(f, insn, s, &function) || function.result == PK_TYPE_NONE ||
	    function.result == PK_TYPE_VOID)
		return pk_flow_value_unknown(FLOW_LOST_CALL);
	v = pk_flow_value_of_type(f->types, function.result);
	return v.kind == VALUE_UNKNOWN ? pk_flow_value_unknown(FLOW_LOST_CALL) : v;
}

/* ---- Steps ---- */

static void set(struct flow_state *s, unsigned reg, const struct flow_value *value)
{
	if (reg < STATE_REGISTERS)
		s->regs[reg] = *value;
}

/* Returns the value that an operand has before the instruction. */
static struct flow_value read_operand(const struct flow *f, const struct insn *insn,
				      const struct insn_operand *o, const struct flow_state *s)
{
	if (o->kind == INSN_IMMEDIATE && insn->has_reference)
		return pk_flow_value_address(insn->reference);
	if (o->kind == INSN_IMMEDIATE)
		return flow_immediate(f, o->value);
	if (o->kind == INSN_MEMORY)
		return flow_load(f, insn, o, s);
	return o->reg < STATE_REGISTERS ? s->regs[o->reg]
					: pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
}

/* Returns the value of the lowest `size` bytes. If `size` is smaller than a word, the result is
 * never a pointer. */
static struct flow_value part(const struct flow *f, const struct flow_value *value, unsigned size)
{
	if (size == f->machine->word || value->kind == VALUE_TYPE ||
	    (value->kind == VALUE_NUMBER && size >= 4) ||
	    (value->kind == VALUE_CONSTANT && size >= 4))
		return *value;
	return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
}

static void write_operand(const struct flow *f, const struct insn *insn,
			  const struct insn_operand *o, const struct flow_value *value,
			  struct flow_state *s)
{
	const struct flow_value whole = part(f, value, o->size);
	struct flow_value at;

	if (o->kind == INSN_REGISTER) {
		set(s, o->reg, &whole);
	} else if (o->kind == INSN_MEMORY && !o->segment) {
		at = flow_address(f, insn, o, s);
		if (at.kind == VALUE_CFA)
			pk_flow_state_store(s, at.offset, at.stride ? 0 : o->size, &whole,
					    f->machine->word);
	}
}

static void push(const struct flow *f, const struct flow_value *value, struct flow_state *s)
{
	struct flow_value *stack = &s->regs[f->machine->stack];

	if (stack->kind != VALUE_CFA || stack->stride)
		return;
	stack->offset = offset_minus(stack->offset, f->machine->word);
	pk_flow_state_store(s, stack->offset, f->machine->word, value, f->machine->word);
}

static struct flow_value pop(const struct flow *f, struct flow_state *s)
{
	struct flow_value *stack = &s->regs[f->machine->stack];
	const struct flow_value *there;

	if (stack->kind != VALUE_CFA || stack->stride)
		return pk_flow_value_unknown(FLOW_LOST_MEMORY);
	there = pk_flow_state_load(s, stack->offset);
	stack->offset = offset_plus(stack->offset, f->machine->word);
	return there ? *there : pk_flow_value_unknown(FLOW_LOST_MEMORY);
}

static void leave(const struct flow *f, struct flow_state *s)
{
	struct flow_value frame;

	s->regs[f->machine->stack] = s->regs[f->machine->frame];
	frame = pop(f, s);
	set(s, f->machine->frame, &frame);
}

/* Returns the result of an AND with a mask. If the mask clears only a few low bits of a pointer,
 * the type stays the same. If it clears more bits, the type is lost. */
static struct flow_value masked(const struct flow_value *value, const struct flow_value *mask)
{
	if (value->kind == VALUE_POINTER && mask->kind == VALUE_CONSTANT && mask->offset < 0 &&
	    mask->offset >= -16)
		return *value;
	if (value->kind == VALUE_CFA && mask->kind == VALUE_CONSTANT && mask->offset < 0)
		return (struct flow_value){.kind = VALUE_STACK};
	return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
}

static struct flow_value calculate(const struct flow *f, const struct insn *insn,
				   const struct flow_state *s)
{
	const struct insn_operand *o = insn->operand;
	const unsigned first = insn->operand_count > 2 ? 1 : 0;
	struct flow_value a, b;

	if (insn->operand_count < 2)
		return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	a = read_operand(f, insn, &o[first], s);
	b = read_operand(f, insn, &o[first + 1], s);
	switch (insn->action) {
	case INSN_DO_ADD:
		return pk_flow_value_add(
			&a, &b, o[first + 1].kind == INSN_REGISTER ? o[first + 1].scale : 1);
	case INSN_DO_SUBTRACT: return pk_flow_value_subtract(&a, &b);
	case INSN_DO_AND: return masked(&a, &b);
	case INSN_DO_MULTIPLY:
		return b.kind == VALUE_CONSTANT && !b.stride && b.offset > 0
			       ? pk_flow_value_multiply(&a, (uint64_t)b.offset)
			       : pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	case INSN_DO_SHIFT_LEFT:
		return b.kind == VALUE_CONSTANT && !b.stride && b.offset >= 0 && b.offset < 31
			       ? pk_flow_value_multiply(&a, 1ULL << b.offset)
			       : pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	default: return pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
	}
}

static struct flow_value converted(const struct flow *f, const struct insn *insn,
				   const struct flow_state *s)
{
	const struct flow_value v = read_operand(f, insn, &insn->operand[1], s);

	return v.kind == VALUE_TYPE || v.kind == VALUE_NUMBER || v.kind == VALUE_CONSTANT
		       ? v
		       : pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
}

static void move_pair(const struct flow *f, const struct insn *insn, struct flow_state *s)
{
	struct insn_operand memory[2] = {insn->operand[2], insn->operand[2]};
	struct flow_value v[2];
	unsigned i;

	memory[1].value += memory[1].update == 2 ? 0 : memory[1].size;
	for (i = 0; i < 2; i++)
		v[i] = read_operand(
			f, insn, insn->action == INSN_DO_LOAD_PAIR ? &memory[i] : &insn->operand[i],
			s);
	if (insn->action == INSN_DO_STORE_PAIR && memory[1].update == 2)
		return; /* This form is not used in practice. */
	for (i = 0; i < 2; i++)
		write_operand(f, insn,
			      insn->action == INSN_DO_LOAD_PAIR ? &insn->operand[i] : &memory[i],
			      &v[i], s);
}

static void exchange(const struct flow *f, const struct insn *insn, struct flow_state *s)
{
	const struct flow_value a = read_operand(f, insn, &insn->operand[0], s);
	const struct flow_value b = read_operand(f, insn, &insn->operand[1], s);

	write_operand(f, insn, &insn->operand[0], &b, s);
	write_operand(f, insn, &insn->operand[1], &a, s);
}

/* Makes all registers and memory operands unknown that the instruction writes. */
static void forget_changes(const struct flow *f, const struct insn *insn, struct flow_state *s)
{
	const struct flow_value unknown = pk_flow_value_unknown(FLOW_LOST_ARITHMETIC);
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

static void call(const struct flow *f, const struct insn *insn, struct flow_state *s)
{
	const struct flow_value result = flow_result(f, insn, s);
	const struct flow_value unknown = pk_flow_value_unknown(FLOW_LOST_CALL);
	unsigned i;

	for (i = 0; i < STATE_REGISTERS; i++)
		if (f->machine->call_clobbers >> i & 1)
			s->regs[i] = unknown;
	set(s, f->machine->result, &result);
}

/* Updates the base registers that a memory access changes (pre-index and post-index). */
static void update_bases(const struct insn *insn, const struct flow_state *before,
			 struct flow_state *s)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct insn_operand *o = &insn->operand[i];
		const struct flow_value by = pk_flow_value_constant(o->value);

		if (o->kind == INSN_MEMORY && o->update && o->base < STATE_REGISTERS &&
		    before->regs[o->base].kind != VALUE_UNKNOWN)
			s->regs[o->base] = pk_flow_value_add(&before->regs[o->base], &by, 1);
	}
}

static void act(struct flow *f, const struct insn *insn, struct flow_state *s)
{
	const struct insn_operand *o = insn->operand;
	const struct flow_state before = *s;
	bool changed = false;
	struct flow_value v;

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
		const struct flow_value a = read_operand(f, insn, &o[0], &before);
		const struct flow_value b = read_operand(f, insn, &o[1], &before);

		v = pk_flow_value_merge(f->types, &a, &b, &changed);
		break;
	}
	case INSN_DO_ADDRESS: v = flow_address(f, insn, &o[1], &before); break;
	case INSN_DO_CLEAR: v = pk_flow_value_constant(0); break;
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

/* Returns true if the instruction accesses the memory of the operand. "lea" and "nop" do not access
 * it. */
static bool touches(const struct insn *insn, const struct insn_operand *o)
{
	return o->kind == INSN_MEMORY && insn->action != INSN_DO_ADDRESS && (o->read || o->written);
}

void pk_flow_step(struct flow *f, const struct insn *insn, struct flow_state *s)
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
