// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "call_tree.h"
#include "field_measure.h"
#include "number.h"
#include "vector.h"

/* ---- Trees ---- */

/* Connects a node of the call tree with a node of the forest whose samples belong to it. A node of
 * the call tree has a list of such parts. */
struct call_part {
	uint32_t at;
	/* If callees are the parents, the descendant of `at` that has the samples. Otherwise 1 for
	 * the samples whose leaf belongs to the row, and 0 for all other samples. */
	uint32_t of;
	/* If callees are the parents, the node `of`. Otherwise the nodes of the row that are `at`
	 * or below it. */
	struct forest_range range;
	uint32_t next; /* next part of the same node, or 0 if there is none */
};

/* ---- Parts ---- */

static bool is_upward(const struct call_tree *tree)
{
	return !tree->caller;
}

static uint64_t part_weight(const struct call_tree *tree, const struct call_part *part,
			    unsigned int column)
{
	const struct forest *forest = tree->forest;
	uint64_t of_row;

	if (is_upward(tree) && tree->children)
		return forest->owns[column][part->of];
	of_row = forest_range_weight(forest, part->range, column);
	return is_upward(tree) || part->of ? of_row : forest->totals[column][part->at] - of_row;
}

static uint32_t find_child(struct call_tree *tree, uint32_t parent, uint32_t name)
{
	const uint32_t first = tree->nodes[parent].first;

	/* Most nodes have only one child, so the first child is compared without a lookup. */
	if (first < tree->count && tree->nodes[first].name == name)
		return first;
	return (uint32_t)pk_table_get_u64(&tree->names, name);
}

/* Returns the child with this name of a node that is being opened, and adds the child if it is new.
 * Returns 0 if memory is exhausted. */
static uint32_t get_child(struct call_tree *tree, uint32_t parent, uint32_t name)
{
	const uint32_t number = (uint32_t)tree->count;
	const uint32_t child = find_child(tree, parent, name);
	struct call_node *node;

	if (child || tree->count >= UINT32_MAX)
		return child;
	if (pk_reserve(&tree->nodes, &tree->capacity, number, 1, sizeof(*tree->nodes)) != PK_OK ||
	    (number != tree->nodes[parent].first &&
	     pk_table_set_u64(&tree->names, name, number) != PK_OK))
		return 0;
	node = &tree->nodes[tree->count++];
	*node = (struct call_node){
		.parent = parent, .name = name, .level = tree->nodes[parent].level + 1};
	tree->nodes[parent].count++;
	return number;
}

/* Adds a part to the child that has the name of the part's node. Nothing is added if the part has
 * no samples. */
static enum pk_status add_part(struct call_tree *tree, uint32_t parent, struct call_part part)
{
	const struct forest *forest = tree->forest;
	const unsigned int columns = forest_columns(forest);
	uint64_t weights[PK_TREE_COLUMNS] = {0};
	uint32_t child, number = (uint32_t)tree->parts_count;

	for (unsigned int i = 0; i < columns; i++)
		weights[i] = part_weight(tree, &part, i);
	if (!weights[0] && !weights[1])
		return PK_OK;
	child = get_child(tree, parent, forest->frames[forest->tree->nodes[part.at].name].name);
	if (!child || tree->parts_count >= UINT32_MAX)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&tree->parts, &tree->parts_capacity, number, 1, sizeof(*tree->parts)));
	part.next = tree->nodes[child].part;
	tree->parts[tree->parts_count++] = part;
	tree->nodes[child].part = number;
	for (unsigned int i = 0; i < columns; i++) {
		tree->nodes[child].totals[i] += weights[i];
		tree->nodes[parent].below[i] += weights[i];
	}
	return PK_OK;
}

/* Adds a part for the node `at` of the forest. If `of` is 1, the part has the samples below `at`
 * whose leaf belongs to the row. Otherwise the part has all other samples below `at`. `range` must
 * contain all nodes of the row that are below `at`. */
static enum pk_status add_downward(struct call_tree *tree, uint32_t parent, uint32_t at,
				   uint32_t of, struct forest_range range)
{
	return add_part(tree, parent,
			(struct call_part){.at = at,
					   .of = of,
					   .range = pk_forest_below(tree->forest, range, at)});
}

