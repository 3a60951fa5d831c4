// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "call_forest.h"
#include "frame_names.h"
#include "paths.h"
#include "vector.h"

/* ---- Stacks ---- */

enum pk_status pk_forest_add(struct forest *forest, uint32_t group, uint32_t stack, uint64_t weight)
{
	if (stack == PK_NO_STACK)
		return PK_OK;
	PK_TRY(pk_tally_add(&forest->weights, group, stack, weight));
	return forest->counts_needed ? pk_tally_add(&forest->counts, group, stack, 1) : PK_OK;
}

/* ---- Gathering ---- */

/* The state of pk_forest_gather(). */
struct gathering {
	struct forest *forest;
	struct pk_rows *rows;
	const struct pk_groups *groups;
	const struct pk_dictionary *dictionary;
	uint32_t row, base;
	uint32_t first_pass; /* the first pass of this call of pk_forest_gather() */
	struct pk_id_range stack_ids, frame_ids;
	struct pk_table rows_of; /* rows of frames, by base and frame */
	uint32_t *way;		 /* a path of stacks, from the leaf to the outermost frame */
	size_t way_capacity;
	uint32_t *shorts; /* from pk_stack_shorts(), or NULL until it is needed */
	struct buffer text;
};

/* Returns the number that the frame's name has in the tree, or 0 if memory is exhausted. */
static uint32_t name_of(struct gathering *g, uint32_t id, const struct pk_frame *frame)
{
	static const struct pk_frame_options options = {.addresses = true};
	struct pk_tree *tree = g->forest->tree;
	const uint32_t index = id - g->frame_ids.base - 1;
	struct forest_name *known;
	const char *name;
	size_t size = 0;

	if (pk_extend(&g->forest->names, &g->forest->names_count, index) != PK_OK)
		return 0;
	known = &g->forest->names[index];
	if (known->pass >= g->first_pass)
		return known->number;
	name = pk_dictionary_get_string(g->dictionary, frame->function, &size);
	if (!name || !size) {
		pk_frame_names(&g->text, g->dictionary, frame, false, &options);
		if (g->text.failed)
			return 0;
		name = g->text.data;
		size = strlen(name);
	}
	*known = (struct forest_name){pk_tree_name(tree, name, size), g->forest->pass};
	return known->number;
}

/* Returns the number of the frame with this row and name. Adds the frame if it is new. Returns 0 if
 * memory is exhausted. */
static uint32_t pk_forest_frame_number(struct forest *forest, uint32_t row, uint32_t name)
{
	const uint64_t key = (uint64_t)row << 32 | name;
	const size_t count = forest->frame_numbers.count + 1;
	uint32_t number = (uint32_t)pk_table_get_u64(&forest->frame_numbers, key);

	if (number)
		return number;
	number = (uint32_t)count;
	if (pk_reserve(&forest->frames, &forest->frames_capacity, count, 1,
		       sizeof(*forest->frames)) != PK_OK ||
	    pk_table_set_u64(&forest->frame_numbers, key, number) != PK_OK)
		return 0;
	forest->frames[number] = (struct forest_frame){row, name};
	return number;
}

/* Sets *row to the row of a frame that is a caller, and not the leaf of its stack. */
static enum pk_status row_of(struct gathering *g, uint32_t id, const struct pk_frame *frame,
			     uint32_t *row)
{
	const uint64_t key = (uint64_t)g->base << 32 | id;

	*row = 0;
	if (frame->flags & PK_FRAME_TRUNCATED)
		return PK_OK;
	*row = (uint32_t)pk_table_get_u64(&g->rows_of, key);
	if (*row)
		return PK_OK;
	*row = pk_rows_of_frame(g->rows, g->groups, g->row, frame);
	if (!*row)
		return PK_NOMEM;
	return pk_table_set_u64(&g->rows_of, key, *row);
}

/* Moves *place from the node of a caller to the node of the innermost frame of `stack`. If `leaf`
 * is true, this frame belongs to the row of the group. */
