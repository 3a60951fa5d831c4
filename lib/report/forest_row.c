// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "call_forest.h"
#include "paths.h"

struct growing {
	const struct forest *forest;
	struct pk_tree *tree;
	uint32_t row, depth;
	uint64_t visited;		      /* nodes of the forest */
	uint32_t from[PK_PATH_DEPTH_MAX + 2]; /* a path in the forest */
	uint32_t way[PK_PATH_DEPTH_MAX + 2];  /* the same path in the tree, from node 0 on */
};

/* The child for a node of the forest. 0: out of memory. */
static uint32_t child_of(struct growing *g, uint32_t parent, uint32_t node)
{
	const struct forest *forest = g->forest;

	return pk_tree_child(g->tree, parent, forest->frames[forest->tree->nodes[node].name].name);
}

static void add_weights(struct growing *g, uint32_t to, const uint64_t *weights)
{
	for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++)
		pk_tree_add(g->tree, to, i, weights[i]);
}

/* Adds the path from the root to a node, or from the node to the root. */
static bool add_path(struct growing *g, uint32_t node, bool caller, const uint64_t *weights)
{
	const struct pk_tree_node *nodes = g->forest->tree->nodes;
	uint32_t length = 0, to = 0;

	for (uint32_t at = node; nodes[at].parent; at = nodes[at].parent)
		g->from[length++] = at;
	g->visited += length;
	for (uint32_t i = 0; i < length && i < g->depth; i++) {
		to = child_of(g, to, g->from[caller ? length - 1 - i : i]);
		if (!to)
			return false;
	}
	add_weights(g, to, weights);
	return true;
}

/* Adds weights to the node whose path is the first `depth` entries of g->from. Only then are the
 * nodes of the path added, because those without weights must not exist: *made of them exist.
 * False: out of memory. */
static bool add_below(struct growing *g, uint32_t depth, uint32_t *made, const uint64_t *weights)
{
	depth = depth < g->depth ? depth : g->depth;
	for (; *made < depth; ++*made) {
		g->way[*made + 1] = child_of(g, g->way[*made], g->from[*made]);
		if (!g->way[*made + 1])
			return false;
	}
	add_weights(g, g->way[depth], weights);
	return true;
}

/* Adds the callees of a node, without those samples whose leaf is of the row. */
static bool add_callees(struct growing *g, uint32_t root)
{
	const struct pk_tree_node *nodes = g->forest->tree->nodes;
	uint32_t depth = 1, made = 0, at = root;

	g->way[0] = 0;
	for (;;) {
		const uint64_t *self = nodes[at].self;

		g->visited++;
		g->from[depth - 1] = at;
		made = made < depth ? made : depth - 1;
		if ((self[0] || self[1]) && forest_row_at(g->forest, at) != g->row &&
		    !add_below(g, depth, &made, self))
			return false;
		if (nodes[at].first) {
			at = nodes[at].first;
			depth++;
			continue;
		}
		while (at != root && !nodes[at].next) {
			at = nodes[at].parent;
			depth--;
		}
		if (at == root)
			return true;
		at = nodes[at].next;
	}
}

static bool add_node(struct growing *g, uint32_t node, bool caller, bool children)
{
	const struct forest *forest = g->forest;
	const uint64_t *self = forest->tree->nodes[node].self;
	const uint64_t owns[] = {forest->owns[0][node],
				 forest->counts_needed ? forest->owns[1][node] : 0};

	if (children && !caller)
		return (!owns[0] && !owns[1]) || add_path(g, node, false, owns);
	if ((self[0] || self[1]) && !add_path(g, node, caller, self))
		return false;
	return !children || forest->outer[node] || add_callees(g, node);
}

static int compare_nodes(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Nodes are added in the order of their numbers. False: out of memory. */
static bool add_nodes(struct growing *g, bool caller, bool children)
{
	const uint32_t *starts = g->forest->starts + g->row;
	const size_t count = starts[1] - starts[0];
	uint32_t *nodes = calloc(count + 1, sizeof(*nodes));
	bool done = nodes;

	if (nodes && count) {
		memcpy(nodes, g->forest->nodes + starts[0], count * sizeof(*nodes));
		qsort(nodes, count, sizeof(*nodes), compare_nodes);
	}
	for (size_t i = 0; done && i < count; i++)
		done = add_node(g, nodes[i], caller, children);
	free(nodes);
	return done;
}

struct pk_tree *pk_forest_row(const struct forest *forest, uint32_t row, bool caller, bool children,
			      uint32_t depth, uint64_t *visited)
{
	struct growing g; /* the paths are large, and need no values at first */

	g.forest = forest;
	g.row = row;
	g.depth = depth;
	g.visited = 0;
	g.tree = pk_tree_new();
	if (g.tree && row <= forest->rows_count && !add_nodes(&g, caller, children)) {
		pk_tree_free(g.tree);
		g.tree = NULL;
	}
	*visited = g.visited;
	return g.tree;
}
