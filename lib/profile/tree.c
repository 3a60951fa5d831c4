// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "tree.h"
#include "vector.h"

struct pk_tree *pk_tree_new(void)
{
	struct pk_tree *tree = calloc(1, sizeof(*tree));

	if (tree && pk_extend(&tree->nodes, &tree->capacity, 0) == PK_OK) {
		tree->count = 1;
		return tree;
	}
	free(tree);
	return NULL;
}

void pk_tree_free(struct pk_tree *tree)
{
	if (!tree)
		return;
	pk_texts_free(&tree->names);
	pk_table_free(&tree->children);
	free(tree->nodes);
	free(tree->rests);
	free(tree);
}

uint32_t pk_tree_name(struct pk_tree *tree, const char *name, size_t size)
{
	return pk_texts_add(&tree->names, name, size);
}

/* Adds a node to a parent. If the parent has children, the new node becomes the sibling after the
 * first child. Returns 0 if memory is exhausted. */
static uint32_t add_node(struct pk_tree *tree, uint32_t parent, uint32_t name)
{
	const size_t node = tree->count;
	struct pk_tree_node *nodes;
	uint32_t *link;

	if (node > UINT32_MAX ||
	    pk_reserve(&tree->nodes, &tree->capacity, node, 1, sizeof(*tree->nodes)) != PK_OK)
		return 0;
	nodes = tree->nodes;
	link = nodes[parent].first ? &nodes[nodes[parent].first].next : &nodes[parent].first;
	nodes[node] = (struct pk_tree_node){.parent = parent, .name = name, .next = *link};
	*link = (uint32_t)node;
	tree->count++;
	return (uint32_t)node;
}

uint32_t pk_tree_child(struct pk_tree *tree, uint32_t parent, uint32_t name)
{
	const uint64_t key = (uint64_t)parent << 32 | name;
	const uint32_t first = tree->nodes[parent].first;
	uint32_t node;

	if (!first)
		return add_node(tree, parent, name);
	if (tree->nodes[first].name == name)
		return first;
	node = (uint32_t)pk_table_get_u64(&tree->children, key);
	if (node || pk_table_reserve(&tree->children, tree->children.count + 1) != PK_OK)
		return node;
	node = add_node(tree, parent, name);
	return node && pk_table_add(&tree->children, key, node) == PK_OK ? node : 0;
}

uint32_t pk_tree_append(struct pk_tree *tree, uint32_t parent, const char *name, size_t size)
{
	const uint32_t number = pk_tree_name(tree, name, size);

	return number ? add_node(tree, parent, number) : 0;
}

uint32_t pk_tree_node(struct pk_tree *tree, uint32_t parent, const char *name, size_t size)
{
	const uint32_t number = pk_tree_name(tree, name, size);

	return number ? pk_tree_child(tree, parent, number) : 0;
}

enum pk_status pk_tree_add_rest(struct pk_tree *tree, uint32_t node, unsigned int column,
				uint64_t weight)
{
	PK_TRY(pk_extend(&tree->rests, &tree->rests_count, node));
	pk_add_saturating(&tree->rests[node].weights[column], weight);
	return PK_OK;
}

double pk_tree_sum(const struct pk_tree *tree, unsigned int column)
{
	double sum = 0;

	for (uint32_t node = 0; node < tree->count; node++)
		sum += (double)tree->nodes[node].self[column] +
		       (double)pk_tree_rest(tree, node, column);
	return sum;
}

void pk_tree_sum_up(const struct pk_tree *tree, unsigned int column, uint64_t *totals)
{
	for (size_t node = tree->count; --node;) {
		pk_add_saturating(&totals[node], tree->nodes[node].self[column]);
		pk_add_saturating(&totals[node], pk_tree_rest(tree, (uint32_t)node, column));
		pk_add_saturating(&totals[tree->nodes[node].parent], totals[node]);
	}
}

uint64_t *pk_tree_totals(const struct pk_tree *tree, unsigned int column)
{
	uint64_t *totals = calloc(tree->count, sizeof(*totals));

	if (totals)
		pk_tree_sum_up(tree, column, totals);
	return totals;
}