static enum pk_status step(struct gathering *g, struct forest_place *place, uint32_t stack,
			   bool leaf)
{
	struct pk_stack_walk frames = pk_stack_walk(g->dictionary, g->stack_ids.base + 1 + stack);
	uint32_t row = g->row, name, number;

	if (!pk_stack_next(&frames))
		return PK_OK;
	if (place->depth >= PK_PATH_DEPTH_MAX && !leaf)
		return PK_OK;
	if (!leaf)
		PK_TRY(row_of(g, frames.id, frames.frame, &row));
	name = name_of(g, frames.id, frames.frame);
	number = name ? pk_forest_frame_number(g->forest, row, name) : 0;
	place->node = number ? pk_tree_child(g->forest->tree, place->node, number) : 0;
	place->depth++;
	return place->node ? PK_OK : PK_NOMEM;
}

/* Stores the callers of the stack in g->way, from the innermost to the outermost. The search stops
 * at a caller whose place is already known, and *place is set to this place. If the allowance does
 * not suffice for all callers, sets *dear, and the allowance is used up. */
static enum pk_status find_way(struct gathering *g, uint32_t stack, uint32_t *length,
			       struct forest_place *place, bool *dear)
{
	const uint32_t first = g->stack_ids.base + 1;
	struct forest *forest = g->forest;
	const uint64_t paid = forest->allowance.left / PK_COST_NODE;
	const uint64_t most = paid > PK_STACK_SHORT ? paid : PK_STACK_SHORT;
	const struct pk_stack *definition;
	uint32_t count = 0;

	*place = (struct forest_place){.pass = forest->pass};
	while (count <= most &&
	       (definition = pk_dictionary_get_stack(g->dictionary, first + stack)) &&
	       definition->parent) {
		stack = definition->parent - first;
		if (forest->places[stack].pass == forest->pass) {
			*place = forest->places[stack];
			break;
		}
		PK_TRY(pk_reserve(&g->way, &g->way_capacity, count, 1, sizeof(*g->way)));
		g->way[count++] = stack;
	}
	pk_allowance_spend(&forest->allowance, (count < paid ? count : paid) * PK_COST_NODE);
	*dear = count > most && !pk_allowance_spend(&forest->allowance, PK_COST_NODE);
	*length = count;
	return PK_OK;
}

/* Finds the path of only the PK_STACK_SHORT outermost frames of the stack, as find_way() does for
 * all frames. */
static enum pk_status find_short_way(struct gathering *g, uint32_t stack, uint32_t *length,
				     struct forest_place *place)
{
	bool dear;

	if (!g->shorts)
		g->shorts = pk_stack_shorts(g->dictionary);
	g->forest->shortened++;
	if (!g->shorts)
		return PK_NOMEM;
	return find_way(g, g->shorts[stack], length, place, &dear);
}

/* Sets *place to the place that the stack's path has in the tree. */
static enum pk_status find_place(struct gathering *g, uint32_t leaf, struct forest_place *place)
{
	struct forest *forest = g->forest;
	uint32_t length, stack;
	bool dear = false;

	/* Parents of a stack have smaller indexes, because they are defined before the stack. */
	PK_TRY(pk_extend(&forest->places, &forest->places_count, leaf));
	PK_TRY(find_way(g, leaf, &length, place, &dear));
	if (dear)
		PK_TRY(find_short_way(g, leaf, &length, place));
	if (!place->node)
		place->node = pk_tree_child(forest->tree, 0, g->base);
	if (!place->node)
		return PK_NOMEM;
	while (length) {
		stack = g->way[--length];
		PK_TRY(step(g, place, stack, false));
		forest->places[stack] = *place;
	}
	forest->cut += place->depth >= PK_PATH_DEPTH_MAX;
	return step(g, place, leaf, true);
}

static void free_arrays(struct forest *forest)
{
	free(forest->places);
	free(forest->names);
	forest->places = NULL;
	forest->names = NULL;
	forest->places_count = forest->names_count = 0;
	forest->pass = 0;
}

/* Sets the row and the base that the samples of a group have. */
static enum pk_status set_group(struct gathering *g, uint32_t group)
{
	const uint32_t before = g->base;

