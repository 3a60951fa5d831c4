/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TREE_H
#define PK_TREE_H

/* A prefix tree of names with weights: stacks, from the outermost or from the innermost frame.
 * Nodes have numbers; 0 is the parent of all roots. A node's number is greater than its
 * parent's. */

#include "pkutil.h"
#include "texts.h"

#define PK_TREE_COLUMNS 2 /* each node has two weights, to compare two profiles */

struct pk_tree {
	struct pk_texts names;
	struct pk_tree_node {
		uint32_t parent, name;
		uint32_t first, next; /* its first child, its next sibling; 0: none */
		uint64_t self[PK_TREE_COLUMNS];
	} * nodes;
	size_t count, capacity;	  /* of nodes, including node 0 */
	struct pk_table children; /* by parent and name, without the first child of each node */
	/* By node, if there are any: weights of descendants that the tree has not. */
	struct pk_tree_rest {
		uint64_t weights[PK_TREE_COLUMNS];
	} * rests;
	size_t rests_count;
};

/* NULL: out of memory. */
struct pk_tree *pk_tree_new(void);
void pk_tree_free(struct pk_tree *tree);
/* The number of a name, for pk_tree_child(). Returns 0 if memory is exhausted. */
uint32_t pk_tree_name(struct pk_tree *tree, const char *name, size_t size);
/* The child of a node with that name, added if it does not exist. Returns 0 if memory is
 * exhausted. */
uint32_t pk_tree_child(struct pk_tree *tree, uint32_t parent, uint32_t name);
/* The same by the name's text. */
uint32_t pk_tree_node(struct pk_tree *tree, uint32_t parent, const char *name, size_t size);
/* Adds a child, also if there is one of that name. The siblings' numbers have the order of
 * addition. Do not mix it with pk_tree_child(). Returns 0 if memory is exhausted. */
uint32_t pk_tree_append(struct pk_tree *tree, uint32_t parent, const char *name, size_t size);
/* Sums that do not fit into 64 bits are UINT64_MAX. */
static inline void pk_tree_add(struct pk_tree *tree, uint32_t node, unsigned int column,
			       uint64_t weight)
{
	pk_add_saturating(&tree->nodes[node].self[column], weight);
}

/* Adds to the weight of descendants that the tree has not. */
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

/* The sum of all weights, also of missing nodes. */
double pk_tree_sum(const struct pk_tree *tree, unsigned int column);
/* Adds to the number of each node its weight, and the numbers and weights of its descendants, also
 * those of the missing ones. */
void pk_tree_sum_up(const struct pk_tree *tree, unsigned int column, uint64_t *totals);
/* The same from zeros, by the node's number. The caller frees the array. NULL: out of memory. */
uint64_t *pk_tree_totals(const struct pk_tree *tree, unsigned int column);

#endif
