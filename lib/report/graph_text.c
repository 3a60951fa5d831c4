// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "call_tree.h"
#include "graph_text.h"
#include "terminal.h"
#include "vector.h"

#define NAME_CHARACTERS 1024 /* longer names are cut */

/* The state of printing the branches of one node. */
struct level {
	uint32_t at,
		end; /* nodes of the branches that were not printed yet: from `at` to `end` - 1 */
	uint64_t total; /* weight that is 100 percent for the branches of the node */
	uint64_t rest,
		rest_count; /* weight and number of samples of the branches that were not printed */
	uint64_t printed;
	bool line; /* a vertical line leads to the next branch */
};

/* The state of printing the tree of one row. */
struct printer {
	struct graph_text *text;
	struct buffer *out;
	const struct graph_options *options;
	struct call_tree tree;
	struct level levels[GRAPH_LEVELS_MAX];
	unsigned int depth, margin;
	size_t most; /* greatest size of `out` that the allowance permits */
};

/* The cost of a byte of a tree's text. It is greater than for other texts, because trees repeat the
 * same names many times. */
#define TEXT_COST 8
/* The cost of visiting a node. Nodes that are deeper than the limit add to the weights of the tree,
 * but they add no text, so they are paid for here. */
#define VISIT_COST 32

/* ---- Parts of lines ---- */

static void add_value(const struct graph_text *text, struct buffer *out, uint64_t weight,
		      uint64_t count, uint64_t total)
{
	const uint64_t totals[] = {weight, count};
	const bool colours = text->colour && text->options->value == GRAPH_PERCENT;
	const char *colour = colours ? pk_share_colour(pk_call_tree_percent(weight, total)) : "";

	buffer_text(out, colour);
	pk_call_tree_value(text->options, totals, total, out);
	buffer_text(out, *colour ? PK_COLOUR_END : "");
}

static void add_blanks(struct buffer *out, unsigned int count)
{
	while (count--)
		buffer_char(out, ' ');
}

static void add_name(struct printer *p, uint32_t node)
{
	size_t size = 0;
	const char *name = pk_call_tree_name(&p->tree, node, &size);

	buffer_valid(p->out, name, size, NAME_CHARACTERS);
}

static void add_margin(struct printer *p)
{
	add_blanks(p->out, 12 + p->margin);
}

/* Appends the vertical lines of the first `count` levels. */
static void add_levels(struct printer *p, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		buffer_text(p->out, p->levels[i].line ? "|          " : "           ");
}

/* Appends the start of a branch's line, such as "|--12.34%--". */
static void add_branch(struct printer *p, uint64_t weight, uint64_t count, uint64_t total)
{
	add_margin(p);
	add_levels(p, p->depth - 1);
	buffer_text(p->out, p->levels[p->depth - 1].line ? "|--" : " --");
	add_value(p->text, p->out, weight, count, total);
	buffer_text(p->out, "--");
}

/* ---- Trees ---- */

/* Opens `node` and, while a node is joined with its only child, also this child. Sets *end to the
 * last opened node. */
static enum pk_status open_chain(struct printer *p, uint32_t node, uint32_t *end)
{
	for (;; node = p->tree.nodes[node].first) {
		*end = node;
		PK_TRY(pk_call_tree_open(&p->tree, node));
		if (!pk_call_tree_is_joined(&p->tree, node))
			return PK_OK;
	}
}

/* Adds a level for the branches of an opened node. */
static void open_level(struct printer *p, uint32_t number, uint64_t total)
{
	const struct call_node *node = &p->tree.nodes[number];
	struct level *level = &p->levels[p->depth];

	if (p->depth == GRAPH_LEVELS_MAX) {
		p->text->cut += node->count != 0;
		return;
	}
	*level = (struct level){.at = node->first,
				.end = node->first + pk_call_tree_visible(&p->tree, number),
				.total = total,
				.rest = total,
				.rest_count = node->below[1],
				.line = true};
	p->depth++;
}

/* Prints the names of a branch and adds the level of its branches. */
static enum pk_status print_branch(struct printer *p, struct level *level)
{
	const uint32_t number = level->at++;
	const struct call_node *node = &p->tree.nodes[number];
	const bool relative = p->options->mode == GRAPH_RELATIVE;
	uint32_t end;

