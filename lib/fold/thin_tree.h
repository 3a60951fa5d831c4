/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_THIN_TREE_H
#define PK_THIN_TREE_H

/* A tree of folded stacks for readers who need only frames with a given share of all weights, such
 * as those that are wide enough to be drawn. Two rules keep its memory and time small:
 *
 * - The end of a stack that no other stack has stays text, a tail, until another stack needs nodes
 *   of it.
 * - When there are many nodes or tails, those with less than a tenth of the share are dropped, and
 *   their weight is added to the `rest` of the node above them. If the same stack occurs again
 *   later, its nodes lack what was dropped: never more than a tenth of the share of all weights, as
 *   in lossy counting (Manku and Motwani 2002). The weights of the nodes above them are exact. */

#include "buffer.h"
#include "tree.h"

struct thin_tail {
	uint64_t weights[PK_TREE_COLUMNS];
	size_t at; /* in text */
	uint32_t size;
	uint32_t node; /* the node above it; 0: none, unused */
};

struct thin_tree {
	/* Set by the caller. */
	struct pk_tree *tree; /* empty at first */
	double share;	      /* of the sum of all weights; 0: nodes are not dropped */
	unsigned int column;  /* of the weights that the share is of */
	/* Nodes and bytes beyond these are dropped. The limits grow if more is needed. 0 stands for
	 * THIN_NODES and THIN_BYTES. */
	size_t nodes_most, bytes_most;

	uint64_t dropped; /* the number of frames that are missing in the tree; frames that were
			   * dropped several times count each time */

	/* Private. */
	double sum;
	struct thin_tails {
		struct thin_tail *items;
		size_t count, capacity;
	} tails;
	struct buffer text;
	uint32_t *of_node; /* by node: its tail, from 1 on; 0: none */
	size_t of_node_count;
	/* What nodes can lack, because they are new since nodes were dropped: from `node` on. */
	struct thin_lack {
		uint32_t node;
		double weight;
	} * lacks;
	size_t lacks_count, lacks_capacity;
	struct buffer name; /* scratch: a name without harmful bytes */
};

#define THIN_NODES ((size_t)1 << 20)
#define THIN_BYTES ((size_t)64 << 20)

/* Goes from a node to its child for the first frame of the stack, and adds the child if it does not
 * exist. If the node has a tail, that first becomes nodes as far as needed. Sets *ended if nothing
 * is left to do: the stack is equal to a tail, or its other frames were stored as the tail of the
 * child. The weights are then added to that tail. Returns 0 if memory is exhausted. */
uint32_t pk_thin_tree_step(struct thin_tree *thin, uint32_t node, const char *stack, size_t size,
			   const uint64_t *weights, bool *ended);
/* Counts the weights of a stack for the share, and drops what is thin if there is too much. Then
 * numbers of nodes change: *changed. */
PK_MUST_CHECK enum pk_status pk_thin_tree_count(struct thin_tree *thin, const uint64_t *weights,
						bool *changed);
/* Makes nodes of the tails that have the share, and drops the others. With share 0, makes nodes of
 * all tails. */
PK_MUST_CHECK enum pk_status pk_thin_tree_finish(struct thin_tree *thin, double share);
void pk_thin_tree_free(struct thin_tree *thin);

#endif
