// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "inclusive.h"
#include "vector.h"

enum pk_status pk_inclusive_add(struct pk_inclusive *inclusive, uint32_t group, uint32_t stack,
				uint64_t weight)
{
	return pk_tally_add(&inclusive->tally, group, stack, weight);
}

/* The weight of all samples that have this row and this stack. */
struct source {
	uint32_t base, row, stack; /* base is the result of pk_rows_base() for the row */
	uint64_t weight;
};

/* A node for a stack, or for the outer frames of a stack. All stacks of a base are in one tree. */
struct node {
	uint32_t stack;	 /* the index of the stack */
	uint32_t parent; /* index + 1 of the node of the caller; 0 if this node is the root of a
			  * stack */
	uint32_t first, next; /* index + 1 of the first child of this node, and of its next sibling;
			       * 0 if there is none */
	uint32_t row;	      /* the row of the innermost frame; 0 if the frame is not code */
	uint64_t weight; /* the weight of the stack; after the visit, it includes the weights of all
			  * descendants */
};

/* The state of pk_inclusive_gather(). */
struct gathering {
	struct pk_inclusive *inclusive;
	struct pk_rows *rows;
	const struct pk_groups *groups;
	const struct pk_dictionary *dictionary;
	uint32_t stack_base;
	struct node *nodes; /* the nodes of the current base */
	size_t count, capacity;
	struct pk_table of_frames; /* the rows of the current base, by frame */
};

/* ---- The tree of a base ---- */

static enum pk_status find_row(struct gathering *g, uint32_t row, const struct pk_stack *stack,
			       uint32_t *found)
{
	const uint32_t id = stack->frame;
	const struct pk_frame *frame = pk_dictionary_get_frame(g->dictionary, id);

	*found = 0;
	if (pk_frame_kind(stack, frame) != PK_FRAME_IS_CODE)
		return PK_OK;
	*found = (uint32_t)pk_table_get_u64(&g->of_frames, id);
	if (*found)
		return PK_OK;
	*found = pk_rows_of_frame(g->rows, g->groups, row, frame);
	if (!*found)
		return PK_NOMEM;
	return pk_table_set_u64(&g->of_frames, id, *found);
}

/* Returns the node of a stack. Adds it if it does not exist. Returns NULL if memory is exhausted.
 */
static struct node *get_node(struct gathering *g, uint32_t row, uint32_t stack, bool *added)
{
	const struct pk_stack *definition =
		pk_dictionary_get_stack(g->dictionary, g->stack_base + stack);
	struct node node = {.stack = stack};
	uint32_t *index;

	*added = false;
	if (pk_extend(&g->inclusive->node_of, &g->inclusive->node_of_count, stack) != PK_OK)
		return NULL;
	/* The stored index can be that of a node of an earlier base, so the stack of the node is
	 * compared. */
	index = &g->inclusive->node_of[stack];
	if (*index < g->count && g->nodes[*index].stack == stack)
		return &g->nodes[*index];
	if (pk_reserve(&g->nodes, &g->capacity, g->count, 1, sizeof(*g->nodes)) != PK_OK ||
	    (definition && find_row(g, row, definition, &node.row) != PK_OK))
		return NULL;
	*added = true;
	*index = (uint32_t)g->count;
	g->nodes[g->count] = node;
	return &g->nodes[g->count++];
}

/* Returns the stack without its innermost frame, or PK_NO_STACK if there is no other frame. */
static uint32_t outer_of(const struct gathering *g, uint32_t stack)
{
	const struct pk_stack *definition =
		pk_dictionary_get_stack(g->dictionary, g->stack_base + stack);

	return definition && definition->parent ? definition->parent - g->stack_base : PK_NO_STACK;
}

/* The cost of a frame, which needs a node and a row, in bytes. */
#define COST (2 * PK_COST_NODE)

/* Adds a stack, and the stacks of its callers, to the tree. */
static enum pk_status add_source(struct gathering *g, const struct source *source)
{
	uint32_t stack = source->stack, inner = 0, depth = 0;
	bool added = true;

	for (; stack != PK_NO_STACK; stack = outer_of(g, stack), depth++) {
		struct node *node;

		if (!pk_allowance_spend(&g->inclusive->allowance, COST) &&
		    depth >= PK_STACK_SHORT) {
			g->inclusive->shortened++;
			return PK_OK;
		}
		node = get_node(g, source->row, stack, &added);
		const uint32_t number = node ? (uint32_t)(node - g->nodes) + 1 : 0;

		if (!node)
			return PK_NOMEM;
		if (inner) {
			g->nodes[inner - 1].parent = number;
			g->nodes[inner - 1].next = node->first;
			node->first = inner;
		} else {
			node->weight += source->weight;
			node->row = source->row;
		}
		if (!added)
			return PK_OK;
		inner = number;
	}
	return PK_OK;
}

static enum pk_status add_weight(struct pk_inclusive *inclusive, uint32_t row, uint64_t weight)
{
	PK_TRY(pk_extend(&inclusive->weights, &inclusive->count, row));
	inclusive->weights[row] += weight;
	return PK_OK;
}

