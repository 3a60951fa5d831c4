/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TYPING_H
#define PK_TYPING_H

/* The data types of the memory that the instructions of a function access. */

#include "flow.h"
#include "function_code.h"
#include "table.h"

/* What functions of the same object share. All zero: nothing yet. */
struct pk_typing {
	struct pk_table objects; /* struct flow_object by address of struct pk_object */
};

void pk_typing_free(struct pk_typing *typing);

struct pk_function_types {
	const struct pk_function_code *code;
	struct pk_types *types; /* NULL: there are none */
	struct flow *flow;
	uint64_t address; /* of its first byte, for the types */
};

/* Of a function that has rows; code must stay as long as f. False: out of memory. To be freed in
 * any case. */
bool pk_function_types_read(struct pk_function_types *f, struct pk_typing *typing,
			    const struct pk_function_code *code);
void pk_function_types_free(struct pk_function_types *f);

/* What the instruction of a row accesses; NULL: nothing. Of two, that whose type is known. */
const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row);
/* The same for a sample at the row: processors run a comparison and the branch after it as one
 * instruction, which is sampled as the branch. */
const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row);

/* An access in words. */
struct pk_access_type {
	const char *type; /* "" where it is not known: see reason */
	uint64_t type_size;
	char member[256];     /* "a.b[0].c"; "": all of it */
	uint64_t start, size; /* of the member, in the type */
	const char *reason;   /* a constant */
};

/* merge: structures have their own name, not that of a typedef. */
void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed);

#endif