	level->rest -= node->totals[0];
	level->rest_count -= node->totals[1];
	level->printed++;
	add_margin(p);
	add_levels(p, p->depth);
	buffer_char(p->out, '\n');
	if (level->at == level->end && (!relative || !level->rest))
		level->line = false;
	add_branch(p, node->totals[0], node->totals[1], level->total);
	PK_TRY(open_chain(p, number, &end));
	for (uint32_t at = number;; at = p->tree.nodes[at].first) {
		if (at != number) {
			add_margin(p);
			add_levels(p, p->depth);
		}
		add_name(p, at);
		buffer_char(p->out, '\n');
		if (at == end)
			break;
	}
	open_level(p, end, relative ? p->tree.nodes[end].below[0] : level->total);
	return PK_OK;
}

/* Prints the share that the hidden branches of a level have together. */
static void print_rest(struct printer *p, struct level *level)
{
	if (p->options->mode != GRAPH_RELATIVE || !level->rest || level->rest == level->total ||
	    (p->options->value == GRAPH_COUNT && !level->rest_count))
		return;
	level->line = false;
	add_branch(p, level->rest, level->rest_count, level->total);
	buffer_text(p->out, "[...]\n");
}

static enum pk_status print_levels(struct printer *p)
{
	while (p->depth) {
		struct level *level = &p->levels[p->depth - 1];

		if (p->out->size > p->most)
			return PK_OK;
		if (level->at < level->end &&
		    (!p->options->limit || level->printed < p->options->limit)) {
			PK_TRY(print_branch(p, level));
			continue;
		}
		print_rest(p, level);
		p->depth--;
	}
	return PK_OK;
}

/* Prints the names from `root` to `end` if the tree has only one root. No value is printed. */
static void print_root(struct printer *p, uint32_t root, uint32_t end)
{
	uint64_t printed = 0;
	bool skip = p->text->skip_first, first = true;

	for (uint32_t at = root;; at = p->tree.nodes[at].first) {
		if (!skip && first) {
			add_margin(p);
			buffer_text(p->out, "|\n");
			add_margin(p);
			buffer_text(p->out, "---");
			p->margin += 3;
			first = false;
		} else if (!skip) {
			add_margin(p);
		}
		if (!skip) {
			add_name(p, at);
			buffer_char(p->out, '\n');
			if (++printed == p->options->limit)
				break;
		}
		skip = false;
		if (at == end)
			break;
	}
}

/* Prints the tree as a graph. */
static enum pk_status print_graph(struct printer *p)
{
	const size_t before = p->out->size;
	const struct call_tree *tree = &p->tree;
	uint32_t node = 0;

	PK_TRY(pk_call_tree_start(&p->tree));
	PK_TRY(pk_call_tree_open(&p->tree, 0));
	if (pk_call_tree_visible(tree, 0) == 1 &&
	    tree->nodes[tree->nodes[0].first].totals[0] == tree->weight) {
		const uint32_t root = tree->nodes[0].first;

		PK_TRY(open_chain(p, root, &node));
		print_root(p, root, node);
	}
	open_level(p, node, pk_call_tree_whole(tree, 0));
	PK_TRY(print_levels(p));
	if (p->out->size > before)
		buffer_char(p->out, '\n');
	return PK_OK;
}

/* ---- Lines ---- */

/* Lists the nodes of a tree that have samples of their own. Each of these nodes is the end of a
 * printed path. */
struct ends {
	struct graph_text *text;
	struct buffer *out;
	const struct pk_tree *tree;
	uint64_t *totals, *counts; /* weights and numbers of samples of each node with its
				    * descendants, by number of the node */
	uint32_t *list;
	size_t list_count, list_capacity;
	uint32_t *way;
	size_t way_capacity;
	size_t most; /* greatest size of `out` that the allowance permits */
};

static int compare_ends(const void *left, const void *right, void *arg)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct ends *ends = arg;
	const uint64_t weight_a = ends->tree->nodes[a].self[0];
	const uint64_t weight_b = ends->tree->nodes[b].self[0];

	if (weight_a != weight_b)
		return weight_a < weight_b ? 1 : -1;
	return (a > b) - (a < b);
}

/* Lists the nodes that have enough weight of their own, sorted by this weight. */
static enum pk_status list_ends(struct ends *ends, uint64_t total)
{
	for (uint32_t node = 1; node < ends->tree->count; node++) {
		const uint64_t weight = ends->tree->nodes[node].self[0];

		if (!weight || pk_call_tree_is_light(ends->text->options, weight, total))
			continue;
		PK_TRY(pk_reserve(&ends->list, &ends->list_capacity, ends->list_count, 1,
				  sizeof(*ends->list)));
		ends->list[ends->list_count++] = node;
	}
	if (ends->list_count)
		qsort_r(ends->list, ends->list_count, sizeof(*ends->list), compare_ends, ends);
	return PK_OK;
}

