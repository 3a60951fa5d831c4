// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"
#include "vector.h"

/* Variables, sorted by where they are. A variable in a register sets the value of the register,
 * from the start of the variable's range on. A variable in memory is looked up when an instruction
 * accesses the memory. */

#define ACTIVE_MAX 64 /* the most variables in registers at one address */
/* A search for the variable that contains an offset checks at most this number of variables that
 * start before the offset. */
#define LOOK_BACK 256

static bool is_whole(const struct pk_variable *v)
{
	return !v->piece_size || !v->piece;
}

static enum pk_status add_variable(struct variables *to, const struct pk_variable *v)
{
	struct variable_list *list;

	if ((v->where == PK_WHERE_REGISTER || v->where == PK_WHERE_VALUE) &&
	    v->reg < STATE_REGISTERS && is_whole(v))
		list = &to->registers;
	else if (v->where == PK_WHERE_CFA)
		list = &to->frame;
	else if (v->where == PK_WHERE_MEMORY)
		list = &to->based;
	else
		return PK_OK;
	PK_TRY(pk_vector_reserve(list, 1));
	list->items[list->count++] = *v;
	return PK_OK;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_low(const void *a, const void *b)
{
	const struct pk_variable *one = a, *other = b;
	const int order = compare(one->low, other->low);

	return order ? order : compare(one->depth, other->depth);
}

static int by_offset(const void *a, const void *b)
{
	const struct pk_variable *one = a, *other = b;

	if (one->reg != other->reg)
		return one->reg < other->reg ? -1 : 1;
	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return compare(one->depth, other->depth);
}

/* Returns true if the debugging information has more than the name of the function. Debugging
 * information from assemblers has only the name. */
static bool says_something(const struct pk_function *function)
{
	return function->prototyped || function->count || function->result != PK_TYPE_NONE;
}

enum pk_status pk_flow_variables_read(struct flow *f, const struct flow_piece *pieces, size_t count)
{
	struct variables *to = &f->variables;
	const struct pk_variable *v;
	struct pk_function function;
	size_t i, n;

	for (i = 0; i < count; i++) {
		f->has_function |= pk_types_function(f->types, pieces[i].address, &function) &&
				   says_something(&function);
		n = pk_types_variables(f->types, pieces[i].address,
				       pieces[i].address + pieces[i].size, &v);
		f->has_function |= n > 0;
		for (; n; n--, v++)
			PK_TRY(add_variable(to, v));
	}
	if (to->registers.count)
		qsort(to->registers.items, to->registers.count, sizeof(*to->registers.items),
		      by_low);
	for (i = 0; i < to->frame.count; i++)
		to->frame.items[i].reg = 0;
	if (to->frame.count)
		qsort(to->frame.items, to->frame.count, sizeof(*to->frame.items), by_offset);
	if (to->based.count)
		qsort(to->based.items, to->based.count, sizeof(*to->based.items), by_offset);
	return PK_OK;
}

void pk_flow_variables_free(struct variables *v)
{
	free(v->registers.items);
	free(v->frame.items);
	free(v->based.items);
}

static enum pk_status keep_active(struct flow *f, const uint32_t *list, size_t count)
{
	PK_TRY(pk_reserve(&f->active, &f->active_room, f->active_count, count, sizeof(*f->active)));
	if (count)
		memcpy(f->active + f->active_count, list, count * sizeof(*list));
	f->active_count += count;
	return PK_OK;
}

enum pk_status pk_flow_variables_spread(struct flow *f)
{
	const struct pk_variable *list = f->variables.registers.items;
	uint32_t active[ACTIVE_MAX];
	size_t count = 0, kept, next = 0, i, k;

