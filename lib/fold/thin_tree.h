/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_THIN_TREE_H
#define PK_THIN_TREE_H

/* A tree of folded stacks for readers that need only frames with at least a given share of all
 * weights, such as the frames that are wide enough to be drawn. Two rules limit its memory and
 * time:
 *
 *   - If a stack continues with frames below a node that no other stack has reached, these
 *     frames are stored as text, called a tail. They become nodes when another stack needs them.
 *   - When there are too many nodes or tails, all nodes and tails with less than a tenth of the
 *     share are dropped. Their weight is added to the node above them, as the weight of missing
 *     descendants. If the same stack occurs again later, its new nodes lack the dropped weight.
 *     The lacking weight is never more than a tenth of the share of all weights, as in lossy
 *     counting (Manku and Motwani 2002). The weights of the nodes above them are exact. */

#include "buffer.h"
#include "tree.h"

/* The end of a stack, which is stored as text. */
struct thin_tail {
	uint64_t weights[PK_TREE_COLUMNS];
	size_t at; /* offset in thin_tree.text */
	uint32_t size;
	uint32_t node; /* the node below which this tail continues; 0 if the tail is not used any
			* more */
};

/* A tree of nodes and tails, as the comment above describes it. */
struct thin_tree {
	/* The caller sets the following members. */
	struct pk_tree *tree; /* the tree with the nodes; the caller passes an empty tree */
	double share; /* The share of the sum of all weights that a frame must have to be certainly
		       * in the tree, from 0 to 1. If it is 0, no nodes are dropped. */
	unsigned int column; /* which column of the weights is compared with the share */
	/* Nodes are dropped when the tree has more nodes, or its tails more bytes, than these
	 * limits. The limits grow if the remaining nodes need it. 0 stands for THIN_NODES and
	 * THIN_BYTES. */
	size_t nodes_most, bytes_most;

	uint64_t dropped; /* The number of frames that are missing in the tree. A frame that was
			   * dropped several times is counted each time. */

	/* The following members are private. */
	double sum;
	struct thin_tails {
		struct thin_tail *items;
		size_t count, capacity;
	} tails;
	struct buffer text;
	uint32_t *of_node; /* The index is the number of a node. The value is the index of the
			    * node's tail in `tails` plus 1, or 0 if the node has no tail. */
	size_t of_node_count;
	/* The weights that nodes can lack because they were dropped before. Each item applies to
	 * the nodes with the number `node` or a higher number, until the next item. */
	struct thin_lack {
		uint32_t node;
		double weight;
	} * lacks;
	size_t lacks_count, lacks_capacity;
	struct buffer name; /* memory for a name in which harmful bytes were replaced */
};

#define THIN_NODES ((size_t)1 << 20)
#define THIN_BYTES ((size_t)64 << 20)

/* Moves from a node to its child for the first frame of the stack. Adds the child if it does not
 * exist. If the node has a tail, the first frame of the tail first becomes a node. Sets *ended to
 * true if nothing more must be done: either the stack is equal to the tail, or the other frames of
 * the stack were stored as the tail of the new child. In both cases, the weights were added to the
 * tail. Returns 0 if memory is exhausted. */
uint32_t pk_thin_tree_step(struct thin_tree *thin, uint32_t node, const char *stack, size_t size,
			   const uint64_t *weights, bool *ended);
/* Adds the weights of a stack to the sum to which the share refers. If the tree is too large, drops
 * nodes and tails. The nodes that are not dropped then get other numbers, and *changed is set to
 * true. */
PK_MUST_CHECK enum pk_status pk_thin_tree_count(struct thin_tree *thin, const uint64_t *weights,
						bool *changed);
/* Turns the tails that have at least the share into nodes, and drops the other tails. If share is
 * 0, turns all tails into nodes. */
PK_MUST_CHECK enum pk_status pk_thin_tree_finish(struct thin_tree *thin, double share);
void pk_thin_tree_free(struct thin_tree *thin);

#endif