	g->row = pk_rows_of(g->rows, g->groups, group, 0);
	g->base = g->row ? pk_rows_base(g->rows, g->groups, g->row) : 0;
	g->forest->pass += g->base != before;
	return g->base ? PK_OK : PK_NOMEM;
}

/* Adds the weights of the cells, which are sorted by group. `counts` is NULL if numbers of samples
 * are not needed. */
static enum pk_status add_cells(struct gathering *g, const struct pk_cell *cells,
				const struct pk_cell *counts, size_t count)
{
	struct pk_tree *tree = g->forest->tree;
	struct forest_place place;

	for (size_t i = 0; i < count; i++) {
		if (cells[i].stack >= g->stack_ids.count)
			continue;
		if (!i || cells[i].group != cells[i - 1].group)
			PK_TRY(set_group(g, cells[i].group));
		PK_TRY(find_place(g, cells[i].stack, &place));
		if (!place.depth)
			continue;
		pk_tree_add(tree, place.node, 0, cells[i].weight);
		if (counts)
			pk_tree_add(tree, place.node, 1, counts[i].weight);
	}
	return PK_OK;
}

enum pk_status pk_forest_gather(struct forest *forest, struct pk_rows *rows,
				const struct pk_groups *groups, uint64_t bytes)
{
	const struct pk_dictionary *dictionary = pk_source_dictionary(&groups->context->stacks);
	size_t count = 0, same = 0;
	struct pk_cell *cells = pk_tally_cells(&forest->weights, &count);
	struct pk_cell *counts =
		forest->counts_needed ? pk_tally_cells(&forest->counts, &same) : NULL;
	struct gathering g = {
		.forest = forest, .rows = rows, .groups = groups, .dictionary = dictionary};
	enum pk_status status =
		(cells ? PK_OK : PK_NOMEM) ?: (counts || !forest->counts_needed ? PK_OK : PK_NOMEM);

	if (!forest->tree)
		forest->tree = pk_tree_new();
	status = status ?: (forest->tree ? PK_OK : PK_NOMEM);
	if (status == PK_OK && count && dictionary) {
		g.stack_ids = pk_dictionary_stacks(dictionary);
		g.frame_ids = pk_dictionary_frames(dictionary);
		/* The number cannot overflow: each pass has at least one cell, and there are fewer
		 * than 2^31 cells. */
		if (forest->pass > UINT32_MAX / 2)
			free_arrays(forest);
		g.first_pass = ++forest->pass;
		pk_allowance_pay(&forest->allowance, bytes);
		status = add_cells(&g, cells, counts, count);
	}
	if (status != PK_OK || !forest->live)
		free_arrays(forest);
	free(cells);
	free(counts);
	free(g.way);
	free(g.shorts);
	free(g.text.data);
	pk_table_free(&g.rows_of);
	return status;
}

/* ---- Index ---- */

/* Sets the members of each node that depend on its callers, and lists the nodes of each row. Before
 * the call, starts[row] is the first place of the row's nodes in forest->nodes. After the call, it
 * is the place after the last one. The function is not recursive, because stacks can be deep. */
static void visit_nodes(struct forest *forest, uint32_t *open)
{
	const struct pk_tree_node *nodes = forest->tree->nodes;
	uint32_t at = nodes[0].first, rank = 0;

	while (at) {
		const uint32_t row = forest_row_at(forest, at);

		forest->outer[at] = row ? open[row] : 0;
		forest->spans[at].rank = rank++;
		forest->nodes[forest->starts[row]++] = at;
		open[row] = at;
		if (nodes[at].first) {
			at = nodes[at].first;
			continue;
		}
		for (; at; at = nodes[at].parent) {
			open[forest_row_at(forest, at)] = forest->outer[at];
			forest->spans[at].end = rank;
			if (nodes[at].next)
				break;
		}
		at = at ? nodes[at].next : 0;
	}
}

static enum pk_status sort_by_row(struct forest *forest)
{
	uint32_t *starts = forest->starts, *open = calloc(forest->rows_count + 1, sizeof(*open));

