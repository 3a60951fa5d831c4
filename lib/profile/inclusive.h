/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INCLUSIVE_H
#define PK_INCLUSIVE_H

/* Weights of rows that include callees: a row gets the weight of each sample that has a frame with
 * the values of the row, once for each sample. */

#include "allowance.h"
#include "rows.h"
#include "tally.h"

struct pk_inclusive {
	uint64_t *weights; /* by row */
	size_t count;
	uint64_t shortened; /* number of stacks that count only for their innermost frames */
	/* Private: */
	struct pk_allowance allowance; /* what the stacks may cost */
	struct pk_tally tally;	       /* by group and stack */
	/* Kept for the next pk_inclusive_gather(), so that its time does not depend on the number
	 * of all stacks and rows: */
	uint32_t *node_of; /* by index of the stack: of the node that can have this stack */
	size_t node_of_count;
	uint32_t *open; /* by row: number of the frames on the path to the visited node */
	size_t open_count;
};

/* Adds the weight of a sample with this group and stack. Returns PK_NO_STACK if the sample has
 * none. */
PK_MUST_CHECK enum pk_status pk_inclusive_add(struct pk_inclusive *inclusive, uint32_t group,
					      uint32_t stack, uint64_t weight);
/* Adds all weights since the last call to the rows of their frames. Call it before the groups or
 * the stacks become invalid. */
PK_MUST_CHECK enum pk_status pk_inclusive_gather(struct pk_inclusive *inclusive,
						 struct pk_rows *rows,
						 const struct pk_groups *groups, uint64_t bytes);
/* Call it when the numbers of rows change, to: see pk_renumber(). */
void pk_inclusive_renumber(struct pk_inclusive *inclusive, const uint32_t *to, uint32_t count);
/* Forgets all weights. */
void pk_inclusive_clear(struct pk_inclusive *inclusive);
void pk_inclusive_free(struct pk_inclusive *inclusive);

#endif