static enum pk_status enter(struct gathering *g, const struct node *node)
{
	PK_TRY(pk_extend(&g->inclusive->open, &g->inclusive->open_count, node->row));
	g->inclusive->open[node->row]++;
	return PK_OK;
}

/* Adds the weight of the node to its row, unless an outer frame has the same row. */
static enum pk_status leave(struct gathering *g, const struct node *node)
{
	if (node->parent)
		g->nodes[node->parent - 1].weight += node->weight;
	return --g->inclusive->open[node->row] || !node->row
		       ? PK_OK
		       : add_weight(g->inclusive, node->row, node->weight);
}

/* Visits the tree below a root. It does not use recursion, because stacks can be deep. */
static enum pk_status visit(struct gathering *g, uint32_t root)
{
	uint32_t at = root;

	while (at) {
		struct node *node = &g->nodes[at - 1];

		PK_TRY(enter(g, node));
		if (node->first) {
			at = node->first;
			continue;
		}
		for (;;) {
			node = &g->nodes[at - 1];
			PK_TRY(leave(g, node));
			if (at == root)
				return PK_OK;
			if (node->next)
				break;
			at = node->parent;
		}
		at = node->next;
	}
	return PK_OK;
}

/* ---- Sources ---- */

static int compare(const void *left, const void *right)
{
	const struct source *a = left, *b = right;
	const int order = (a->base > b->base) - (a->base < b->base);

	return order ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

/* Adds the weights of all sources of one base. */
static enum pk_status add_base(struct gathering *g, const struct source *sources, size_t count)
{
	pk_table_clear(&g->of_frames);
	g->count = 0;
	for (size_t i = 0; i < count; i++) {
		PK_TRY(sources[i].stack == PK_NO_STACK
			       ? add_weight(g->inclusive, sources[i].row, sources[i].weight)
			       : add_source(g, &sources[i]));
	}
	for (size_t i = 0; i < g->count; i++)
		if (!g->nodes[i].parent)
			PK_TRY(visit(g, (uint32_t)i + 1));
	return PK_OK;
}

static enum pk_status add_all(struct gathering *g, struct source *sources, size_t count)
{
	size_t end;

	if (count)
		qsort(sources, count, sizeof(*sources), compare);
	for (size_t i = 0; i < count; i = end) {
		for (end = i; end < count && sources[end].base == sources[i].base; end++)
			;
		PK_TRY(add_base(g, sources + i, end - i));
	}
	return PK_OK;
}

/* Makes the sources from cells, which must be sorted by group. Returns NULL if memory is exhausted.
 */
static struct source *make_sources(struct gathering *g, const struct pk_cell *cells, size_t count)
{
	struct source *sources = malloc((count + 1) * sizeof(*sources));

	for (size_t i = 0; i < count && sources; i++) {
		struct source *source = &sources[i];

		if (i && cells[i].group == cells[i - 1].group) {
			*source = sources[i - 1];
		} else {
			source->row = pk_rows_of(g->rows, g->groups, cells[i].group, 0);
			source->base =
				source->row ? pk_rows_base(g->rows, g->groups, source->row) : 0;
		}
		source->stack = cells[i].stack;
		source->weight = cells[i].weight;
		if (source->base)
			continue;
		free(sources);
		sources = NULL;
	}
	return sources;
}

static void free_arrays(struct pk_inclusive *inclusive)
{
	free(inclusive->node_of);
	free(inclusive->open);
	inclusive->node_of = inclusive->open = NULL;
	inclusive->node_of_count = inclusive->open_count = 0;
}

enum pk_status pk_inclusive_gather(struct pk_inclusive *inclusive, struct pk_rows *rows,
				   const struct pk_groups *groups, uint64_t bytes)
{
	struct gathering g = {.inclusive = inclusive,
			      .rows = rows,
			      .groups = groups,
			      .dictionary = pk_source_dictionary(&groups->context->stacks),
			      .stack_base = pk_source_id(&groups->context->stacks, 0)};
	size_t count = 0;
	struct pk_cell *cells = pk_tally_cells(&inclusive->tally, &count);
	struct source *sources = cells ? make_sources(&g, cells, count) : NULL;
	enum pk_status status;

	pk_allowance_pay(&inclusive->allowance, bytes);
	status = sources ? add_all(&g, sources, count) : PK_NOMEM;

	free(cells);
	free(sources);
	free(g.nodes);
	if (status != PK_OK)
		free_arrays(inclusive);
	pk_table_free(&g.of_frames);
	return status;
}

void pk_inclusive_renumber(struct pk_inclusive *inclusive, const uint32_t *to, uint32_t count)
{
	pk_renumber(&inclusive->weights, &inclusive->count, sizeof(*inclusive->weights), to, count);
}

void pk_inclusive_clear(struct pk_inclusive *inclusive)
{
	pk_tally_free(&inclusive->tally);
	free(inclusive->weights);
	inclusive->weights = NULL;
	inclusive->count = 0;
}

void pk_inclusive_free(struct pk_inclusive *inclusive)
{
	pk_inclusive_clear(inclusive);
	free_arrays(inclusive);
	*inclusive = (struct pk_inclusive){0};
}
