/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_CALL_FOREST_H
#define PK_REPORT_CALL_FOREST_H

/*
 * The stacks of all samples, from which the tree of callers or callees of each row is made
 * (call_tree.h). All zero is an empty forest. Column 0 of the trees has weights, column 1 has
 * numbers of samples.
 */

#include "allowance.h"
#include "rows.h"
#include "tally.h"
#include "tree.h"

struct forest {
	/* Set by the caller: */
	bool counts_needed; /* fill column 1 */
	bool live;	    /* samples are added after pk_forest_index(), too */
	/* For reading, set by pk_forest_index(): */
	size_t vanished; /* number of nodes without weight, also below them */
	/* Private: */
	struct pk_tally weights, counts; /* by group and stack, in this epoch */
	struct pk_tree *tree; /* the children of node 0 are bases (rows.h); then frames, root first.
			       * The names of these nodes are numbers of frames */
	struct pk_table frame_numbers; /* by row and name */
	struct forest_frame {
		uint32_t row, name; /* name: number in tree->names */
	} * frames;		    /* by number */
	size_t frames_capacity;
	uint64_t cut;		       /* number of stacks that were cut */
	uint64_t shortened;	       /* number of those cut because the allowance was spent */
	struct pk_allowance allowance; /* what the nodes may cost */
	/* If live, kept for the next pk_forest_gather(), so that its time does not depend on the
	 * number of all stacks. Entries of earlier passes are invalid. */
	uint32_t pass; /* a pass has stacks of one base, and is part of one call */
	struct forest_place {
		uint32_t node, depth, pass;
	} * places; /* by index of the stack: its node */
	struct forest_name {
		uint32_t number, pass;
	} * names; /* by index of the frame: its name in tree->names */
	size_t places_count, names_count;
	/* Set by pk_forest_index(), by node. pk_forest_gather() can add further nodes: */
	size_t indexed;
	uint64_t *totals[PK_TREE_COLUMNS]; /* weights with those of callees */
	uint64_t *owns[PK_TREE_COLUMNS];   /* the same, without callees of the same row */
	uint32_t *outer;		   /* the nearest caller of the same row; 0: none */
	/* The descendants of a node have the ranks from its own to `end` - 1. */
	struct forest_span {
		uint32_t rank, end;
	} * spans;
	/* Nodes of each row, by rank: nodes[starts[row]] to nodes[starts[row + 1] - 1]. */
	uint32_t *starts, *nodes;
	uint64_t *sums[PK_TREE_COLUMNS]; /* of the own weights of nodes[0] to nodes[i - 1] */
	size_t rows_count;
};

/* Adds a sample with this group and stack. Returns PK_NO_STACK if it has none. */
PK_MUST_CHECK enum pk_status pk_forest_add(struct forest *forest, uint32_t group, uint32_t stack,
					   uint64_t weight);
/* Adds the stacks since the last call to the forest. Call it before the groups or the stacks become
 * invalid. */
PK_MUST_CHECK enum pk_status pk_forest_gather(struct forest *forest, struct pk_rows *rows,
					      const struct pk_groups *groups, uint64_t bytes);
/* Call it after pk_forest_gather(), before the functions below. */
PK_MUST_CHECK enum pk_status pk_forest_index(struct forest *forest, uint32_t rows_count);
/* The number of columns that have numbers. */
static inline unsigned int forest_columns(const struct forest *forest)
{
	return forest->counts_needed ? 2 : 1;
}

/* The row of a node, or 0 if node 0 and the bases have none. */
static inline uint32_t forest_row_at(const struct forest *forest, uint32_t node)
{
	const struct pk_tree_node *entry = &forest->tree->nodes[node];

	return node && entry->parent ? forest->frames[entry->name].row : 0;
}
/* Nodes of a row: nodes[first] to nodes[end - 1]. */
struct forest_range {
	uint32_t first, end;
};

/* Those that are `node` or a descendant of it. */
struct forest_range pk_forest_below(const struct forest *forest, struct forest_range range,
				    uint32_t node);

/* Their own weight. */
static inline uint64_t forest_range_weight(const struct forest *forest, struct forest_range range,
					   unsigned int column)
{
	return forest->sums[column][range.end] - forest->sums[column][range.first];
}

/* Makes the tree of a row. Its names are numbers in forest->tree->names. With caller, callers are
 * the parents of callees. With children, the tree has all samples with a frame of the row,
 * otherwise only those whose leaf it is. The tree has at most depth frames of each path. *visited
 * is the number of nodes of the forest that were looked at, some of them repeatedly. The caller
 * frees the tree. NULL: out of memory. */
struct pk_tree *pk_forest_row(const struct forest *forest, uint32_t row, bool caller, bool children,
			      uint32_t depth, uint64_t *visited);
/* Removes the nodes without weight. They must be gathered, and pk_forest_index() must follow. The
 * rows of old_rows get other numbers: row becomes to[row]. If that is 0 and a node needs the row,
 * the row is added to `rows`, and to[row] is set. Returns PK_NOMEM if memory is exhausted. Nodes
 * are missing then. */
PK_MUST_CHECK enum pk_status pk_forest_compact(struct forest *forest, struct pk_rows *rows,
					       const struct pk_rows *old_rows, uint32_t *to);
/* Changes all weights and counts. They must be gathered. */
void pk_forest_decay(struct forest *forest, void (*decay)(uint64_t *number));
/* Forgets all samples. */
void pk_forest_clear(struct forest *forest);
void pk_forest_free(struct forest *forest);

#endif