/* Prints the path to a node. In the flat layout, each name is on a separate line. In the folded
 * layout, all names are on one line. */
static enum pk_status print_path(struct ends *ends, uint32_t node, uint64_t total)
{
	const struct graph_text *text = ends->text;
	const bool flat = text->options->mode == GRAPH_FLAT;
	const char *separator = text->separator ? text->separator : ";", *name;
	const struct pk_tree_node *nodes = ends->tree->nodes;
	size_t length = 0, size;

	add_blanks(ends->out, flat ? 11 : 0);
	/* In the flat layout, perf prints the weight with callees, but it sorts by the weight
	 * without callees. */
	if (flat)
		add_value(text, ends->out, ends->totals[node], ends->counts[node], total);
	else
		add_value(text, ends->out, nodes[node].self[0], nodes[node].self[1], total);
	buffer_char(ends->out, flat ? '\n' : ' ');
	for (uint32_t at = node; at; at = nodes[at].parent) {
		PK_TRY(pk_reserve(&ends->way, &ends->way_capacity, length, 1, sizeof(*ends->way)));
		ends->way[length++] = at;
	}
	while (length) {
		add_blanks(ends->out, flat ? 16 : 0);
		size = 0;
		name = pk_texts_get(&text->forest->tree->names, nodes[ends->way[--length]].name,
				    &size);
		buffer_valid(ends->out, name, size, NAME_CHARACTERS);
		buffer_text(ends->out, flat ? "\n" : length ? separator : "");
	}
	buffer_char(ends->out, '\n');
	return PK_OK;
}

static enum pk_status print_paths(struct ends *ends, uint64_t total)
{
	const uint64_t limit = ends->text->options->limit;

	PK_TRY(list_ends(ends, total));
	for (size_t i = 0; i < ends->list_count; i++) {
		if ((limit && i == limit) || ends->out->size > ends->most)
			break;
		PK_TRY(print_path(ends, ends->list[i], total));
	}
	return PK_OK;
}

/* Returns the size that `out` can have before the allowance is spent. */
static size_t most_of(const struct graph_text *text, const struct buffer *out)
{
	return out->size + text->allowance->left / TEXT_COST;
}

static enum pk_status ends_text(struct graph_text *text, struct buffer *out, uint32_t row,
				uint64_t total)
{
	uint64_t visited;
	struct pk_tree *tree = pk_forest_row(text->forest, row, text->caller, text->children,
					     text->options->depth, &visited);
	struct ends ends = {.text = text, .out = out, .tree = tree};
	enum pk_status status = PK_NOMEM;

	if (!pk_allowance_spend(text->allowance, visited * VISIT_COST))
		text->allowance->left = 0;
	ends.most = most_of(text, out);
	ends.totals = tree ? pk_tree_totals(tree, 0) : NULL;
	ends.counts = tree ? pk_tree_totals(tree, 1) : NULL;
	if (ends.totals && ends.counts)
		status = print_paths(&ends, total);
	free(ends.totals);
	free(ends.counts);
	free(ends.list);
	free(ends.way);
	pk_tree_free(tree);
	return status;
}

/* ---- All ---- */

/* Reduces the allowance by the cost of the text that was added. */
static void pay(struct graph_text *text, const struct buffer *out, size_t before)
{
	const uint64_t cost = (uint64_t)(out->size - before) * TEXT_COST;

	if (!pk_allowance_spend(text->allowance, cost)) {
		text->allowance->left = 0;
		text->rows_cut++;
	}
}

enum pk_status pk_graph_text(struct graph_text *text, struct buffer *out, uint32_t row,
			     uint64_t weight, uint64_t total)
{
	struct printer p = {.text = text,
			    .out = out,
			    .options = text->options,
			    .tree = {.forest = text->forest,
				     .options = text->options,
				     .row = row,
				     .caller = text->caller,
				     .children = text->children,
				     .weight = weight,
				     .total = total}};
	const size_t before = out->size;
	enum pk_status status;

	if (pk_call_tree_is_light(text->options, weight, total))
		return PK_OK;
	if (!text->allowance->left) {
		text->rows_cut++;
		return PK_OK;
	}
	if (text->options->mode == GRAPH_FLAT || text->options->mode == GRAPH_FOLDED) {
		status = ends_text(text, out, row, total);
	} else {
		p.most = most_of(text, out);
		status = print_graph(&p);
		pk_call_tree_free(&p.tree);
	}
	if (!out->failed)
		pay(text, out, before);
	PK_TRY(status);
	return out->failed ? PK_NOMEM : PK_OK;
}