/* ---- Opening ---- */

/* Returns the node of the outermost frame of a stack. */
static uint32_t root_of(const struct forest *forest, uint32_t at)
{
	const struct pk_tree_node *nodes = forest->tree->nodes;

	while (nodes[nodes[at].parent].parent)
		at = nodes[at].parent;
	return at;
}

/* Returns whether forest->nodes[i] is the leaf of samples. */
static bool has_samples(const struct forest *forest, uint32_t i)
{
	const struct forest_range range = {i, i + 1};

	return forest_range_weight(forest, range, 0) ||
	       (forest->counts_needed && forest_range_weight(forest, range, 1));
}

/* Samples whose leaf belongs to the row are shown from the outermost frame of their stacks. With
 * `children`, all other samples are shown from the outermost frame of the row. */
static enum pk_status add_roots_downward(struct call_tree *tree)
{
	const struct forest *forest = tree->forest;
	const struct forest_range all = {forest->starts[tree->row], forest->starts[tree->row + 1]};
	uint32_t end = 0; /* the rank after the last descendant of the last added root */
	enum pk_status status = PK_OK;

	for (uint32_t i = all.first; status == PK_OK && i < all.end; i++) {
		const uint32_t at = forest->nodes[i];

		if (forest->spans[at].rank >= end && has_samples(forest, i)) {
			const uint32_t root = root_of(forest, at);

			end = forest->spans[root].end;
			status = add_downward(tree, 0, root, 1, all);
		}
		if (status == PK_OK && tree->children && !forest->outer[at])
			status = add_downward(tree, 0, at, 0, all);
	}
	return status;
}

static enum pk_status add_roots_upward(struct call_tree *tree)
{
	const struct forest *forest = tree->forest;
	enum pk_status status = PK_OK;

	for (uint32_t i = forest->starts[tree->row];
	     status == PK_OK && i < forest->starts[tree->row + 1]; i++) {
		const uint32_t at = forest->nodes[i];

		status = add_part(tree, 0,
				  (struct call_part){.at = at, .of = at, .range = {i, i + 1}});
	}
	return status;
}

/* A node can have very many children, but only a few nodes of the row below it. In that case it is
 * faster to start at the nodes of the row and to go up to the children. */
enum { CLIMB_NODES = 16, CLIMB_LEVELS = 32 };

/* Returns the child of `at` that is `below` or a caller of `below`. Returns 0 if `below` is `at`,
 * or if it is more than CLIMB_LEVELS levels below `at`. */
static uint32_t child_above(const struct forest *forest, uint32_t at, uint32_t below)
{
	const struct pk_tree_node *nodes = forest->tree->nodes;

	for (unsigned int i = 0; i < CLIMB_LEVELS && below != at; i++) {
		if (nodes[below].parent == at)
			return below;
		below = nodes[below].parent;
	}
	return 0;
}

/* Adds the children that have nodes of the part's range. The children whose rank is less than *rank
 * were added before. */
static enum pk_status add_from_below(struct call_tree *tree, uint32_t node,
				     const struct call_part *part, uint32_t *rank)
{
	const struct forest *forest = tree->forest;

	for (uint32_t i = part->range.first; i < part->range.end; i++) {
		const uint32_t below = forest->nodes[i];
		uint32_t child;

		if (below == part->at || forest->spans[below].rank < *rank)
			continue;
		child = child_above(forest, part->at, below);
		if (!child)
			return PK_OK;
		PK_TRY(add_downward(tree, node, child, part->of, part->range));
		*rank = forest->spans[child].end;
	}
	*rank = UINT32_MAX;
	return PK_OK;
}

/* Adds the children that result from one part of a node. */
static enum pk_status add_next(struct call_tree *tree, uint32_t node, struct call_part part)
{
	const struct pk_tree_node *nodes = tree->forest->tree->nodes;
	uint32_t rank = 0;
	bool done = true;

