/* SPDX-License-Identifier: BSD-2-Clause */
/* The analysed function: shared by flow.c (instructions, blocks and paths), flow_variables.c
 * (variables), flow_step.c (the effect of an instruction) and flow_container.c (structures that
 * contain structures). */
#ifndef FLOW_FUNCTION_H
#define FLOW_FUNCTION_H

#include "flow_value.h"

struct variable_list {
	struct pk_variable *items;
	size_t count, capacity;
};

struct variables {
	struct variable_list registers; /* in registers, or with the value register + offset;
					 * sorted by low */
	struct variable_list frame;	/* in memory at CFA + offset, sorted by offset */
	struct variable_list based;	/* at register + offset; sorted by register and offset */
};

struct flow_block {
	uint32_t first, end;   /* [first, end) of flow.insns */
	uint32_t next, target; /* the blocks that follow: the next one in memory, the target of the
				* jump; UINT32_MAX: none */
	uint32_t first_variable; /* index of the first one of variables.registers that starts in the
				  * block */
	uint32_t active, active_count; /* part of flow.active: variables that started before the
					* block, and are still valid */
	bool jumps_anywhere;	       /* ends with a jump to an unknown address */
	bool has_before;	       /* a known path leads here */
	bool waiting;
	bool settled; /* values from other blocks are ignored */
	uint8_t visits;
	struct flow_state *in;
};

struct type_list {
	const pk_type_id *items;
	size_t count;
};

/* An access outside of a structure, by a pointer to the structure. */
struct outside {
	pk_type_id type;
	int64_t offset;
	uint64_t size;
};

/* The outer structure contains the inner one at offset. */
struct embedding {
	pk_type_id inner, outer;
	uint64_t offset;
};

#define OUTSIDE_MAX    256
#define EMBEDDINGS_MAX 16

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
	struct type_list mentioned; /* structures that the function mentions */
	struct searches *searches;  /* of flow_container.c */
	struct outside *outside;    /* accesses noted by pk_flow_containers_lack(); NULL: none */
	size_t outside_count;
	struct embedding embeddings[EMBEDDINGS_MAX];
	size_t embedding_count;
	struct flow_access *accesses; /* sorted by address */
	size_t access_count, access_room;
	struct flow_state anywhere; /* merged states at jumps to unknown addresses */
	unsigned anywhere_changes;
	bool has_function; /* the function has debugging information */
	bool too_large;
	bool recording; /* accesses are recorded */
	bool failed;	/* out of memory */
};

/* ---- flow_step.c ---- */

/* Applies an instruction to a state, and records accesses if f->recording. */
void pk_flow_step(struct flow *f, const struct insn *insn, struct flow_state *s);
/* Whether a call is to a function that never returns, by its name: abort, exit ... */
bool pk_flow_never_returns(const struct flow *f, const struct insn *insn);

/* ---- flow_container.c ---- */

/* Sets f->mentioned for the function at address. */
PK_MUST_CHECK enum pk_status pk_flow_containers_read(struct flow *f, uint64_t address);
void pk_flow_containers_free(struct flow *f);
/* For an access of size bytes that is outside of the pointer's structure, or starts there
 * (pk_flow_value_is_beside()). Makes a pointer into the only structure that contains the pointer's
 * structure and has a member there (container_of). Returns false if there is no such structure, or
 * there are several. */
bool pk_flow_value_in_container(const struct flow *f, const struct flow_value *pointer,
				uint64_t size, struct flow_value *container);
/* Whether an access of size bytes that is beside the pointer's structure
 * (pk_flow_value_is_beside()) can be to another structure that contains it, for an instruction at
 * address. */
bool pk_flow_value_is_doubtful(const struct flow *f, uint64_t address,
			       const struct flow_value *pointer, uint64_t size);
/* Notes in f->outside an access for which pk_flow_value_in_container() found none. */
void pk_flow_containers_lack(struct flow *f, const struct flow_value *pointer, uint64_t size);
/* Sets f->embeddings from the accesses in f->outside. Returns false if none was found. */
bool pk_flow_containers_find(struct flow *f, uint64_t address);

/* ---- flow_variables.c ---- */

/* Sets f->variables and f->has_function. */
PK_MUST_CHECK enum pk_status pk_flow_variables_read(struct flow *f, const struct flow_piece *pieces,
						    size_t count);
void pk_flow_variables_free(struct variables *v);
/* Sets the variables of each block: f->active. */
PK_MUST_CHECK enum pk_status pk_flow_variables_spread(struct flow *f);
/* Applies the variables in registers that are valid at address to a state. *next is the first
 * variable after the previous address, at first that of the block. */
void pk_flow_variables_apply(const struct flow *f, const struct flow_block *b, uint32_t *next,
			     uint64_t address, struct flow_state *s);

/* The variable in memory at register + displacement, for an instruction at address. NULL: none. */
const struct pk_variable *pk_flow_variables_based(const struct flow *f, uint64_t address,
						  unsigned reg, int64_t displacement);
/* Finds another variable in the register whose type has a member at a distance from the register's
 * value, perhaps with an index. The register can have several variables, because of a cast or
 * because one is a member of the other. *pointer points to the member. Returns false if there is
 * none. */
bool pk_flow_variables_other(const struct flow *f, uint64_t address, unsigned reg,
			     const struct flow_value *distance, struct flow_value *pointer);
/* The variable at v, which is CFA + offset. *pointer points to the place in it. Returns NULL if
 * there is none. */
const struct pk_variable *pk_flow_value_on_frame(const struct flow *f, const struct flow_state *s,
						 uint64_t address, const struct flow_value *v,
						 struct flow_value *pointer);

#endif
