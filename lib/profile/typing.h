/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TYPING_H
#define PK_TYPING_H

/* The data types of the memory that a function's instructions access. */

#include "flow.h"
#include "function_code.h"
#include "table.h"

/* The data shared by functions of one object. All zero: empty. */
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

/* For a function that has rows; code must live as long as f. False: out of memory. Must be freed in
 * any case. */
bool pk_function_types_read(struct pk_function_types *f, struct pk_typing *typing,
			    const struct pk_function_code *code);
void pk_function_types_free(struct pk_function_types *f);

/* The access of the instruction at a row; NULL: none. Of two, the one whose type is known. */
const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row);
/* The same for a sample at the row: processors fuse a comparison with the branch after it, and
 * report the branch. */
const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row);

/* The texts of an access. */
struct pk_access_type {
	const char *type; /* "": unknown, see reason */
	uint64_t type_size;
	char member[256];     /* "a.b[0].c"; "": the whole type */
	uint64_t start, size; /* of the member, in the type */
	const char *reason;   /* a constant */
};

/* merge: structures have their own name, not that of a typedef. */
void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed);

#endif
