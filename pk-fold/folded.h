/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_FOLDED_H
#define PK_FOLD_FOLDED_H

#include <stdbool.h>
#include <stdio.h>

#include "tree.h"

/* Folded stacks as text: "outermost;...;innermost WEIGHT", one on a line. */

/* Is this file folded stacks as text, by its first line? False, too, if it cannot be read again
 * from its beginning. */
bool folded_is(const char *path);
/* Adds the lines of such a file to a column of the tree. The exit status, after a message. */
int folded_read(struct pk_tree *tree, unsigned int column, const char *path);

struct folded_options {
	unsigned int columns; /* weights of a line */
	bool by_weight;	      /* the heaviest (of the last column) first; else by the bytes */
};

/* One line for each node that has a weight. *cut: lines that were too long, and have "[...]" in
 * place of frames in their middle. False: out of memory. */
bool folded_print(const struct pk_tree *tree, FILE *file, const struct folded_options *options,
		  uint64_t *cut);

#endif
