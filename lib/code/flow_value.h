/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of a register or of a word of the stack: types, pointers, addresses, numbers. */
#ifndef FLOW_VALUE_H
#define FLOW_VALUE_H

#include "flow.h"

enum value_kind {
	VALUE_UNREACHED, /* no path has come here yet: replaced by any other value */
	VALUE_UNKNOWN,	 /* see lost for the reason */
	VALUE_TYPE,	 /* a value of that type, which is not a pointer */
	VALUE_POINTER,	 /* the address of a value of that type, + offset */
	VALUE_CFA,	 /* the canonical frame address + offset */
	VALUE_STACK,	/* an address somewhere in the function's own frame, by a stack pointer that
			 * was aligned */
	VALUE_ADDRESS,	/* offset is an address of the object */
	VALUE_CONSTANT, /* the number offset */
	VALUE_NUMBER,	/* offset + a multiple of stride; lost is the reason why it is not a
			 * pointer */
	VALUE_CANARY,	/* the stack guard */
};

struct flow_value {
	uint8_t kind;
	uint8_t lost;	 /* enum flow_reason: why the value is not known */
	uint32_t stride; /* an unknown multiple of that was added; 0: none */
	pk_type_id type;
	int64_t offset;
};

/* Offsets come from code and debugging information and can have any value: they wrap around. */
static inline int64_t offset_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t offset_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct flow_value pk_flow_value_unknown(enum flow_reason lost);
struct flow_value pk_flow_value_constant(int64_t constant);
struct flow_value pk_flow_value_address(uint64_t address);
/* A value of that type: VALUE_POINTER for pointers and references, VALUE_TYPE for others, or
 * VALUE_UNKNOWN. */
struct flow_value pk_flow_value_of_type(struct pk_types *t, pk_type_id type);
/* The value of size bytes that the pointer points to. */
struct flow_value pk_flow_value_loaded(struct pk_types *t, const struct flow_value *pointer,
				       uint64_t size);
struct flow_value pk_flow_value_add(const struct flow_value *a, const struct flow_value *b,
				    unsigned scale);
struct flow_value pk_flow_value_subtract(const struct flow_value *a, const struct flow_value *b);
struct flow_value pk_flow_value_multiply(const struct flow_value *v, uint64_t by);
/* The value where two paths with the values a and b meet. Sets *changed if it differs from a. */
struct flow_value pk_flow_value_merge(struct pk_types *t, const struct flow_value *a,
				      const struct flow_value *b, bool *changed);
/* Whether the value is a pointer to a known type: not void, and defined in the object. */
bool pk_flow_value_is_typed(struct pk_types *t, const struct flow_value *v);

/* Returns FLOW_TYPE if the pointer's offset is in its type, or in an array of it, otherwise
 * FLOW_NOT. *offset is the offset in the type. */
enum flow_found pk_flow_value_place(struct pk_types *t, const struct flow_value *v,
				    int64_t *offset);
/* Whether the pointer has an index in an array in its type, whose elements have the size of the
 * index's steps. *offset is the offset of its first element. */
bool pk_flow_value_indexes(struct pk_types *t, const struct flow_value *v, int64_t *offset);
/* Whether the pointer has an index that starts outside of its structure: into an array of such
 * structures, as pk_flow_value_place() assumes, or into another structure, if this one is a member
 * of it.
 */
bool pk_flow_value_is_beside(struct pk_types *t, const struct flow_value *v);
/* Whether the index starts at most 3 elements away from the pointer, as in a[i - 1]. */
bool pk_flow_value_is_near(const struct flow_value *v);
/* Whether the types are the same: also from different units, by name and size. */
bool pk_flow_value_same_type(struct pk_types *t, pk_type_id a, pk_type_id b);
/* Whether both offsets are in one array that is a member of the type (or of a member). */
bool pk_flow_value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b);
/* Whether a variable of that type can be accessed with an index: an array, a structure, a union. */
bool pk_flow_value_has_elements(struct pk_types *t, pk_type_id type);
/* Finds the variable at the address v. *pointer points to the place in it. Returns false if there
 * is none. */
bool pk_flow_value_global(struct pk_types *t, const struct flow_value *v, struct pk_global *global,
			  struct flow_value *pointer);

/* ---- States: the values before an instruction ---- */

#define STATE_REGISTERS 32
#define STATE_SLOTS	24

struct flow_word {
	int64_t at; /* CFA + at */
	struct flow_value value;
};

struct flow_state {
	struct flow_value regs[STATE_REGISTERS];
	struct flow_word slots[STATE_SLOTS]; /* values of words in the frame */
	uint8_t slot_count;
	bool reached;
};

void pk_flow_state_store(struct flow_state *s, int64_t at, unsigned size,
			 const struct flow_value *value, unsigned word);
/* The value of the word at CFA + at. Returns NULL if it is unknown. */
const struct flow_value *pk_flow_state_load(const struct flow_state *s, int64_t at);
/* Merges the state `from` into `to`. Returns whether `to` has changed. */
bool pk_flow_state_merge(struct pk_types *t, struct flow_state *to, const struct flow_state *from);

#endif
