/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLDED_LINES_H
#define PK_FOLDED_LINES_H

/* Prints folded stacks as text. Each line has one stack and its weight: "outermost;...;innermost
 * WEIGHT". */

#include <stdbool.h>
#include <stdio.h>

#include "allowance.h"
#include "tree.h"

/* How stacks are printed. */
struct folded_options {
	unsigned int columns; /* number of weights that are printed in each line */
	bool by_weight; /* If it is true, lines are sorted by the weight of the last column, the
			 * heaviest line first. Otherwise, they are sorted by their bytes. */
	struct pk_allowance *allowance; /* limits the time and space for printing lines; NULL if
					 * there is no limit */
};

/* Prints a line for each node that has a weight. *cut is set to the number of lines that were too
 * long. In these lines, "[...]" replaces the frames in the middle. */
PK_MUST_CHECK enum pk_status folded_print(const struct pk_tree *tree, FILE *file,
					  const struct folded_options *options, uint64_t *cut);

#endif
