/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of a register or of a word on the stack. It can be a type, a pointer, an address or a
 * number. */
#ifndef FLOW_VALUE_H
#define FLOW_VALUE_H

#include "flow.h"

/* What is known about a value. */
enum value_kind {
	VALUE_UNREACHED, /* no path has reached this place yet; any other value replaces it */
	VALUE_UNKNOWN,	 /* `lost` is the reason why it is unknown */
	VALUE_TYPE,	 /* a value of `type`, which is not a pointer */
	VALUE_POINTER,	 /* the address of a value of `type`, plus `offset` */
	VALUE_CFA,	 /* the canonical frame address plus `offset` */
	VALUE_STACK,	 /* An unknown address in the function's own frame. It comes from a stack
			  * pointer that was aligned. */
	VALUE_ADDRESS,	 /* `offset` is an address in the object */
	VALUE_CONSTANT,	 /* `offset` is the number */
	VALUE_NUMBER, /* `offset` plus a multiple of `stride`; `lost` is the reason why it is not a
		       * pointer */
	VALUE_CANARY, /* the stack guard */
};

/* What is known about the value of a register or of a word on the stack. */
struct flow_value {
	uint8_t kind;
	uint8_t lost;	 /* enum flow_reason: the reason why the value is unknown */
	uint32_t stride; /* an unknown multiple of `stride` was added to the value; 0 if nothing was
			  * added */
	pk_type_id type;
	int64_t offset;
};

/* Offsets come from code and debugging information, and can have any value. So sums wrap around. */
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
/* Returns a value of this type. It is a VALUE_POINTER if the type is a pointer or a reference, and
 * otherwise a VALUE_TYPE. If the type is unknown, it is VALUE_UNKNOWN. */
struct flow_value pk_flow_value_of_type(struct pk_types *t, pk_type_id type);
/* Returns the value of the `size` bytes to which the pointer points. */
struct flow_value pk_flow_value_loaded(struct pk_types *t, const struct flow_value *pointer,
				       uint64_t size);
struct flow_value pk_flow_value_add(const struct flow_value *a, const struct flow_value *b,
				    unsigned scale);
struct flow_value pk_flow_value_subtract(const struct flow_value *a, const struct flow_value *b);
struct flow_value pk_flow_value_multiply(const struct flow_value *v, uint64_t by);
/* Returns the value at a place where two paths meet, which have the values a and b. Sets *changed
 * if the result differs from a. */
struct flow_value pk_flow_value_merge(struct pk_types *t, const struct flow_value *a,
				      const struct flow_value *b, bool *changed);
/* Returns true if the value is a pointer to a known type. The type is not void, and the object
 * defines it. */
bool pk_flow_value_is_typed(struct pk_types *t, const struct flow_value *v);

/* Returns FLOW_TYPE if the pointer's offset is in its type, or in an array of its type. Otherwise
 * returns FLOW_NOT. Sets *offset to the offset in the type. */
enum flow_found pk_flow_value_place(struct pk_types *t, const struct flow_value *v,
				    int64_t *offset);
/* Returns true if the pointer's stride is an index in an array in its type. The elements of the
 * array have the size of a step of the index. Sets *offset to the offset of the first element. */
bool pk_flow_value_indexes(struct pk_types *t, const struct flow_value *v, int64_t *offset);
/* Returns true if the pointer is beside its structure: it has an index that starts outside of the
 * structure. Such a pointer can point into an array of such structures, as pk_flow_value_place()
 * assumes. It can also point into another structure of which this structure is a member. */
bool pk_flow_value_is_beside(struct pk_types *t, const struct flow_value *v);
/* Returns true if the index starts at most 3 elements away from the pointer, as in a[i - 1]. */
bool pk_flow_value_is_near(const struct flow_value *v);
/* Returns true if the types are the same. Types of different units are the same if they have the
 * same name and size. */
bool pk_flow_value_same_type(struct pk_types *t, pk_type_id a, pk_type_id b);
/* Returns true if both offsets are in the same array. The array is a member of the type, or a
 * member of a member. */
bool pk_flow_value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b);
/* Returns true if code can access a variable of this type with an index. The type is then an array,
 * a structure or a union. */
bool pk_flow_value_has_elements(struct pk_types *t, pk_type_id type);
/* Finds the variable at the address v. Sets *pointer to the place in the variable. Returns false if
 * there is no variable. */
bool pk_flow_value_global(struct pk_types *t, const struct flow_value *v, struct pk_global *global,
			  struct flow_value *pointer);

/* ---- States: all known values before an instruction ---- */

#define STATE_REGISTERS 32
#define STATE_SLOTS	24

/* A word on the stack, and its value. */
struct flow_word {
	int64_t at; /* The address of the word is CFA + at. */
	struct flow_value value;
};

/* All known values at one point of the function. */
struct flow_state {
	struct flow_value regs[STATE_REGISTERS];
	struct flow_word slots[STATE_SLOTS]; /* the values of words in the function's frame */
	uint8_t slot_count;
	bool reached;
};

void pk_flow_state_store(struct flow_state *s, int64_t at, unsigned size,
			 const struct flow_value *value, unsigned word);
/* Returns the value of the word at CFA + at, or NULL if it is unknown. */
const struct flow_value *pk_flow_state_load(const struct flow_state *s, int64_t at);
/* Merges the state `from` into `to`. Returns true if `to` has changed. */
bool pk_flow_state_merge(struct pk_types *t, struct flow_state *to, const struct flow_state *from);

#endif
