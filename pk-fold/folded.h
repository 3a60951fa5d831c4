/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_FOLDED_H
#define PK_FOLD_FOLDED_H

#include "tree.h"

/* Is this file folded stacks as text, by its first line? False, too, if it cannot be read again
 * from its beginning. */
bool folded_is(const char *path);
/* Adds the lines of such a file to a column of the tree. The exit status, after a message. */
int folded_read(struct tree *tree, unsigned int column, const char *path);

#endif