	if (is_upward(tree)) {
		part.at = nodes[part.at].parent;
		/* A node whose parent is node 0 is a base. A base is not a frame. */
		return nodes[part.at].parent ? add_part(tree, node, part) : PK_OK;
	}
	if (part.of && part.range.end - part.range.first <= CLIMB_NODES)
		done = add_from_below(tree, node, &part, &rank) == PK_OK;
	for (uint32_t i = rank == UINT32_MAX ? 0 : nodes[part.at].first; done && i;
	     i = nodes[i].next)
		done = i >= tree->forest->indexed || tree->forest->spans[i].rank < rank ||
		       add_downward(tree, node, i, part.of, part.range) == PK_OK;
	return done ? PK_OK : PK_NOMEM;
}

static enum pk_status add_children(struct call_tree *tree, uint32_t node)
{
	enum pk_status status = PK_OK;

	for (uint32_t i = tree->nodes[node].part; status == PK_OK && i; i = tree->parts[i].next)
		status = add_next(tree, node, tree->parts[i]);
	return status;
}

static int compare_children(const void *left, const void *right, void *arg)
{
	const struct call_node *a = left, *b = right;
	const struct call_tree *tree = arg;
	size_t a_size = 0, b_size = 0;
	const char *a_name, *b_name;

	if (a->totals[0] != b->totals[0])
		return a->totals[0] < b->totals[0] ? 1 : -1;
	a_name = pk_texts_get(&tree->forest->tree->names, a->name, &a_size);
	b_name = pk_texts_get(&tree->forest->tree->names, b->name, &b_size);
	return pk_text_compare(a_name, a_size, b_name, b_size);
}

enum pk_status pk_call_tree_open(struct call_tree *tree, uint32_t number)
{
	struct call_node *node = &tree->nodes[number];
	enum pk_status status = PK_OK;

	if (node->opened)
		return PK_OK;
	node->opened = true;
	node->first = (uint32_t)tree->count;
	pk_table_clear(&tree->names);
	if (node->level >= tree->options->depth)
		return PK_OK;
	if (number)
		status = add_children(tree, number);
	else
		status = is_upward(tree) ? add_roots_upward(tree) : add_roots_downward(tree);
	node = &tree->nodes[number];
	if (node->count > 1)
		qsort_r(tree->nodes + node->first, node->count, sizeof(*node), compare_children,
			tree);
	return status;
}

enum pk_status pk_call_tree_start(struct call_tree *tree)
{
	/* Number 0 means "none", so the first part has number 1. */
	PK_TRY(pk_reserve(&tree->nodes, &tree->capacity, 0, 1, sizeof(*tree->nodes)));
	PK_TRY(pk_reserve(&tree->parts, &tree->parts_capacity, 0, 1, sizeof(*tree->parts)));
	tree->nodes[0] = (struct call_node){.opened = tree->row > tree->forest->rows_count};
	tree->count = tree->parts_count = 1;
	return PK_OK;
}

void pk_call_tree_free(struct call_tree *tree)
{
	free(tree->nodes);
	free(tree->parts);
	pk_table_free(&tree->names);
	tree->nodes = NULL;
	tree->parts = NULL;
}

/* ---- What is shown ---- */

bool pk_call_tree_is_joined(const struct call_tree *tree, uint32_t number)
{
	const struct call_node *node = &tree->nodes[number];

	if (node->count != 1)
		return false;
	return !number || (node->totals[0] == node->below[0] && node->totals[1] == node->below[1]);
}

uint64_t pk_call_tree_whole(const struct call_tree *tree, uint32_t node)
{
	if (tree->options->mode != GRAPH_RELATIVE)
		return tree->total;
	return node ? tree->nodes[node].below[0] : tree->weight;
}

static uint64_t least_of_total(const struct graph_options *options, uint64_t total)
{
	return (uint64_t)((double)total * (options->threshold / 100));
}

/* Returns the smallest weight with which a child of the node is shown. */
static uint64_t least_of(const struct call_tree *tree, uint32_t node)
{
	if (tree->options->mode != GRAPH_RELATIVE)
		return least_of_total(tree->options, tree->total);
	return (uint64_t)ceil((double)tree->nodes[node].below[0] *
			      (tree->options->threshold / 100));
}