	for (i = 0; i < f->block_count; i++) {
		struct flow_block *b = &f->blocks[i];
		const uint64_t start = f->insns[b->first].address;

		for (kept = k = 0; k < count; k++)
			if (list[active[k]].high > start)
				active[kept++] = active[k];
		for (; next < f->variables.registers.count && list[next].low < start; next++)
			if (list[next].high > start && kept < ACTIVE_MAX)
				active[kept++] = (uint32_t)next;
		count = kept;
		b->active = (uint32_t)f->active_count;
		b->active_count = (uint32_t)count;
		b->first_variable = (uint32_t)next;
		PK_TRY(keep_active(f, active, count));
	}
	return PK_OK;
}

/* Sets a register to the type of the variable that is in it. Does not change the register if its
 * value is already known better. */
static void apply(const struct flow *f, const struct pk_variable *v, struct flow_state *s)
{
	struct flow_value *reg = &s->regs[v->reg];
	struct flow_value value = pk_flow_value_of_type(f->types, v->type);
	struct pk_global global;
	struct pk_type info;

	if (value.kind == VALUE_UNKNOWN || reg->kind == VALUE_CFA || reg->kind == VALUE_STACK)
		return;
	if (v->where == PK_WHERE_VALUE) {
		if (value.kind != VALUE_POINTER || pk_flow_value_is_typed(f->types, reg))
			return;
		value.offset = offset_minus(0, v->offset);
	}
	/* A known number or address is more specific than a type that is not a pointer. */
	if (value.kind == VALUE_TYPE && reg->kind != VALUE_UNKNOWN && reg->kind != VALUE_TYPE)
		return;
	if (reg->kind == VALUE_ADDRESS && pk_types_global(f->types, (uint64_t)reg->offset, &global))
		return;
	if (value.kind == VALUE_POINTER && !pk_flow_value_is_typed(f->types, &value) &&
	    pk_flow_value_is_typed(f->types, reg))
		return;
	if (reg->kind == VALUE_POINTER && value.kind == VALUE_POINTER) {
		if (pk_type_strip(f->types, reg->type) == pk_type_strip(f->types, value.type))
			value.stride = reg->stride;
		/* A pointer to bytes is usually the result of a cast. So the more specific type is
		 * kept. */
		if (pk_type_info(f->types, pk_type_strip(f->types, value.type), &info) &&
		    info.size == 1 && pk_flow_value_is_typed(f->types, reg))
			return;
	}
	*reg = value;
}

void pk_flow_variables_apply(const struct flow *f, const struct flow_block *b, uint32_t *next,
			     uint64_t address, struct flow_state *s)
{
	const struct variables *v = &f->variables;
	uint32_t i;

	for (i = b->active; i < b->active + b->active_count; i++)
		if (v->registers.items[f->active[i]].high > address)
			apply(f, &v->registers.items[f->active[i]], s);
	while (*next < v->registers.count && v->registers.items[*next].low <= address)
		++*next;
	i = *next > ACTIVE_MAX ? *next - ACTIVE_MAX : 0;
	for (i = i < b->first_variable ? b->first_variable : i; i < *next; i++)
		if (v->registers.items[i].high > address)
			apply(f, &v->registers.items[i], s);
}

static bool holds(const struct flow *f, const struct pk_variable *v, uint64_t address, int64_t at)
{
	struct pk_type info;
	uint64_t size = 1;

	if (address < v->low || address >= v->high || at < v->offset || !is_whole(v))
		return false;
	if (v->piece_size)
		size = v->piece_size;
	else if (pk_type_info(f->types, pk_type_strip(f->types, v->type), &info) && info.size)
		size = info.size;
	return (uint64_t)at - (uint64_t)v->offset < size;
}

/* Returns the variable that contains register + at. The list is sorted by register and offset. If
 * several variables contain the place, returns the variable that starts last. */
static const struct pk_variable *find_variable(const struct flow *f, const struct pk_variable *list,
					       size_t count, uint64_t address, unsigned reg,
					       int64_t at)
{
	size_t low = 0, high = count, i;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (list[middle].reg < reg ||
		    (list[middle].reg == reg && list[middle].offset <= at))
			low = middle + 1;
		else
			high = middle;
	}
	for (i = low; i && low - i < LOOK_BACK && list[i - 1].reg == reg; i--)
		if (holds(f, &list[i - 1], address, at))
			return &list[i - 1];
	return NULL;
}

/* Returns the variable at CFA + at. */
static const struct pk_variable *
variables_on_frame(const struct flow *f, const struct flow_state *s, uint64_t address, int64_t at)
{
	const struct variables *v = &f->variables;
	const struct pk_variable *found =
		find_variable(f, v->frame.items, v->frame.count, address, 0, at);
	size_t i = 0;

	/* Search variables that are relative to a register that points into the frame, such as the
	 * frame pointer or the stack pointer. */
	while (!found && i < v->based.count) {
		const unsigned reg = v->based.items[i].reg;

		if (reg < STATE_REGISTERS && s->regs[reg].kind == VALUE_CFA && !s->regs[reg].stride)
			found = find_variable(f, v->based.items, v->based.count, address, reg,
					      offset_minus(at, s->regs[reg].offset));
		while (i < v->based.count && v->based.items[i].reg == reg)
			i++;
	}
	return found;
}

const struct pk_variable *pk_flow_value_on_frame(const struct flow *f, const struct flow_state *s,
						 uint64_t address, const struct flow_value *v,
						 struct flow_value *pointer)
{
	const struct pk_variable *found = variables_on_frame(f, s, address, v->offset);
	int64_t at = v->offset;

	for (unsigned i = 1;
	     v->stride && i < 4 && !(found && pk_flow_value_has_elements(f->types, found->type));
	     i++) {
		at = offset_plus(v->offset, (int64_t)i * v->stride);
		found = variables_on_frame(f, s, address, at);
	}
	if (!found || (v->stride && !pk_flow_value_has_elements(f->types, found->type)))
		return NULL;
	*pointer = (struct flow_value){.kind = VALUE_POINTER,
				       .stride = v->stride,
				       .type = found->type,
				       .offset = offset_minus(at, found->offset)};
	if (found->where == PK_WHERE_MEMORY)
		pointer->offset = offset_minus(pointer->offset, s->regs[found->reg].offset);
	return found;
}

const struct pk_variable *pk_flow_variables_based(const struct flow *f, uint64_t address,
						  unsigned reg, int64_t displacement)
{
	return find_variable(f, f->variables.based.items, f->variables.based.count, address, reg,
			     displacement);
}

/* Returns true if the pointer points to a place in its type. If it has an index, the index must be
 * in an array in the type. */
static bool has_place(const struct flow *f, const struct flow_value *pointer)
{
	int64_t offset;

	return pk_flow_value_is_typed(f->types, pointer) &&
	       (pointer->stride ? pk_flow_value_indexes(f->types, pointer, &offset)
				: pk_flow_value_place(f->types, pointer, &offset) == FLOW_TYPE);
}

bool pk_flow_variables_other(const struct flow *f, uint64_t address, unsigned reg,
			     const struct flow_value *distance, struct flow_value *pointer)
{
	const struct variables *v = &f->variables;
	size_t low = 0, high = v->registers.count, i;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (v->registers.items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (i = low; i && low - i < LOOK_BACK; i--) {
		const struct pk_variable *other = &v->registers.items[i - 1];

		if (other->reg != reg || other->high <= address)
			continue;
		*pointer = pk_flow_value_of_type(f->types, other->type);
		pointer->offset = distance->offset;
		pointer->stride = distance->stride;
		if (other->where == PK_WHERE_VALUE)
			pointer->offset = offset_minus(distance->offset, other->offset);
		if (has_place(f, pointer))
			return true;
	}
	return false;
}
