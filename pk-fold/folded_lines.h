/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLDED_LINES_H
#define PK_FOLDED_LINES_H

/* Prints folded stacks as text: "outermost;...;innermost WEIGHT", one on each line. */

#include <stdbool.h>
#include <stdio.h>

#include "allowance.h"
#include "tree.h"

struct folded_options {
	unsigned int columns; /* number of weights in a line */
	bool by_weight;	      /* sort by weight (of the last column), heaviest first; else by
			       * bytes */
	struct pk_allowance *allowance; /* what the lines may cost; NULL: anything */
};

/* Prints a line for each node with a weight. *cut is the number of lines that were too long, and
 * have "[...]" for frames in their middle. */
PK_MUST_CHECK enum pk_status folded_print(const struct pk_tree *tree, FILE *file,
					  const struct folded_options *options, uint64_t *cut);

#endif
