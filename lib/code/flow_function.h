/* SPDX-License-Identifier: BSD-2-Clause */
/* The function that is followed: shared by flow.c (its instructions, blocks and variables, and the
 * ways through them), flow_step.c (what an instruction does) and flow_container.c (structures
 * around structures). */
#ifndef FLOW_FUNCTION_H
#define FLOW_FUNCTION_H

#include "flow_value.h"

struct variable_list {
	struct pk_variable *items;
	size_t count, capacity;
};

struct variables {
	struct variable_list registers; /* in registers, by low */
	struct variable_list frame; /* in memory at CFA + offset, by offset; the largest first */
	struct variable_list based; /* at register + offset */
};

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

struct type_list {
	const pk_type_id *items;
	size_t count;
};

/* An access by a pointer to a structure that leads outside of it. */
struct outside {
	pk_type_id type;
	int64_t offset;
	uint64_t size;
};

/* Structures around those of a type: what is at offset in the outer one. */
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
	struct insn *insns; /* by address */
	size_t insn_count, insn_room;
	struct block *blocks;
	size_t block_count;
	uint32_t *active;
	size_t active_count, active_room;
	struct variables variables;
	struct type_list mentioned; /* structures that the function has to do with */
	struct outside *outside;    /* OUTSIDE_MAX; NULL: they are known, or not to be found */
	size_t outside_count;
	struct embedding embeddings[EMBEDDINGS_MAX];
	size_t embedding_count;
	struct flow_access *accesses; /* by address */
	size_t access_count, access_room;
	struct state anywhere; /* merged, where jumps to who knows where are made */
	unsigned anywhere_changes;
	bool has_function; /* there is debugging information of it */
	bool too_large;
	bool recording; /* accesses are noted */
	bool failed;	/* out of memory */
};

/* ---- flow_step.c ---- */

/* What an instruction does to a state; notes accesses if f->recording. */
void flow_step(struct flow *f, const struct insn *insn, struct state *s);
/* Does what is called never come back? */
bool flow_never_returns(const struct flow *f, const struct insn *insn);

/* ---- flow_container.c ---- */

/* Reads f->mentioned. False: out of memory. */
bool containers_read(struct flow *f, uint64_t address);
/* The pointer leads outside of its structure, to size bytes: a pointer into the one structure that
 * contains that structure and has a member there (container_of). False: there is none, or there are
 * several. */
bool value_in_container(const struct flow *f, const struct value *pointer, uint64_t size,
			struct value *container);
/* Notes that there was none. */
void containers_lack(struct flow *f, const struct value *pointer, uint64_t size);
/* From what was noted: finds f->embeddings. False: there are none. */
bool containers_find(struct flow *f, uint64_t address);

/* ---- flow.c ---- */

/* The variable that is at register + displacement. */
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

#endif
