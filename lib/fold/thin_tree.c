// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "safe_text.h"
#include "thin_tree.h"
#include "vector.h"

#define DROPPED_SHARE 0.1 /* nodes with at most this part of the share are dropped */

/* ---- Tails ---- */

static struct thin_tail *tail_of(const struct thin_tree *thin, uint32_t node)
{
	const uint32_t tail = node < thin->of_node_count ? thin->of_node[node] : 0;

	return tail ? &thin->tails.items[tail - 1] : NULL;
}

static void add_weights(struct thin_tree *thin, uint32_t node, const uint64_t *weights)
{
	for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++)
		pk_tree_add(thin->tree, node, i, weights[i]);
}

/* Returns the child of a node with this name, or 0 if memory is exhausted. */
static uint32_t find_child(struct thin_tree *thin, uint32_t node, const char *name, size_t size)
{
	struct buffer *text = &thin->name;

	text->size = 0;
	buffer_add(text, name, size);
	pk_harmless_bytes(text->data, text->size);
	return text->failed ? 0 : pk_tree_node(thin->tree, node, text->data, text->size);
}

static enum pk_status add_tail(struct thin_tree *thin, uint32_t node, const char *stack,
			       size_t size, const uint64_t *weights)
{
	const size_t at = thin->text.size;
	struct thin_tail *tail;

	if (size > UINT32_MAX || thin->tails.count >= UINT32_MAX)
		return PK_NOMEM;
	PK_TRY(pk_vector_reserve(&thin->tails, 1));
	PK_TRY(pk_extend(&thin->of_node, &thin->of_node_count, node));
	buffer_add(&thin->text, stack, size);
	if (thin->text.failed)
		return PK_NOMEM;
	tail = &thin->tails.items[thin->tails.count++];
	*tail = (struct thin_tail){.at = at, .size = (uint32_t)size, .node = node};
	memcpy(tail->weights, weights, sizeof(tail->weights));
	thin->of_node[node] = (uint32_t)thin->tails.count;
	return PK_OK;
}

/* Returns the size of the first frame of a stack, in bytes. */
static size_t frame_size(const char *stack, size_t size)
{
	const char *semicolon = size ? memchr(stack, ';', size) : NULL;

	return semicolon ? (size_t)(semicolon - stack) : size;
}

/* Makes a node from the first frame of a tail. */
static enum pk_status expand(struct thin_tree *thin, struct thin_tail *tail)
{
	const char *stack = thin->text.data + tail->at;
	const size_t end = frame_size(stack, tail->size);
	const uint32_t child = find_child(thin, tail->node, stack, end);

	if (!child)
		return PK_NOMEM;
	PK_TRY(pk_extend(&thin->of_node, &thin->of_node_count, child));
	thin->of_node[child] = thin->of_node[tail->node];
	thin->of_node[tail->node] = 0;
	tail->node = child;
	if (end + 1 < tail->size) {
		tail->at += end + 1;
		tail->size -= (uint32_t)end + 1;
		return PK_OK;
	}
	add_weights(thin, child, tail->weights);
	thin->of_node[child] = 0;
	tail->node = 0;
	return PK_OK;
}

uint32_t pk_thin_tree_step(struct thin_tree *thin, uint32_t node, const char *stack, size_t size,
			   const uint64_t *weights, bool *ended)
{
	const size_t end = frame_size(stack, size);
	struct thin_tail *tail = tail_of(thin, node);
	uint32_t child;
	size_t before;

	*ended = tail && tail->size == size && !memcmp(thin->text.data + tail->at, stack, size);
	if (*ended) {
		for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++)
			pk_add_saturating(&tail->weights[i], weights[i]);
		return node;
	}
	if (tail && expand(thin, tail) != PK_OK)
		return 0;
	before = thin->tree->count;
	child = find_child(thin, node, stack, end);
	if (!child || child < before || end + 1 >= size)
		return child;
	*ended = true;
	return add_tail(thin, child, stack + end + 1, size - end - 1, weights) == PK_OK ? child : 0;
}

/* ---- Dropping ---- */

/* The state of pruning. It contains the nodes and tails that are not dropped, with their new
 * numbers. */
struct pruning {
	struct thin_tree *old, made;
	uint64_t *totals;
	/* For each name of the old tree, the number of the same name in the new tree. It is 0 if
	 * the new tree does not have the name yet. The index is the number of the name in the old
	 * tree. */
	uint32_t *names;
	struct moved {
		/* The node of the new tree that gets the weights of this node. It is the same node
		 * or, if this node is dropped, its nearest ancestor that is not dropped. */
		uint32_t to;
		bool dropped;
	} * moved;
	size_t lack; /* how many items of old->lacks were reached, because they start at or before
		      * the current node */
	double least;
};