	if (!open)
		return PK_NOMEM;
	for (uint32_t node = 1; node < forest->tree->count; node++)
		starts[forest_row_at(forest, node) + 1]++;
	for (size_t row = 0; row <= forest->rows_count; row++)
		starts[row + 1] += starts[row];
	visit_nodes(forest, open);
	/* visit_nodes() left the end of each row in starts[row]. This end is the start of the next
	 * row. */
	memmove(starts + 1, starts, (forest->rows_count + 1) * sizeof(*starts));
	starts[0] = 0;
	free(open);
	return PK_OK;
}

static void free_index(struct forest *forest)
{
	for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++) {
		free(forest->totals[i]);
		free(forest->owns[i]);
		free(forest->sums[i]);
		forest->totals[i] = forest->owns[i] = forest->sums[i] = NULL;
	}
	free(forest->outer);
	free(forest->spans);
	free(forest->starts);
	free(forest->nodes);
	forest->outer = forest->starts = forest->nodes = NULL;
	forest->spans = NULL;
	forest->rows_count = forest->indexed = 0;
}

/* Calculates the totals, own weights and sums of one column. */
static enum pk_status add_up(struct forest *forest, unsigned int column)
{
	const size_t count = forest->tree->count;
	uint64_t *totals = forest->totals[column] = pk_tree_totals(forest->tree, column);
	uint64_t *owns = forest->owns[column] = calloc(count, sizeof(*owns));
	uint64_t *sums = forest->sums[column] = calloc(count, sizeof(*sums));

	if (!totals || !owns || !sums)
		return PK_NOMEM;
	memcpy(owns, totals, count * sizeof(*owns));
	for (size_t node = 1; node < count; node++)
		if (forest->outer[node])
			owns[forest->outer[node]] -= totals[node];
	for (size_t i = 0; i + 1 < count; i++)
		sums[i + 1] = sums[i] + forest->tree->nodes[forest->nodes[i]].self[column];
	return PK_OK;
}

/* Returns whether the node or one of its descendants has weight. */
static bool is_alive(const struct forest *forest, size_t node)
{
	return forest->totals[0][node] || (forest->counts_needed && forest->totals[1][node]);
}

static void count_vanished(struct forest *forest)
{
	forest->vanished = 0;
	for (size_t node = 1; node < forest->tree->count; node++)
		forest->vanished += !is_alive(forest, node);
}

enum pk_status pk_forest_index(struct forest *forest, uint32_t rows_count)
{
	size_t count;

	free_index(forest);
	if (!forest->tree)
		forest->tree = pk_tree_new();
	if (!forest->tree)
		return PK_NOMEM;
	count = forest->indexed = forest->tree->count;
	forest->rows_count = rows_count;
	forest->outer = calloc(count, sizeof(*forest->outer));
	forest->spans = calloc(count, sizeof(*forest->spans));
	forest->nodes = calloc(count, sizeof(*forest->nodes));
	forest->starts = calloc((size_t)rows_count + 2, sizeof(*forest->starts));
	if (!forest->outer || !forest->spans || !forest->nodes || !forest->starts)
		return PK_NOMEM;
	PK_TRY(sort_by_row(forest));
	for (unsigned int i = 0; i < forest_columns(forest); i++)
		PK_TRY(add_up(forest, i));
	count_vanished(forest);
	return PK_OK;
}

/* Returns the index of the first node in the range whose rank is at least `rank`. */
static uint32_t find_rank(const struct forest *forest, struct forest_range range, uint32_t rank)
{
	while (range.first < range.end) {
		const uint32_t middle = range.first + (range.end - range.first) / 2;

		if (forest->spans[forest->nodes[middle]].rank < rank)
			range.first = middle + 1;
		else
			range.end = middle;
	}
	return range.first;
}

struct forest_range pk_forest_below(const struct forest *forest, struct forest_range range,
				    uint32_t node)
{
	const struct forest_span *span = &forest->spans[node];

	if (range.first == range.end)
		return range;
	range.first = find_rank(forest, range, span->rank);
	range.end = find_rank(forest, range, span->end);
	return range;
}

