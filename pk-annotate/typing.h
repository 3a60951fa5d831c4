/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPING_H
#define PK_ANNOTATE_TYPING_H

/* What memory the instructions of a function access, one function after the other. */

#include "flow.h"
#include "function.h"

struct typing;

/* NULL: out of memory. */
struct typing *typing_new(void);
void typing_free(struct typing *t);

/* The function, whose code there is, that the next calls are about; it must stay for them. False:
 * out of memory. */
bool typing_begin(struct typing *t, const struct function *f);
/* What the instruction of a row accesses; NULL: nothing. Of two, that whose type is known. */
const struct flow_access *typing_access(const struct typing *t, uint32_t row);
/* The same of what a sample at the row is of: processors run a comparison and the branch behind it
 * as one instruction, which is sampled as the branch. */
const struct flow_access *typing_sampled(const struct typing *t, uint32_t row);

/* An access in words. */
struct typed {
	const char *type; /* "" where it is not known: see reason */
	uint64_t type_size;
	char member[256];     /* "a.b[0].c"; "": all of it */
	uint64_t start, size; /* of the member, in the type */
	const char *reason;   /* a constant */
};

/* merge: structures have their own name, not that of a typedef. */
void typing_describe(struct typing *t, const struct flow_access *a, bool merge,
		     struct typed *typed);

#endif