static uint64_t count_frames(const char *stack, size_t size)
{
	uint64_t count = 1;

	for (size_t i = 0; i < size; i++)
		count += stack[i] == ';';
	return count;
}

/* Adds the weights of a dropped node to a node of the new tree, as weights of missing descendants
 * (pk_tree_add_rest()). */
static enum pk_status drop_weights(struct thin_tree *thin, uint32_t node, const uint64_t *weights)
{
	enum pk_status status = PK_OK;

	for (unsigned int i = 0; status == PK_OK && i < PK_TREE_COLUMNS; i++)
		status = weights[i] ? pk_tree_add_rest(thin->tree, node, i, weights[i]) : PK_OK;
	return status;
}

/* Drops a tail of the old tree. Adds its weights to a node of the new tree, as weights of missing
 * descendants. */
static enum pk_status drop_tail(struct thin_tree *old, struct thin_tree *made, uint32_t node,
				const struct thin_tail *tail)
{
	if (tail->weights[made->column])
		made->dropped += count_frames(old->text.data + tail->at, tail->size);
	return drop_weights(made, node, tail->weights);
}

/* Returns the weights of all nodes. The weight of a node includes its descendants and tails.
 * Returns NULL if memory is exhausted. */
static uint64_t *totals_of(const struct thin_tree *thin)
{
	uint64_t *totals = calloc(thin->tree->count, sizeof(*totals));

	if (!totals)
		return NULL;
	for (size_t i = 0; i < thin->tails.count; i++)
		totals[thin->tails.items[i].node] = thin->tails.items[i].weights[thin->column];
	totals[0] = 0; /* Tails that are not used any more have node 0. Their weights must be
			  ignored. */
	pk_tree_sum_up(thin->tree, thin->column, totals);
	return totals;
}

/* Returns the number that identifies the name of this node in the new tree. Returns 0 if memory is
 * exhausted. */
static uint32_t move_name(struct pruning *p, uint32_t node)
{
	uint32_t *name = &p->names[p->old->tree->nodes[node].name];
	size_t size;
	const char *text;

	if (!*name) {
		text = pk_tree_text(p->old->tree, node, &size);
		*name = pk_tree_name(p->made.tree, text, size);
	}
	return *name;
}

/* Moves the node, its weights and its tail to the new tree. If the node is dropped, moves only the
 * weights, to its nearest ancestor that is not dropped. */
static enum pk_status move_node(struct pruning *p, uint32_t node, double lack)
{
	const struct pk_tree_node *from = &p->old->tree->nodes[node];
	const struct thin_tail *tail = tail_of(p->old, node);
	struct moved *moved = &p->moved[node];
	uint64_t rest[PK_TREE_COLUMNS];
	uint32_t name;

	for (unsigned int i = 0; i < PK_TREE_COLUMNS; i++)
		rest[i] = pk_tree_rest(p->old->tree, node, i);
	moved->to = p->moved[from->parent].to;
	if (moved->dropped) {
		p->made.dropped++;
		PK_TRY(drop_weights(&p->made, moved->to, from->self));
		PK_TRY(drop_weights(&p->made, moved->to, rest));
		return tail ? drop_tail(p->old, &p->made, moved->to, tail) : PK_OK;
	}
	name = move_name(p, node);
	moved->to = name ? pk_tree_child(p->made.tree, moved->to, name) : 0;
	if (!moved->to)
		return PK_NOMEM;
	PK_TRY(drop_weights(&p->made, moved->to, rest));
	add_weights(&p->made, moved->to, from->self);
	if (!tail)
		return PK_OK;
	if ((double)tail->weights[p->made.column] + lack <= p->least)
		return drop_tail(p->old, &p->made, moved->to, tail);
	return add_tail(&p->made, moved->to, p->old->text.data + tail->at, tail->size,
			tail->weights);
}

/* Notes that each node with the number `node` or a higher number can lack a weight, which is at
 * most `weight`. */
static enum pk_status add_lack(struct thin_tree *thin, size_t node, double weight)
{
	PK_TRY(pk_reserve(&thin->lacks, &thin->lacks_capacity, thin->lacks_count, 1,
			  sizeof(*thin->lacks)));
	thin->lacks[thin->lacks_count++] = (struct thin_lack){(uint32_t)node, weight};
	return PK_OK;
}

