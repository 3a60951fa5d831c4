/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NODE_CHANGES_H
#define PK_NODE_CHANGES_H

/* Which nodes of a tree have changed between a base and other recordings. The first column of the
 * tree has the weights of the base. The weights in blocks of time are the differences between the
 * totals of the nodes at the ends of the blocks. So a sample costs nothing more. */

#include "difference.h"
#include "row_blocks.h"
#include "tree.h"

/* The state of a comparison. If all members are zero, there are no samples. */
struct node_changes {
	struct row_blocks blocks; /* a side is a column of the tree */
	uint64_t *before;	  /* by node and column: the total at the end of the last block */
	size_t before_count;
	double *samples; /* by node: the number of samples, estimated from their mean weight */
	size_t samples_count;
	/* The current block. */
	uint64_t start, end, width; /* times in ns; width is 0 before the first sample */
	unsigned int ended;	    /* number of blocks since the width was doubled */
	double block_samples, block_weight, block_squares;
	double side_samples[PK_TREE_COLUMNS];
};

/* Returns whether a sample of this time is not in the current block. The caller then adds the
 * weights of all samples to the tree, and calls pk_node_changes_end_block(). */
static inline bool node_changes_over(const struct node_changes *changes, uint64_t time)
{
	return changes->width && time >= changes->end;
}

/* Counts a sample in the current block. */
void pk_node_changes_count(struct node_changes *changes, uint64_t time, uint64_t weight);
PK_MUST_CHECK enum pk_status pk_node_changes_end_block(struct node_changes *changes,
						       const struct pk_tree *tree,
						       unsigned int column);
/* Ends the last block of a recording, and the recording. */
PK_MUST_CHECK enum pk_status pk_node_changes_end(struct node_changes *changes,
						 const struct pk_tree *tree, unsigned int column);

/* Samples of a node in a block of time, for callers that have such sums themselves. */
struct node_sum {
	size_t node;   /* node 0 has all samples */
	uint64_t time; /* in ns, in the block */
	uint64_t weight;
	double squares; /* sum of the squares of the weights of the samples */
	double samples; /* number of samples */
};

/* Adds a sum. After all sums of a recording, call pk_row_blocks_end() for `blocks`. */
PK_MUST_CHECK enum pk_status pk_node_changes_add(struct node_changes *changes, unsigned int column,
						 const struct node_sum *sum);
/* Compares nodes 0 to count - 1. The caller frees the array, which has an element for each node.
 * Returns NULL if memory is exhausted. */
struct difference *pk_node_changes_make(const struct node_changes *changes, size_t count);
void pk_node_changes_free(struct node_changes *changes);

#endif
