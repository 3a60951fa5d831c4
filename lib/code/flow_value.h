/* SPDX-License-Identifier: BSD-2-Clause */
/* What a register or a word of the stack holds: types, pointers, addresses, numbers. */
#ifndef FLOW_VALUE_H
#define FLOW_VALUE_H

#include "flow.h"

enum value_kind {
	VALUE_UNREACHED, /* no way has come here yet: gives way to any other */
	VALUE_UNKNOWN,	 /* lost says why */
	VALUE_TYPE,	 /* one of that type, which is none of a pointer */
	VALUE_POINTER,	 /* the address of one of that type, + offset */
	VALUE_CFA,	 /* the canonical frame address + offset */
	VALUE_STACK,	 /* somewhere in the function's own frame, which was aligned */
	VALUE_ADDRESS,	 /* offset is an address of the object */
	VALUE_CONSTANT,	 /* offset */
	VALUE_NUMBER,	 /* offset + a multiple of stride; lost says why it is no pointer */
	VALUE_CANARY,	 /* what guards the stack */
};

struct value {
	uint8_t kind;
	uint8_t lost;	 /* enum flow_reason */
	uint32_t stride; /* some multiple of that was added, which is not known; 0: nothing was */
	pk_type_id type;
	int64_t offset;
};

/* Offsets may be anything that the code and the debugging information say: they wrap around. */
static inline int64_t offset_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t offset_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct value value_unknown(enum flow_reason lost);
struct value value_constant(int64_t constant);
struct value value_address(uint64_t address);
/* One of that type, size bytes of it. */
struct value value_of_type(struct pk_types *t, pk_type_id type);
/* What lies where the pointer points to. */
struct value value_loaded(struct pk_types *t, const struct value *pointer, uint64_t size);
struct value value_add(const struct value *a, const struct value *b, unsigned scale);
struct value value_subtract(const struct value *a, const struct value *b);
struct value value_multiply(const struct value *v, uint64_t by);
/* Of two ways; *changed: it is not a. */
struct value value_merge(struct pk_types *t, const struct value *a, const struct value *b,
			 bool *changed);
/* Is what it points to worth more than what an integer or a void * tells? */
bool value_is_typed(struct pk_types *t, const struct value *v);

/* How far into its type a pointer leads, which is FLOW_TYPE; NOT: out of it. */
enum flow_found value_place(struct pk_types *t, const struct value *v, int64_t *offset);
/* Of whatever units. */
bool value_same_type(struct pk_types *t, pk_type_id a, pk_type_id b);
/* Do both offsets lie in one array that is a member of the type (or of a member of it)? */
bool value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b);
/* Does an index make sense in it: an array, a structure, a union? */
bool value_has_elements(struct pk_types *t, pk_type_id type);
/* The variable at an address, and a pointer to where that leads. */
bool value_global(struct pk_types *t, const struct value *v, struct pk_global *global,
		  struct value *pointer);

/* ---- States: what is known before an instruction ---- */

#define STATE_REGISTERS 32
#define STATE_SLOTS	24

struct slot {
	int64_t at; /* CFA + at */
	struct value value;
};

struct state {
	struct value regs[STATE_REGISTERS];
	struct slot slots[STATE_SLOTS]; /* of words that were spilled there */
	uint8_t slot_count;
	bool reached;
};

void state_store(struct state *s, int64_t at, unsigned size, const struct value *value,
		 unsigned word);
/* NULL: nothing is known of that word. */
const struct value *state_load(const struct state *s, int64_t at);
/* Says whether anything of to has changed. */
bool state_merge(struct pk_types *t, struct state *to, const struct state *from);

#endif
