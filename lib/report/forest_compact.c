// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "call_forest.h"

struct moving {
	const struct forest *from;
	const struct pk_rows *old_rows;
	struct forest to;
	struct pk_rows *rows;
	uint32_t *row_to;  /* see pk_forest_compact() */
	uint32_t *node_to; /* by node; 0: removed */
};

/* The number of a frame in the new forest. 0: out of memory. */
static uint32_t move_frame(struct moving *m, const struct forest_frame *frame)
{
	uint32_t row = 0, number;
	const char *name;
	size_t size;

	if (frame->row) {
		if (!m->row_to[frame->row])
			m->row_to[frame->row] = pk_rows_copy(m->rows, m->old_rows, frame->row);
		row = m->row_to[frame->row];
		if (!row)
			return 0;
	}
	name = pk_texts_get(&m->from->tree->names, frame->name, &size);
	number = pk_tree_name(m->to.tree, name, size);
	return number ? pk_forest_frame_number(&m->to, row, number) : 0;
}

/* Parents have smaller numbers: they were moved before. False: out of memory. */
static bool move_node(struct moving *m, uint32_t node)
{
	const struct pk_tree_node *old = &m->from->tree->nodes[node];
	const uint32_t name = old->parent ? move_frame(m, &m->from->frames[old->name])
					  : pk_rows_copy_base(m->rows, m->old_rows, old->name);
	const uint32_t moved = name ? pk_tree_child(m->to.tree, m->node_to[old->parent], name) : 0;

	m->node_to[node] = moved;
	for (unsigned int i = 0; moved && i < PK_TREE_COLUMNS; i++)
		pk_tree_add(m->to.tree, moved, i, old->self[i]);
	return moved;
}

static bool move_nodes(struct moving *m)
{
	const struct pk_tree *tree = m->from->tree;
	uint64_t *weights = pk_tree_totals(tree, 0), *counts = pk_tree_totals(tree, 1);
	bool done;

	m->node_to = calloc(tree->count, sizeof(*m->node_to));
	m->to.tree = pk_tree_new();
	done = weights && counts && m->node_to && m->to.tree;
	for (uint32_t node = 1; done && node < tree->count; node++)
		done = (!weights[node] && !counts[node]) || move_node(m, node);
	free(weights);
	free(counts);
	free(m->node_to);
	return done;
}

bool pk_forest_compact(struct forest *forest, struct pk_rows *rows, const struct pk_rows *old_rows,
		       uint32_t *to)
{
	const uint64_t cut = forest->cut, shortened = forest->shortened;
	struct moving m = {.from = forest, .old_rows = old_rows, .rows = rows, .row_to = to};
	const bool done = !forest->tree || move_nodes(&m);

	pk_forest_clear(forest);
	forest->tree = m.to.tree;
	forest->frame_numbers = m.to.frame_numbers;
	forest->frames = m.to.frames;
	forest->frames_capacity = m.to.frames_capacity;
	forest->cut = cut;
	forest->shortened = shortened;
	return done;
}
