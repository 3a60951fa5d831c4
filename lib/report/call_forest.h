/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_CALL_FOREST_H
#define PK_REPORT_CALL_FOREST_H

/*
 * The stacks of all samples, merged into one tree of frames. The tree of callers or callees of each
 * row of the table is made from it (call_tree.h). A struct of all zero bytes is an empty forest.
 * Column 0 of the trees contains weights, and column 1 contains numbers of samples.
 */

#include "allowance.h"
#include "rows.h"
#include "tally.h"
#include "tree.h"

/* The stacks of all samples as a tree, as the comment above describes it. */
struct forest {
	/* Set by the caller: */
	bool counts_needed; /* also fill column 1 */
	bool live;	    /* samples are also added after pk_forest_index() */
	/* Set by pk_forest_index(), for reading: */
	size_t vanished; /* number of nodes where neither the node nor a descendant has weight */
	/* Private: */
	struct pk_tally weights, counts; /* weights and numbers of the samples since the last
					    pk_forest_gather(), by group and stack */
	/* The children of node 0 are bases (rows.h). Their descendants are frames, from the
	 * outermost one to the leaf. The name of a frame's node is the number of the frame. */
	struct pk_tree *tree;
	struct pk_table frame_numbers; /* by row and name: the number of the frame that has this row
					* and name */
	struct forest_frame {
		uint32_t row, name; /* `name` is a number in tree->names */
	} * frames;		    /* by number of the frame */
	size_t frames_capacity;
	uint64_t cut;	    /* number of stacks for which the tree lacks some frames */
	uint64_t shortened; /* number of stacks that were cut because the allowance was spent */
	struct pk_allowance allowance; /* memory that the nodes may use */
	/* If `live` is set, these members are kept for the next pk_forest_gather(). Then the time
	 * of the next call does not depend on the number of all stacks. Entries of earlier passes
	 * are invalid. */
	uint32_t pass; /* Number of the current pass. A pass handles stacks of one base, in one call
			* of pk_forest_gather(). */
	struct forest_place {
		uint32_t node, depth, pass;
	} * places; /* the node of each stack, by index of the stack */
	struct forest_name {
		uint32_t number, pass;
	} * names; /* for each frame of the dictionary, the number of its name in tree->names, by
		    * index of the frame */
	size_t places_count, names_count;
	/* Set by pk_forest_index(). The arrays are indexed by node. pk_forest_gather() can add
	 * nodes later, which are not in these arrays: */
	size_t indexed;
	uint64_t *totals[PK_TREE_COLUMNS]; /* weights of a node and its callees */
	uint64_t *owns[PK_TREE_COLUMNS];   /* weights of a node and its callees, without the callees
					    * that have the same row as the node */
	uint32_t *outer; /* for each node, the nearest caller that has the same row, or 0 if there
			  * is none */
	/* `rank` is the position of the node when the tree is walked from callers to callees. The
	 * node and its descendants have the ranks from `rank` to `end` - 1. */
	struct forest_span {
		uint32_t rank, end;
	} * spans;
	/* The nodes of a row, sorted by rank, are nodes[starts[row]] to nodes[starts[row + 1] - 1].
	 */
	uint32_t *starts, *nodes;
	uint64_t *sums[PK_TREE_COLUMNS]; /* sums[i]: weights of the samples with leaf nodes[0] to
					  * nodes[i - 1] */
	size_t rows_count;
};

/* Adds a sample with this group and stack. A sample whose stack is PK_NO_STACK is ignored. */
PK_MUST_CHECK enum pk_status pk_forest_add(struct forest *forest, uint32_t group, uint32_t stack,
					   uint64_t weight);
/* Adds to the forest the stacks of all samples since the last call. Call it before the groups or
 * the stacks become invalid. `bytes` is the size of the input so far, for the allowance. */
PK_MUST_CHECK enum pk_status pk_forest_gather(struct forest *forest, struct pk_rows *rows,
					      const struct pk_groups *groups, uint64_t bytes);
/* Makes the index that the functions below need. Call it after pk_forest_gather(). */
PK_MUST_CHECK enum pk_status pk_forest_index(struct forest *forest, uint32_t rows_count);
/* Returns the number of columns that are filled. */
static inline unsigned int forest_columns(const struct forest *forest)
{
	return forest->counts_needed ? 2 : 1;
}

/* Returns the row of a node. Returns 0 for node 0 and for bases, which have no row. */
static inline uint32_t forest_row_at(const struct forest *forest, uint32_t node)
{
	const struct pk_tree_node *entry = &forest->tree->nodes[node];

	return node && entry->parent ? forest->frames[entry->name].row : 0;
}
/* A range of the nodes of a row: nodes[first] to nodes[end - 1]. */
struct forest_range {
	uint32_t first, end;
};

/* Returns the nodes of the range that are `node` or descendants of `node`. */
struct forest_range pk_forest_below(const struct forest *forest, struct forest_range range,
				    uint32_t node);

/* Returns the weight of the samples whose leaf is a node of the range. */
static inline uint64_t forest_range_weight(const struct forest *forest, struct forest_range range,
					   unsigned int column)
{
	return forest->sums[column][range.end] - forest->sums[column][range.first];
}

/* Makes the tree of a row. The names of its nodes are numbers in forest->tree->names. With
 * `caller`, callers are the parents of callees, otherwise callees are the parents. With `children`,
 * the tree contains all samples that have a frame of the row, otherwise only samples whose leaf
 * belongs to the row. The tree has at most `depth` frames of each path. *visited is set to the
 * number of visited nodes of the forest, and a node that is visited twice counts twice. The caller
 * frees the tree. Returns NULL if memory is exhausted. */
struct pk_tree *pk_forest_row(const struct forest *forest, uint32_t row, bool caller, bool children,
			      uint32_t depth, uint64_t *visited);
/* Removes the nodes without weight. Call pk_forest_gather() before it, and pk_forest_index() after
 * it. The rows get other numbers: row `row` of old_rows becomes to[row]. If to[row] is 0 and a node
 * needs the row, the row is added to `rows` and to[row] is set. If memory is exhausted, returns
 * PK_NOMEM, and nodes are missing. */
PK_MUST_CHECK enum pk_status pk_forest_compact(struct forest *forest, struct pk_rows *rows,
					       const struct pk_rows *old_rows, uint32_t *to);
/* Calls decay for all weights and numbers of samples. Call pk_forest_gather() before it. */
void pk_forest_decay(struct forest *forest, void (*decay)(uint64_t *number));
/* Forgets all samples. */
void pk_forest_clear(struct forest *forest);
void pk_forest_free(struct forest *forest);

#endif