uint32_t pk_call_tree_visible(const struct call_tree *tree, uint32_t number)
{
	const struct call_node *node = &tree->nodes[number];
	const uint64_t least = least_of(tree, number);
	uint32_t count = 0;

	while (count < node->count && tree->nodes[node->first + count].totals[0] >= least)
		count++;
	return count;
}

bool pk_call_tree_is_light(const struct graph_options *options, uint64_t weight, uint64_t total)
{
	return options->mode != GRAPH_RELATIVE && weight < least_of_total(options, total);
}

const char *pk_call_tree_name(const struct call_tree *tree, uint32_t node, size_t *size)
{
	return pk_texts_get(&tree->forest->tree->names, tree->nodes[node].name, size);
}

double pk_call_tree_percent(uint64_t weight, uint64_t whole)
{
	return whole ? 100.0 * (double)weight / (double)whole : 0;
}

void pk_call_tree_value(const struct graph_options *options, const uint64_t *totals, uint64_t whole,
			struct buffer *out)
{
	switch (options->value) {
	case GRAPH_PERIOD: buffer_decimal(out, totals[0], 0); break;
	case GRAPH_COUNT: buffer_decimal(out, totals[1], 0); break;
	default: buffer_format(out, "%.2f%%", pk_call_tree_percent(totals[0], whole));
	}
}

/* ---- Options ---- */

enum word { WORD_MODE, WORD_ORDER, WORD_VALUE, WORD_KEY, WORD_MISSING };

/* The words of -g. The user can abbreviate them, as in perf. */
static const struct {
	const char *name;
	enum word word;
	int value;
} words[] = {
	{"none", WORD_MODE, GRAPH_NONE},
	{"graph", WORD_MODE, GRAPH_ABSOLUTE},
	{"fractal", WORD_MODE, GRAPH_RELATIVE},
	{"flat", WORD_MODE, GRAPH_FLAT},
	{"folded", WORD_MODE, GRAPH_FOLDED},
	{"caller", WORD_ORDER, true},
	{"callee", WORD_ORDER, false},
	{"percent", WORD_VALUE, GRAPH_PERCENT},
	{"period", WORD_VALUE, GRAPH_PERIOD},
	{"count", WORD_VALUE, GRAPH_COUNT},
	{"function", WORD_KEY, 0},
	{"address", WORD_MISSING, 0},
	{"srcline", WORD_MISSING, 0},
	{"branch", WORD_MISSING, 0},
};

/* Returns false if the text is not one of these words. */
static bool parse_word(struct graph_options *options, const char *text, size_t size, bool *missing)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!size || strncmp(words[i].name, text, size))
			continue;
		switch (words[i].word) {
		case WORD_MODE: options->mode = (enum graph_mode)words[i].value; break;
		case WORD_ORDER:
			options->ordered = true;
			options->caller = words[i].value;
			break;
		case WORD_VALUE: options->value = (enum graph_value)words[i].value; break;
		case WORD_KEY: break;
		case WORD_MISSING: *missing = true; break;
		}
		return true;
	}
	return false;
}

/* Parses the number at `index` of the argument. Index 0 is the threshold, and index 1 is the limit.
 */
static bool parse_number(struct graph_options *options, const char *text, size_t size,
			 unsigned int index)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(text, &end);
	if (!size || end != text + size || errno || !(number >= 0) || index > 1)
		return false;
	if (index) {
		options->limit = number < 1e9 ? (uint64_t)number : 0;
		return true;
	}
	options->threshold = number;
	return number <= 100;
}

const char *pk_graph_option_parse(struct graph_options *options, const char *text)
{
	unsigned int numbers = 0;
	bool missing = false;
	const char *word;
	size_t size;

	options->mode = GRAPH_ABSOLUTE;
	while (pk_next_word(&text, &word, &size)) {
		if (!parse_word(options, word, size, &missing) &&
		    !parse_number(options, word, size, numbers++))
			return "not like graph,0.5,caller,percent";
		if (missing)
			return "branches are functions only: no address, srcline or branch";
	}
	return NULL;
}
