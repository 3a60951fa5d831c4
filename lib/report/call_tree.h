/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_CALL_TREE_H
#define PK_REPORT_CALL_TREE_H

/*
 * The tree of callers or callees below a row of the table. It is made as far as the caller opens
 * its nodes, because most branches of most trees are never shown. Node 0 is the row.
 */

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "call_forest.h"

/* ---- Options ---- */

/* The argument of -g, as in perf report: TYPE,THRESHOLD,LIMIT,ORDER,VALUE. */

/* Frames of each path. Perf has the same default for its stacks. */
#define GRAPH_DEPTH_DEFAULT 127

struct graph_options {
	enum graph_mode {
		GRAPH_NONE,
		GRAPH_ABSOLUTE, /* percentages of all samples */
		GRAPH_RELATIVE, /* percentages of the samples of the parent */
		GRAPH_FLAT,
		GRAPH_FOLDED,
	} mode;
	double threshold; /* hide branches below this share, in percent */
	uint64_t limit;	  /* branches of a node, or lines of a row; 0: all */
	uint32_t depth;	  /* frames of each path */
	bool ordered;	  /* `caller` is set by the user; else it is that of --children */
	bool caller;	  /* callers first */
	enum graph_value { GRAPH_PERCENT, GRAPH_PERIOD, GRAPH_COUNT } value;
};

/* Changes the options as the text says. Returns NULL, or the reason why the text is invalid. */
const char *pk_graph_option_parse(struct graph_options *options, const char *text);

/* ---- Trees ---- */

struct call_node {
	uint32_t parent;
	uint32_t name;	/* number in forest->tree->names */
	uint32_t level; /* number of frames of its path */
	uint32_t part;	/* private: the first of its parts */
	bool opened;
	/* Valid if it is opened: its children are nodes[first] to nodes[first + count - 1]. */
	uint32_t first, count;
	uint64_t totals[PK_TREE_COLUMNS]; /* with descendants */
	uint64_t below[PK_TREE_COLUMNS];  /* of the children; the rest is its own */
};

struct call_tree {
	/* Set by the caller: */
	const struct forest *forest; /* indexed; what it gathers later is not in the tree */
	const struct graph_options *options;
	uint32_t row;
	bool caller, children; /* see pk_forest_row() */
	uint64_t weight;       /* of the row */
	uint64_t total;	       /* the weight of the table */
	/* For reading: */
	struct call_node *nodes;
	size_t count;
	/* Private: */
	size_t capacity;
	struct call_part *parts; /* nodes of the forest, for each node a list */
	size_t parts_count, parts_capacity;
	struct pk_table names; /* children by name, while a node is opened */
};

/* Adds node 0 to a tree of which the caller has set the first members. */
PK_MUST_CHECK enum pk_status pk_call_tree_start(struct call_tree *tree);
/* Adds the children of a node, the heaviest first. Nothing happens if it is opened. Pointers to
 * nodes become invalid. */
PK_MUST_CHECK enum pk_status pk_call_tree_open(struct call_tree *tree, uint32_t node);
void pk_call_tree_free(struct call_tree *tree);

/* For opened nodes: */

/* Whether the only child of a node has all its samples: they are shown as one branch. */
bool pk_call_tree_is_joined(const struct call_tree *tree, uint32_t node);
/* The number of children that are heavy enough to be shown: the first ones. */
uint32_t pk_call_tree_visible(const struct call_tree *tree, uint32_t node);
/* The weight that is 100 percent for the children, as in the browser of perf report. */
uint64_t pk_call_tree_whole(const struct call_tree *tree, uint32_t node);

/* For all nodes: */

const char *pk_call_tree_name(const struct call_tree *tree, uint32_t node, size_t *size);
/* Adds the number of a branch with these totals: its share, weight or number of samples. */
void pk_call_tree_value(const struct graph_options *options, const uint64_t *totals, uint64_t whole,
			struct buffer *out);
/* The share of `weight` in `whole` in percent. It is 0 if the whole is 0. */
double pk_call_tree_percent(uint64_t weight, uint64_t whole);
/* Whether no branch of a row with this weight can be shown. */
bool pk_call_tree_is_light(const struct graph_options *options, uint64_t weight, uint64_t total);

#endif
