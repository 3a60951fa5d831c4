/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TYPING_H
#define PK_TYPING_H

/* The data types of the memory that a function's instructions access. */

#include "flow.h"
#include "function_code.h"
#include "table.h"

/* The data that the functions of an object share. All zero: empty. */
struct pk_typing {
	struct pk_table objects; /* struct flow_object by address of struct pk_object */
};

void pk_typing_free(struct pk_typing *typing);

struct pk_function_types {
	const struct pk_function_code *code;
	struct pk_types *types; /* NULL: none */
	struct flow *flow;
	uint64_t address; /* of its first byte, for the types */
};

/* Analyses a function that was read (code->reason is NULL). code must live as long as f. False: out
 * of memory. *f must be freed in any case. */
bool pk_function_types_read(struct pk_function_types *f, struct pk_typing *typing,
			    const struct pk_function_code *code);
void pk_function_types_free(struct pk_function_types *f);

/* The memory access of the instruction at a row; NULL: none. If it has several, the first one whose
 * type is known, else the first. */
const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row);
/* The same for a sample at the row. x86 processors fuse a comparison or arithmetic instruction with
 * the branch after it, and samples have the address of the branch: for such a branch, returns the
 * access of the instruction before it. */
const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row);

/* The texts of an access. */
struct pk_access_type {
	const char *type; /* "": unknown, see reason */
	uint64_t type_size;
	char member[256];     /* "a.b[0].c"; "": the whole type */
	uint64_t start, size; /* of the member, in the type */
	const char *reason;   /* the reason why the type is unknown; static */
};

/* merge: a struct or union gets its own name, not that of a typedef, so that all its accesses have
 * the same text. */
void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed);

#endif
