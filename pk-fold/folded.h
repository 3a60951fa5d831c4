/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_FOLDED_H
#define PK_FOLD_FOLDED_H

#include <stdbool.h>
#include <stdio.h>

#include "tree.h"

/* Folded stacks as text: "outermost;...;innermost WEIGHT", one on each line. */

/* True if the file is folded text, judged by its first line, or is empty. False also if it is not a
 * regular file, or cannot be read. */
bool folded_is(const char *path);
/* Adds the lines of such a file to a column of the tree. Returns the exit status; errors are
 * printed. */
int folded_read(struct pk_tree *tree, unsigned int column, const char *path);

struct folded_options {
	unsigned int columns; /* number of weights in a line */
	bool by_weight;	      /* sort by weight (of the last column), heaviest first; else by
			       * bytes */
};

/* Prints a line for each node with a weight. *cut: the number of lines that were too long, and have
 * "[...]" for frames in their middle. False: out of memory. */
bool folded_print(const struct pk_tree *tree, FILE *file, const struct folded_options *options,
		  uint64_t *cut);

#endif
