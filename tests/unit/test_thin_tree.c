// SPDX-License-Identifier: BSD-2-Clause
/* Compares trees of which only frames with a given share of the weight are needed with complete
 * trees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream_builder.h"
#include "thin_tree.h"

static struct thin_tree thin;
static struct pk_tree *whole;

static void start(double share)
{
	thin = (struct thin_tree){.tree = pk_tree_new(), .share = share};
	whole = pk_tree_new();
	ck_assert_ptr_nonnull(thin.tree);
	ck_assert_ptr_nonnull(whole);
}

static void end(void)
{
	pk_tree_free(thin.tree);
	pk_tree_free(whole);
	pk_thin_tree_free(&thin);
}

static void add_whole(const char *stack, uint64_t weight)
{
	uint32_t node = 0;

	for (;;) {
		const size_t size = strcspn(stack, ";");

		node = pk_tree_node(whole, node, stack, size);
		if (!stack[size])
			break;
		stack += size + 1;
	}
	pk_tree_add(whole, node, 0, weight);
}

/* Adds a stack to both trees. Returns true if nodes were dropped from the thin tree. */
static bool add(const char *stack, uint64_t weight)
{
	const uint64_t weights[PK_TREE_COLUMNS] = {weight};
	size_t at = 0, size = strlen(stack);
	bool ended = false, changed;
	uint32_t node = 0;

	add_whole(stack, weight);
	while (!ended && at < size) {
		node = pk_thin_tree_step(&thin, node, stack + at, size - at, weights, &ended);
		ck_assert_uint_ne(node, 0);
		at += strcspn(stack + at, ";") + 1;
	}
	if (!ended)
		pk_tree_add(thin.tree, node, 0, weight);
	ck_assert(pk_thin_tree_count(&thin, weights, &changed) == PK_OK);
	return changed;
}

/* Returns the node of the thin tree for a node of the complete tree, or 0 if there is no such node.
 */
static uint32_t find(uint32_t node)
{
	uint32_t parent, child;
	const char *name, *other;
	size_t size, length;

	if (!node)
		return 0;
	parent = find(whole->nodes[node].parent);
	if (whole->nodes[node].parent && !parent)
		return 0;
	name = pk_tree_text(whole, node, &size);
	for (child = thin.tree->nodes[parent].first; child; child = thin.tree->nodes[child].next) {
		other = pk_tree_text(thin.tree, child, &length);
		if (length == size && !memcmp(name, other, size))
			return child;
	}
	return 0;
}

/* Checks that each node of at least `least` is in the thin tree, and that its weight there is too
 * small by at most `lack`. Returns the number of these nodes. */
static unsigned int compare(double least, double lack)
{
	uint64_t *wanted = pk_tree_totals(whole, 0), *found = pk_tree_totals(thin.tree, 0);
	unsigned int count = 0;

	ck_assert_uint_eq(wanted[0], found[0]);
	for (uint32_t node = 1; node < whole->count; node++) {
		uint32_t other;

		if ((double)wanted[node] < least)
			continue;
		other = find(node);
		ck_assert_msg(other, "node %u of weight %lu is missing", node,
			      (unsigned long)wanted[node]);
		ck_assert_uint_le(found[other], wanted[node]);
		ck_assert_double_le((double)(wanted[node] - found[other]), lack);
		count++;
	}
	free(wanted);
	free(found);
	return count;
}

/* Returns the number of nodes of the complete tree with at least this weight. */
static unsigned int count_from(double least)
{
	uint64_t *totals = pk_tree_totals(whole, 0);
	unsigned int count = 0;

	for (uint32_t node = 1; node < whole->count; node++)
		count += (double)totals[node] >= least;
	free(totals);
	return count;
}

START_TEST(tails_become_nodes)
{
	start(0);
	add("a;b;c", 1);
	add("a;b;c", 2);
	ck_assert_uint_eq(thin.tree->count, 2);
	add("a;b;c;d", 4);
	add("a;b", 8);
	add("a", 16);
	add("a;b;c;d;e;f", 32);
	add("a;x;;y", 64);
	add("b", 128);
	add("b;c", 256);
	ck_assert(pk_thin_tree_finish(&thin, 0) == PK_OK);
	ck_assert_uint_eq(thin.tree->count, whole->count);
	ck_assert_uint_eq(compare(0, 0), whole->count - 1);
	ck_assert_uint_eq(thin.dropped, 0);
	end();
}
END_TEST

START_TEST(thin_tails_are_missing)
{
	start(0.01);
	add("a;b;c;d", 1000);
	add("a;x;y;z", 1);
	add("q;r", 2);
	ck_assert(pk_thin_tree_finish(&thin, 0.01) == PK_OK);
	/* a, b, c, d, x and q are nodes. y, z and r were dropped. */
	ck_assert_uint_eq(thin.tree->count, 7);
	ck_assert_uint_eq(thin.dropped, 3);
	ck_assert_uint_eq(compare(10, 0), 4);
	end();
}
END_TEST

/* A few stacks have a large weight. Most stacks have a small weight, and some of these occur many
 * times. */
START_TEST(dropped_while_reading)
{
	unsigned int dropped = 0, seed = 7;
	char stack[200];

	start(0.001);
	thin.nodes_most = 500;
	thin.bytes_most = 20000;
	for (unsigned int i = 0; i < 60000; i++) {
		const char *common = i % 3 ? "main;loop" : "main;other;inner";
		unsigned int a, b;

		seed = seed * 1103515245 + 12345;
		a = (seed >> 16) % (i % 5 ? 20 : 3000);
		b = (seed >> 8) % 50;
		snprintf(stack, sizeof(stack), "%s;f%u;g%u;h%u;i%u", common, a, b, i % 7 ? 0 : i,
			 a);
		dropped += add(stack, 1 + i % 4);
	}
	ck_assert_uint_gt(dropped, 5);
	/* Up to half of the remaining nodes can be new since nodes were dropped. */
	ck_assert_uint_lt(thin.tree->count, 2 * count_from(thin.sum * 0.0001) + 500);
	ck_assert_uint_lt(thin.tree->count, whole->count / 5);
	ck_assert(pk_thin_tree_finish(&thin, 0.001) == PK_OK);
	ck_assert_uint_gt(compare(thin.sum * 0.0011, thin.sum * 0.0001), 40);
	end();
}
END_TEST

RUN_TESTS("thin_tree", tails_become_nodes, thin_tails_are_missing, dropped_while_reading)
