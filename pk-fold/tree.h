/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_TREE_H
#define PK_FOLD_TREE_H

#include <stdint.h>
#include <stdio.h>

#include "pkstream.h"

/*
 * The folded stacks of everything read: a prefix tree of names, with weights where a stack ends:
 * one, or two of what is compared.
 */
struct tree;

#define TREE_COLUMNS 2

/* columns: how many weights are printed. NULL: out of memory. */
struct tree *tree_new(unsigned int columns);
void tree_free(struct tree *tree);
/* The number of a name, for tree_child; 0: out of memory. */
uint32_t tree_name(struct tree *tree, const char *name, size_t size);
/* The node for a name below parent (0: at the root); 0: out of memory. Nodes are never forgotten.
 */
uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t name);
/* The same by the name's text. */
uint32_t tree_node(struct tree *tree, uint32_t parent, const char *name, size_t size);
/* False: out of memory. */
bool tree_add(struct tree *tree, uint32_t node, unsigned int column, uint64_t weight);
/*
 * One line for each node that has a weight, its stack and the weights, in the byte order of the
 * stacks, or by_weight: the heaviest (of the last column) first. *cut: lines that were too
 * long, and have "[...]" in place of frames in their middle. False: out of memory.
 */
bool tree_print(const struct tree *tree, FILE *file, bool by_weight, uint64_t *cut);

#endif
