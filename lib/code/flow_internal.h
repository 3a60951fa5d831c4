/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the following of values. */
#ifndef PK_FLOW_INTERNAL_H
#define PK_FLOW_INTERNAL_H

#include "flow.h"

/* ---- Values (flow_value.c) ---- */

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

/* flow_place.c: how far into its type a pointer leads, which is FLOW_TYPE; NOT: out of it. */
enum flow_found value_place(struct pk_types *t, const struct value *v, int64_t *offset);
/* Do both offsets lie in one array that is a member of the type (or of a member of it)? */
bool value_in_one_array(struct pk_types *t, pk_type_id type, int64_t a, int64_t b);
/* The variable at an address, and a pointer to where that leads. */
bool value_global(struct pk_types *t, const struct value *v, struct pk_global *global,
		  struct value *pointer);

/* ---- States: what is known before an instruction (flow_state.c) ---- */

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

/* ---- Variables (flow_variables.c) ---- */

struct variables {
	struct pk_variable *registers; /* in registers, by low */
	size_t register_count;
	struct pk_variable *frame; /* in memory at CFA + offset, by offset; the largest first */
	size_t frame_count;
	struct pk_variable *based; /* at register + offset */
	size_t based_count;
};

/* ---- The function ---- */

struct block {
	uint32_t first, end;	       /* instructions */
	uint32_t next, target;	       /* blocks; UINT32_MAX: none */
	uint32_t first_variable;       /* of registers: the first one that begins in the block */
	uint32_t active, active_count; /* indexes of those that go on from before */
	bool jumps_anywhere;	       /* ends with a jump to who knows where */
	bool has_before;	       /* there is a way here that is known */
	bool waiting;
	bool settled; /* whatever else comes here does not count */
	uint8_t visits;
	struct state *in;
};

struct flow {
	struct flow_options options;
	struct pk_types *types;
	const struct insn_machine *machine;
	struct insn *insns; /* by address */
	size_t insn_count, insn_room;
	struct block *blocks;
	size_t block_count;
	uint32_t *active;
	size_t active_count, active_room;
	struct variables variables;
	struct flow_access *accesses; /* by address */
	size_t access_count, access_room;
	struct state anywhere; /* merged, where jumps to who knows where are made */
	unsigned anywhere_changes;
	bool has_function; /* there is debugging information of it */
	bool too_large;
	bool recording; /* accesses are noted */
	bool failed;	/* out of memory */
};

/* flow_blocks.c: decodes, and splits into blocks. False: out of memory. */
bool flow_decode(struct flow *f, const struct flow_piece *pieces, size_t count);
bool flow_split(struct flow *f);
/* The instruction at an address; UINT32_MAX: none begins there. */
uint32_t flow_insn_at(const struct flow *f, uint64_t address);

/* flow_variables.c */
bool variables_read(struct flow *f, const struct flow_piece *pieces, size_t count);
void variables_free(struct variables *v);
/* Which go on into each block. */
bool variables_spread(struct flow *f);
/* Puts what variables there are at the address into registers. */
void variables_apply(const struct flow *f, const struct block *b, uint32_t *next, uint64_t address,
		     struct state *s);
/* The variable that is at CFA + at, or (by a register) at reg + displacement. */
const struct pk_variable *variables_on_frame(const struct flow *f, const struct state *s,
					     uint64_t address, int64_t at);
const struct pk_variable *variables_based(const struct flow *f, uint64_t address, unsigned reg,
					  int64_t displacement);

/* Another variable that is known to be in the register, whose type does have something at the
 * displacement: a cast, or what the one that was found is a member of. */
bool variables_other(const struct flow *f, uint64_t address, unsigned reg, int64_t displacement,
		     struct value *pointer);
/* The variable on the frame, and a pointer into it. */
const struct pk_variable *value_on_frame(const struct flow *f, const struct state *s,
					 uint64_t address, const struct value *v,
					 struct value *pointer);

/* flow_step.c: what an instruction does to a state; notes accesses if f->recording. */
void flow_step(struct flow *f, const struct insn *insn, struct state *s);

/* flow_access.c: the address of a memory operand, and what is there. */
struct value flow_address(const struct flow *f, const struct insn *insn,
			  const struct insn_operand *o, const struct state *s);
struct value flow_immediate(const struct flow *f, int64_t number);
struct value flow_load(const struct flow *f, const struct insn *insn, const struct insn_operand *o,
		       const struct state *s);
void flow_note(struct flow *f, const struct insn *insn, const struct insn_operand *o,
	       const struct state *s);
/* What the function that is called returns. */
struct value flow_result(const struct flow *f, const struct insn *insn, const struct state *s);
/* Does what is called never come back? */
bool flow_never_returns(const struct flow *f, const struct insn *insn);

#endif
