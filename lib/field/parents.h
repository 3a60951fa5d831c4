/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PARENTS_H
#define PK_PARENTS_H

/* The field "parent": the name of the outermost frame of the stack that matches a glob, or
 * "[other]". It is not in the table of fields because it depends on an option. */

#include "field.h"

/* A context with this field refers to it (pk_context.parents). All zero but `pattern` is valid. */
struct pk_parents {
	const char *pattern; /* set by the program */
	/* Private: */
	uint32_t *names;	  /* ids of strings by index of the stack; 0: no frame matches */
	size_t count, capacity;	  /* of names */
	struct pk_table verdicts; /* 1: does not match, 2: matches; by id of the name */
	uint64_t epoch;
};

extern const struct pk_field pk_parent_field;

void pk_parents_free(struct pk_parents *parents);

#endif
