/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INCLUSIVE_H
#define PK_INCLUSIVE_H

/* Weights of rows that include the weights of callees. A row gets the weight of each sample that
 * has a frame with the values of the row. If several frames of a sample have these values, the
 * weight is added only once. */

#include "allowance.h"
#include "rows.h"
#include "tally.h"

/* The weights of rows with callees, as the comment above describes them. */
struct pk_inclusive {
	uint64_t *weights; /* weight of each row, by number of the row */
	size_t count;
	uint64_t shortened; /* number of stacks that were counted only for their innermost frames */
	/* The following members are private. */
	struct pk_allowance allowance; /* limits the cost of the stacks */
	struct pk_tally tally;	       /* the weights by group and stack */
	/* These arrays are kept for the next pk_inclusive_gather(). Otherwise the time of each call
	 * would be proportional to the number of all stacks and rows. */
	uint32_t *node_of; /* by index of the stack: the index of a node that may have this stack */
	size_t node_of_count;
	uint32_t *open; /* by row: number of frames with this row on the path to the visited node */
	size_t open_count;
};

/* Adds the weight of a sample with this group and stack. stack is PK_NO_STACK if the sample has no
 * stack. */
PK_MUST_CHECK enum pk_status pk_inclusive_add(struct pk_inclusive *inclusive, uint32_t group,
					      uint32_t stack, uint64_t weight);
/* Adds all weights since the last call to the rows of their frames. bytes is the size of the input
 * so far. Call this function before the groups or the stacks become invalid. */
PK_MUST_CHECK enum pk_status pk_inclusive_gather(struct pk_inclusive *inclusive,
						 struct pk_rows *rows,
						 const struct pk_groups *groups, uint64_t bytes);
/* Changes the numbers of the rows. See pk_renumber() for `to` and `count`. */
void pk_inclusive_renumber(struct pk_inclusive *inclusive, const uint32_t *to, uint32_t count);
/* Removes all weights. */
void pk_inclusive_clear(struct pk_inclusive *inclusive);
void pk_inclusive_free(struct pk_inclusive *inclusive);

#endif