void pk_forest_decay(struct forest *forest, void (*decay)(uint64_t *number))
{
	for (size_t node = 0; forest->tree && node < forest->tree->count; node++)
		for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++)
			decay(&forest->tree->nodes[node].self[i]);
}

void pk_forest_clear(struct forest *forest)
{
	pk_tally_free(&forest->weights);
	pk_tally_free(&forest->counts);
	pk_tree_free(forest->tree);
	forest->tree = NULL;
	pk_table_free(&forest->frame_numbers);
	free(forest->frames);
	forest->frames = NULL;
	forest->frames_capacity = 0;
	forest->cut = forest->shortened = 0;
	forest->vanished = 0;
	free_index(forest);
}

void pk_forest_free(struct forest *forest)
{
	pk_forest_clear(forest);
	free_arrays(forest);
	*forest = (struct forest){0};
}

/* ---- Compaction ---- */

/* The state of pk_forest_compact(). */
struct moving {
	const struct forest *from;
	const struct pk_rows *old_rows;
	struct forest to;
	struct pk_rows *rows;
	uint32_t *row_to;  /* new numbers of rows, see pk_forest_compact() */
	uint32_t *node_to; /* new numbers of nodes, or 0 for a removed node */
};

/* Returns the number of a frame in the new forest, or 0 if memory is exhausted. */
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

/* Copies a node to the new forest. Its parent has a smaller number, so the parent was copied
 * before. */
static enum pk_status move_node(struct moving *m, uint32_t node)
{
	const struct pk_tree_node *old = &m->from->tree->nodes[node];
	const uint32_t name = old->parent ? move_frame(m, &m->from->frames[old->name])
					  : pk_rows_copy_base(m->rows, m->old_rows, old->name);
	const uint32_t moved = name ? pk_tree_child(m->to.tree, m->node_to[old->parent], name) : 0;

	m->node_to[node] = moved;
	for (unsigned int i = 0; moved && i < PK_TREE_COLUMNS; i++)
		pk_tree_add(m->to.tree, moved, i, old->self[i]);
	return moved ? PK_OK : PK_NOMEM;
}

static enum pk_status move_nodes(struct moving *m)
{
	const struct pk_tree *tree = m->from->tree;
	uint64_t *weights = pk_tree_totals(tree, 0), *counts = pk_tree_totals(tree, 1);
	enum pk_status status;

	m->node_to = calloc(tree->count, sizeof(*m->node_to));
	m->to.tree = pk_tree_new();
	status = weights && counts && m->node_to && m->to.tree ? PK_OK : PK_NOMEM;
	for (uint32_t node = 1; status == PK_OK && node < tree->count; node++)
		status = !weights[node] && !counts[node] ? PK_OK : move_node(m, node);
	free(weights);
	free(counts);
	free(m->node_to);
	return status;
}

enum pk_status pk_forest_compact(struct forest *forest, struct pk_rows *rows,
				 const struct pk_rows *old_rows, uint32_t *to)
{
	const uint64_t cut = forest->cut, shortened = forest->shortened;
	struct moving m = {.from = forest, .old_rows = old_rows, .rows = rows, .row_to = to};
	const enum pk_status status = forest->tree ? move_nodes(&m) : PK_OK;

	pk_forest_clear(forest);
	forest->tree = m.to.tree;
	forest->frame_numbers = m.to.frame_numbers;
	forest->frames = m.to.frames;
	forest->frames_capacity = m.to.frames_capacity;
	forest->cut = cut;
	forest->shortened = shortened;
	return status;
}

/* ---- Rows ---- */

/* The state of pk_forest_row(). */
struct growing {
	const struct forest *forest;
	struct pk_tree *tree;
	uint32_t row, depth;
	uint64_t visited;		      /* number of visited nodes of the forest */
	uint32_t from[PK_PATH_DEPTH_MAX + 2]; /* nodes of a path in the forest */
	/* Nodes of the same path in the tree, from node 0 on. */
	uint32_t way[PK_PATH_DEPTH_MAX + 2];
};

/* Returns the child of `parent` that has the name of a node of the forest, or 0 if memory is
 * exhausted. */
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

