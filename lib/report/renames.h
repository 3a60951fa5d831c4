/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RENAMES_H
#define PK_RENAMES_H

/* Functions that have another name on the two sides of a comparison. A function of the base and a
 * function of the new side are the same if each of them exists on one side only, and if they have
 * the same callers and callees. Functions are numbers from 1 on, which the caller chooses. */

#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* The calls of both sides. If all members are zero, there are none. Side 0 is the base. */
struct renames {
	struct pk_table calls[2];     /* by caller << 32 | callee: the weight; the caller of the
				       * outermost function is 0 */
	struct pk_table functions[2]; /* by function: the weight of the stacks with it */
	double totals[2];	      /* the weights of all stacks */
};

/* Two functions that are the same. */
struct rename {
	uint32_t from, to;
	double callers, callees; /* the parts of the weights that have the same callers, and the
				  * same callees */
};

/* Adds a stack. The innermost function is the first one. */
PK_MUST_CHECK enum pk_status pk_renames_add(struct renames *renames, unsigned int side,
					    const uint32_t *stack, size_t count, uint64_t weight);
/* Finds all functions that are the same. The caller frees *found. */
PK_MUST_CHECK enum pk_status pk_renames_find(const struct renames *renames, struct rename **found,
					     size_t *count);
void pk_renames_free(struct renames *renames);

#endif
