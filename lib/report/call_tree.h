/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_CALL_TREE_H
#define PK_REPORT_CALL_TREE_H

/*
 * The tree of callers or callees below a row of the table. Most branches of most trees are never
 * shown. So the tree contains only the nodes that the program has opened, and their children. Node
 * 0 is the row.
 */

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "call_forest.h"

/* ---- Options ---- */

/* The argument of -g, as in perf report: TYPE,THRESHOLD,LIMIT,ORDER,VALUE. */

/* The default number of frames of each path. It is also perf's default for the depth of stacks. */
#define GRAPH_DEPTH_DEFAULT 127

/* How trees of callers or callees are made and shown. */
struct graph_options {
	enum graph_mode {
		GRAPH_NONE,
		GRAPH_ABSOLUTE, /* percentages of all samples */
		GRAPH_RELATIVE, /* percentages of the samples of the parent */
		GRAPH_FLAT,
		GRAPH_FOLDED,
	} mode;
	double threshold; /* in percent; branches with a smaller share are hidden */
	uint64_t limit;	  /* greatest number of branches of a node, or of lines of a row; 0 means no
			   * limit */
	uint32_t depth;	  /* greatest number of frames of each path */
	bool ordered;	  /* whether the user has set `caller`; if not, --children decides */
	bool caller;	  /* callers are the parents of callees */
	enum graph_value { GRAPH_PERCENT, GRAPH_PERIOD, GRAPH_COUNT } value;
};

/* Sets the options that the text contains. Returns NULL, or the reason why the text is invalid. */
const char *pk_graph_option_parse(struct graph_options *options, const char *text);

/* ---- Trees ---- */

/* A node of the tree of callers or callees. */
struct call_node {
	uint32_t parent;
	uint32_t name;	/* the name of the node's frame, as a number in forest->tree->names */
	uint32_t level; /* number of frames of the node's path */
	uint32_t part;	/* private: the index in call_tree.parts of the first entry for this node */
	bool opened;
	/* Valid if the node is opened. Its children are nodes[first] to nodes[first + count - 1].
	 */
	uint32_t first, count;
	uint64_t totals[PK_TREE_COLUMNS]; /* sums of the weights of the node and its descendants */
	uint64_t below[PK_TREE_COLUMNS];  /* sums of the children's totals */
};

/* The tree of callers or callees of a row, as the comment above describes it. */
struct call_tree {
	/* Set by the caller: */
	/* The forest, for which pk_forest_index() was called. Samples that are gathered later are
	 * not in the tree. */
	const struct forest *forest;
	const struct graph_options *options;
	uint32_t row;
	bool caller, children; /* as the parameters of pk_forest_row() */
	uint64_t weight;       /* weight of the row for which the tree is made */
	uint64_t total;	       /* weight of all rows of the table */
	/* For reading: */
	struct call_node *nodes;
	size_t count;
	/* Private: */
	size_t capacity;
	struct call_part *parts; /* for each node of the tree, a list of nodes of the forest */
	size_t parts_count, parts_capacity;
	struct pk_table names; /* children by name, of the node that is being opened */
};

/* Adds node 0 to a tree. The members "Set by the caller" must be set before. */
PK_MUST_CHECK enum pk_status pk_call_tree_start(struct call_tree *tree);
/* Adds the children of a node, sorted by weight from the heaviest. Does nothing if the node is
 * already opened. Pointers to nodes become invalid. */
PK_MUST_CHECK enum pk_status pk_call_tree_open(struct call_tree *tree, uint32_t node);
void pk_call_tree_free(struct call_tree *tree);

/* The next functions work on opened nodes only. */

/* Returns whether a node has only one child and this child has all samples of the node. If so, the
 * node and its child are shown as one branch. */
bool pk_call_tree_is_joined(const struct call_tree *tree, uint32_t node);
/* Returns the number of children that are heavy enough to be shown. They are the first children. */
uint32_t pk_call_tree_visible(const struct call_tree *tree, uint32_t node);
/* Returns the weight that is 100 percent for the children of a node, as in the browser of perf
 * report. */
uint64_t pk_call_tree_whole(const struct call_tree *tree, uint32_t node);

/* The next functions work on all nodes. */

const char *pk_call_tree_name(const struct call_tree *tree, uint32_t node, size_t *size);
/* Appends the number that is shown for a branch with these totals. The options say whether the
 * number is the share, the weight or the number of samples of the branch. */
void pk_call_tree_value(const struct graph_options *options, const uint64_t *totals, uint64_t whole,
			struct buffer *out);
/* Returns the share of `weight` in `whole` in percent, or 0 if `whole` is 0. */
double pk_call_tree_percent(uint64_t weight, uint64_t whole);
/* Returns whether a row with this weight is so light that none of its branches can be shown. */
bool pk_call_tree_is_light(const struct graph_options *options, uint64_t weight, uint64_t total);

#endif