static enum pk_status move_nodes(struct pruning *p)
{
	const struct pk_tree *tree = p->old->tree;
	double lack = 0;

	for (uint32_t node = 1; node < tree->count; node++) {
		for (; p->lack < p->old->lacks_count && p->old->lacks[p->lack].node <= node;
		     p->lack++) {
			lack = p->old->lacks[p->lack].weight;
			PK_TRY(add_lack(&p->made, p->made.tree->count, lack));
		}
		p->moved[node].dropped = p->moved[tree->nodes[node].parent].dropped ||
					 (double)p->totals[node] + lack <= p->least;
		PK_TRY(move_node(p, node, lack));
	}
	return add_lack(&p->made, p->made.tree->count, p->least);
}

static void free_all(struct thin_tree *thin)
{
	free(thin->tails.items);
	free(thin->text.data);
	free(thin->of_node);
	free(thin->lacks);
	free(thin->name.data);
}

/* Replaces the old tree by the new one. */
static void replace(struct thin_tree *thin, struct thin_tree *made)
{
	struct pk_tree *const tree = thin->tree, old = *tree;

	*tree = *made->tree;
	*made->tree = old;
	pk_tree_free(made->tree);
	free_all(thin);
	*thin = *made;
	thin->tree = tree;
}

static enum pk_status prune(struct thin_tree *thin)
{
	const struct pk_tree *tree = thin->tree;
	struct pruning p = {.old = thin,
			    .made = {.tree = pk_tree_new(),
				     .share = thin->share,
				     .column = thin->column,
				     .nodes_most = thin->nodes_most,
				     .bytes_most = thin->bytes_most,
				     .dropped = thin->dropped,
				     .sum = thin->sum},
			    .totals = totals_of(thin),
			    .names = calloc(tree->names.count + 1, sizeof(*p.names)),
			    .moved = calloc(tree->count, sizeof(*p.moved)),
			    .least = DROPPED_SHARE * thin->share * thin->sum};
	const enum pk_status status =
		p.made.tree && p.totals && p.names && p.moved ? move_nodes(&p) : PK_NOMEM;

	if (status == PK_OK) {
		replace(thin, &p.made);
	} else {
		pk_tree_free(p.made.tree);
		free_all(&p.made);
	}
	free(p.totals);
	free(p.names);
	free(p.moved);
	return status;
}

/* Raises a limit to at least twice the used size after pruning. With less free space, pruning would
 * happen too often. */
static void set_limit(size_t *limit, size_t used)
{
	if (used > *limit / 2)
		*limit = used * 2;
}

enum pk_status pk_thin_tree_count(struct thin_tree *thin, const uint64_t *weights, bool *changed)
{
	thin->sum += (double)weights[thin->column];
	*changed = false;
	/* Nothing is dropped when the second column is filled. A node with a small weight there can
	 * have a large weight in the base. */
	if (thin->share <= 0 || thin->column)
		return PK_OK;
	if (!thin->nodes_most)
		thin->nodes_most = THIN_NODES;
	if (!thin->bytes_most)
		thin->bytes_most = THIN_BYTES;
	if (thin->tree->count <= thin->nodes_most && thin->text.size <= thin->bytes_most)
		return PK_OK;
	*changed = true;
	PK_TRY(prune(thin));
	set_limit(&thin->nodes_most, thin->tree->count);
	set_limit(&thin->bytes_most, thin->text.size);
	return PK_OK;
}

enum pk_status pk_thin_tree_finish(struct thin_tree *thin, double share)
{
	/* This is a little less than the share, because readers of the tree round differently. */
	const double least = share * thin->sum * 0.999;
	enum pk_status status = PK_OK;

	for (size_t i = 0; status == PK_OK && i < thin->tails.count; i++) {
		struct thin_tail *tail = &thin->tails.items[i];

		while (status == PK_OK && tail->node &&
		       (double)tail->weights[thin->column] >= least)
			status = expand(thin, tail);
		if (status != PK_OK || !tail->node)
			continue;
		status = drop_tail(thin, thin, tail->node, tail);
		thin->of_node[tail->node] = 0;
	}
	thin->tails.count = thin->text.size = 0;
	return status;
}

void pk_thin_tree_free(struct thin_tree *thin)
{
	free_all(thin);
	*thin = (struct thin_tree){0};
}
