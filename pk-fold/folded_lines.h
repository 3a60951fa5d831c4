/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLDED_LINES_H
#define PK_FOLDED_LINES_H

/* Prints folded stacks as text. Each line has one stack and its weight: "outermost;...;innermost
 * WEIGHT". */

#include <stdbool.h>
#include <stdio.h>

#include "allowance.h"
#include "tree.h"

struct folded_options {
	unsigned int columns; /* number of weights in a line */
	bool by_weight; /* sort by the weight of the last column, the heaviest line first; otherwise
			 * sort by bytes */
	struct pk_allowance *allowance; /* limits the cost of lines; can be NULL */
};

/* Prints a line for each node that has a weight. *cut is set to the number of lines that were too
 * long. In these lines, "[...]" replaces the frames in the middle. */
PK_MUST_CHECK enum pk_status folded_print(const struct pk_tree *tree, FILE *file,
					  const struct folded_options *options, uint64_t *cut);

#endif
