/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TREE_H
#define PK_TREE_H

/* A prefix tree of names with weights. It contains stacks, which start with the outermost or with
 * the innermost frame. Nodes have numbers. Node 0 is the parent of all roots. The number of a node
 * is greater than the number of its parent. */

#include "pkutil.h"
#include "texts.h"

#define PK_TREE_COLUMNS 2 /* each node has two weights, to compare two profiles */

/* A prefix tree of names, as the comment above describes it. */
struct pk_tree {
	struct pk_texts names;
	struct pk_tree_node {
		uint32_t parent, name;
		uint32_t first, next; /* the first child and the next sibling; 0 if there is none */
		uint64_t self[PK_TREE_COLUMNS];
	} * nodes;
	size_t count, capacity;	  /* number of nodes, including node 0 */
	struct pk_table children; /* by parent and name: the child; the first child of each node is
				   * not in this table */
	/* By node: the weights of descendants that are missing in the tree. The array is empty if
	 * no descendants are missing. */
	struct pk_tree_rest {
		uint64_t weights[PK_TREE_COLUMNS];
	} * rests;
	size_t rests_count;
};

/* Returns NULL if memory is exhausted. */
struct pk_tree *pk_tree_new(void);
void pk_tree_free(struct pk_tree *tree);
/* Returns the number of a name, for pk_tree_child(). Returns 0 if memory is exhausted. */
uint32_t pk_tree_name(struct pk_tree *tree, const char *name, size_t size);
/* Returns the child of a node with this name. Adds the child if it does not exist. Returns 0 if
 * memory is exhausted. */
uint32_t pk_tree_child(struct pk_tree *tree, uint32_t parent, uint32_t name);
/* Like pk_tree_child(), but with the text of the name. */
uint32_t pk_tree_node(struct pk_tree *tree, uint32_t parent, const char *name, size_t size);
/* Adds a child, even if the node already has a child with that name. The numbers of siblings are in
 * the order of addition. Do not use this function and pk_tree_child() for the same tree. Returns 0
 * if memory is exhausted. */
uint32_t pk_tree_append(struct pk_tree *tree, uint32_t parent, const char *name, size_t size);
/* Adds a weight to a node. Sums that do not fit into 64 bits become UINT64_MAX. */
static inline void pk_tree_add(struct pk_tree *tree, uint32_t node, unsigned int column,
			       uint64_t weight)
{
	pk_add_saturating(&tree->nodes[node].self[column], weight);
}

/* Adds a weight of descendants that are missing in the tree. */
PK_MUST_CHECK enum pk_status pk_tree_add_rest(struct pk_tree *tree, uint32_t node,
					      unsigned int column, uint64_t weight);
static inline uint64_t pk_tree_rest(const struct pk_tree *tree, uint32_t node, unsigned int column)
{
	return node < tree->rests_count ? tree->rests[node].weights[column] : 0;
}

static inline const char *pk_tree_text(const struct pk_tree *tree, uint32_t node, size_t *size)
{
	return pk_texts_get(&tree->names, tree->nodes[node].name, size);
}

/* Returns the sum of all weights, including those of missing nodes. */
double pk_tree_sum(const struct pk_tree *tree, unsigned int column);
/* Adds weights to `totals`, an array with a number for each node. To the number of a node, adds its
 * weight, the weight of its missing descendants, and the numbers of its children. */
void pk_tree_sum_up(const struct pk_tree *tree, unsigned int column, uint64_t *totals);
/* Returns an array with the weight of each node and all its descendants, by number of the node. The
 * caller frees the array. Returns NULL if memory is exhausted. */
uint64_t *pk_tree_totals(const struct pk_tree *tree, unsigned int column);

#endif