/* Adds a path to the tree. With `caller`, the path goes from the root to the node, otherwise from
 * the node to the root. */
static enum pk_status add_path(struct growing *g, uint32_t node, bool caller,
			       const uint64_t *weights)
{
	const struct pk_tree_node *nodes = g->forest->tree->nodes;
	uint32_t length = 0, to = 0;

	for (uint32_t at = node; nodes[at].parent; at = nodes[at].parent)
		g->from[length++] = at;
	g->visited += length;
	for (uint32_t i = 0; i < length && i < g->depth; i++) {
		to = child_of(g, to, g->from[caller ? length - 1 - i : i]);
		if (!to)
			return PK_NOMEM;
	}
	add_weights(g, to, weights);
	return PK_OK;
}

/* Adds weights to the node of the tree whose path is the first `depth` entries of g->from. The
 * nodes of the path are created here and not earlier, because nodes without weight must not exist.
 * *made is the number of nodes of the path that exist. */
static enum pk_status add_below(struct growing *g, uint32_t depth, uint32_t *made,
				const uint64_t *weights)
{
	depth = depth < g->depth ? depth : g->depth;
	for (; *made < depth; ++*made) {
		g->way[*made + 1] = child_of(g, g->way[*made], g->from[*made]);
		if (!g->way[*made + 1])
			return PK_NOMEM;
	}
	add_weights(g, g->way[depth], weights);
	return PK_OK;
}

/* Adds the callees of a node. Samples whose leaf belongs to the row g->row are not added here. */
static enum pk_status add_callees(struct growing *g, uint32_t root)
{
	const struct pk_tree_node *nodes = g->forest->tree->nodes;
	uint32_t depth = 1, made = 0, at = root;

	g->way[0] = 0;
	for (;;) {
		const uint64_t *self = nodes[at].self;

		g->visited++;
		g->from[depth - 1] = at;
		made = made < depth ? made : depth - 1;
		if ((self[0] || self[1]) && forest_row_at(g->forest, at) != g->row)
			PK_TRY(add_below(g, depth, &made, self));
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
			return PK_OK;
		at = nodes[at].next;
	}
}

static enum pk_status add_node(struct growing *g, uint32_t node, bool caller, bool children)
{
	const struct forest *forest = g->forest;
	const uint64_t *self = forest->tree->nodes[node].self;
	const uint64_t owns[] = {forest->owns[0][node],
				 forest->counts_needed ? forest->owns[1][node] : 0};

	if (children && !caller)
		return !owns[0] && !owns[1] ? PK_OK : add_path(g, node, false, owns);
	if (self[0] || self[1])
		PK_TRY(add_path(g, node, caller, self));
	return !children || forest->outer[node] ? PK_OK : add_callees(g, node);
}

static int compare_nodes(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Adds the nodes of the row g->row, in the order of their numbers. */
static enum pk_status add_nodes(struct growing *g, bool caller, bool children)
{
	const uint32_t *starts = g->forest->starts + g->row;
	const size_t count = starts[1] - starts[0];
	uint32_t *nodes = calloc(count + 1, sizeof(*nodes));
	enum pk_status status = nodes ? PK_OK : PK_NOMEM;

	if (nodes && count) {
		memcpy(nodes, g->forest->nodes + starts[0], count * sizeof(*nodes));
		qsort(nodes, count, sizeof(*nodes), compare_nodes);
	}
	for (size_t i = 0; status == PK_OK && i < count; i++)
		status = add_node(g, nodes[i], caller, children);
	free(nodes);
	return status;
}

struct pk_tree *pk_forest_row(const struct forest *forest, uint32_t row, bool caller, bool children,
			      uint32_t depth, uint64_t *visited)
{
	/* Not initialized, because the paths are large and need no initial values. */
	struct growing g;

	g.forest = forest;
	g.row = row;
	g.depth = depth;
	g.visited = 0;
	g.tree = pk_tree_new();
	if (g.tree && row <= forest->rows_count && add_nodes(&g, caller, children) != PK_OK) {
		pk_tree_free(g.tree);
		g.tree = NULL;
	}
	*visited = g.visited;
	return g.tree;
}
