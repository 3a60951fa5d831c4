/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_UNFOLD_H
#define PK_FOLD_UNFOLD_H

#include "tree.h"

/*
 * Adds the weights of a dictionary's stacks to the tree, under the names that their frames have in
 * folded lines: weights[i] is that of the stack with the id base + 1 + i. addresses: unresolved
 * frames keep theirs. False: out of memory.
 */
bool unfold(struct tree *tree, const struct pk_dictionary *dictionary, const uint64_t *weights,
	    uint32_t count, bool addresses);

#endif
