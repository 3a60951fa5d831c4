/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of the analysed function. These files use them: flow.c (instructions, blocks and paths),
 * flow_variables.c (variables), flow_step.c (the effect of an instruction) and flow_container.c
 * (structures that contain structures). */
#ifndef FLOW_FUNCTION_H
#define FLOW_FUNCTION_H

#include "flow_value.h"

struct variable_list {
	struct pk_variable *items;
	size_t count, capacity;
};

/* The variables of the function, by the kind of their location. */
struct variables {
	struct variable_list registers; /* variables in registers, or with the value register +
					 * offset; sorted by `low` */
	struct variable_list frame;	/* variables in memory at CFA + offset; sorted by offset */
	/* Variables in memory at register + offset; sorted by register and offset. */
	struct variable_list based;
};

/* Instructions that are executed one after another, without a jump from or to their middle. */
struct flow_block {
	uint32_t first, end; /* the range [first, end) of flow.insns */
	uint32_t next,
		target; /* The blocks that can follow: the next block in memory, and the target of
			 * the jump. Each is UINT32_MAX if there is no such block. */
	uint32_t first_variable; /* the index in variables.registers of the first variable that
				  * starts in the block */
	uint32_t active, active_count; /* The range of flow.active with the variables that started
					* before the block and are still valid. */
	bool jumps_anywhere; /* true if the block ends with a jump whose target is unknown */
	bool has_before;     /* true if a jump with a known target leads to the block, or if the
			      * previous block continues in it */
	bool waiting;
	/* True if the states of other blocks are not merged into this block any more. It protects
	 * blocks that a known path reaches from the states of blocks that no known path reaches. */
	bool settled;
	uint8_t visits;
	struct flow_state *in;
};

struct type_list {
	const pk_type_id *items;
	size_t count;
};

/* An access outside of a structure, through a pointer to the structure. */
struct outside {
	pk_type_id type;
	int64_t offset;
	uint64_t size;
};

/* An embedding: the outer structure contains the inner structure at `offset`. */
struct embedding {
	pk_type_id inner, outer;
	uint64_t offset;
};

#define OUTSIDE_MAX    256
#define EMBEDDINGS_MAX 16

/* A function that is analysed. */
struct flow {
	struct flow_options options;
	struct pk_types *types;
	const struct insn_machine *machine;
	struct insn *insns; /* sorted by address */
	size_t insn_count, insn_room;
	struct flow_block *blocks;
	size_t block_count;
	uint32_t *active;
	size_t active_count, active_room;
	struct variables variables;
	/* The structures that the function mentions (pk_types_mentioned()). */
	struct type_list mentioned;
	struct searches *searches; /* data that flow_container.c keeps for later searches */
	struct outside *outside;   /* The accesses outside of structures, which
				    * pk_flow_containers_lack() has noted. NULL if there are none. */
	size_t outside_count;
	struct embedding embeddings[EMBEDDINGS_MAX];
	size_t embedding_count;
	struct flow_access *accesses; /* sorted by address */
	size_t access_count, access_room;
	struct flow_state anywhere; /* the merged states at all jumps to unknown addresses */
	unsigned anywhere_changes;
	bool has_function; /* true if the function has debugging information */
	bool too_large;
	bool recording; /* true if pk_flow_step() shall store accesses in `accesses`, which is only
			 * useful when all states are final */
	bool failed;	/* true if memory was exhausted */
};

/* ---- flow_step.c ---- */

/* Applies an instruction to a state. If f->recording is true, also records its accesses. */
void pk_flow_step(struct flow *f, const struct insn *insn, struct flow_state *s);
/* Returns true if the call is to a function that never returns. This follows from the name of the
 * function: abort, exit ... */
bool pk_flow_never_returns(const struct flow *f, const struct insn *insn);

/* ---- flow_container.c ---- */

/* Sets f->mentioned for the function at this address. */
PK_MUST_CHECK enum pk_status pk_flow_containers_read(struct flow *f, uint64_t address);
void pk_flow_containers_free(struct flow *f);
/* Searches another structure (container_of) for an access of `size` bytes that is outside of the
 * pointer's structure. Call it also if pk_flow_value_is_beside() returns true. The other structure
 * must contain the pointer's structure, and have a member at the accessed place. If there is
 * exactly one such structure, sets *container to a pointer into it. Otherwise returns false. */
bool pk_flow_value_in_container(const struct flow *f, const struct flow_value *pointer,
				uint64_t size, struct flow_value *container);
/* Call it if pk_flow_value_is_beside() returns true. Returns true if the access of `size` bytes can
 * be to another structure that contains the pointer's structure. `address` is the address of the
 * instruction. */
bool pk_flow_value_is_doubtful(const struct flow *f, uint64_t address,
			       const struct flow_value *pointer, uint64_t size);
/* Notes an access in f->outside, because pk_flow_value_in_container() found no structure for it. */
void pk_flow_containers_lack(struct flow *f, const struct flow_value *pointer, uint64_t size);
/* Sets f->embeddings from the accesses in f->outside. Returns false if it found no embedding. */
bool pk_flow_containers_find(struct flow *f, uint64_t address);

/* ---- flow_variables.c ---- */

/* Sets f->variables and f->has_function. */
PK_MUST_CHECK enum pk_status pk_flow_variables_read(struct flow *f, const struct flow_piece *pieces,
						    size_t count);
void pk_flow_variables_free(struct variables *v);
/* Sets f->active to the variables of each block. */
PK_MUST_CHECK enum pk_status pk_flow_variables_spread(struct flow *f);
/* Applies the variables in registers that are valid at this address to a state. *next is the index
 * of the first variable that starts after the previous address. At the start of a block, it is
 * first_variable of the block. */
void pk_flow_variables_apply(const struct flow *f, const struct flow_block *b, uint32_t *next,
			     uint64_t address, struct flow_state *s);

/* Returns the variable in memory at register + displacement. `address` is the address of the
 * instruction. Returns NULL if there is no such variable. */
const struct pk_variable *pk_flow_variables_based(const struct flow *f, uint64_t address,
						  unsigned reg, int64_t displacement);
/* Finds another variable in the register. Its type must have a member at the distance from the
 * register's value, which can include an index. A register can have several variables, because of a
 * cast, or because one variable is a member of the other. Sets *pointer to the member. Returns
 * false if there is no such variable. */
bool pk_flow_variables_other(const struct flow *f, uint64_t address, unsigned reg,
			     const struct flow_value *distance, struct flow_value *pointer);
/* Returns the variable at CFA + offset, which is the value v. Sets *pointer to the place in the
 * variable. Returns NULL if there is no variable. */
const struct pk_variable *pk_flow_value_on_frame(const struct flow *f, const struct flow_state *s,
						 uint64_t address, const struct flow_value *v,
						 struct flow_value *pointer);

#endif
