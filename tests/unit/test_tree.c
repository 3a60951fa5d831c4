// SPDX-License-Identifier: BSD-2-Clause
/* The folded stacks are printed in the order of their bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "folded_lines.h"
#include "stream_builder.h"

static struct pk_tree *tree;

/* Adds a stack. `stack` is a folded line. */
static void add(const char *stack, uint64_t weight)
{
	uint32_t node = 0;

	for (;;) {
		size_t size = strcspn(stack, ";");

		node = pk_tree_node(tree, node, stack, size);
		ck_assert_uint_ne(node, 0);
		if (!stack[size])
			break;
		stack += size + 1;
	}
	pk_tree_add(tree, node, 0, weight);
}

static uint64_t cut; /* number of stacks that the last call cut */
static unsigned int columns = 1;

static char *printed(bool by_weight)
{
	const struct folded_options options = {.columns = columns, .by_weight = by_weight};
	char *data = NULL;
	size_t size;
	FILE *file = open_memstream(&data, &size);

	ck_assert(folded_print(tree, file, &options, &cut) == PK_OK);
	ck_assert_int_eq(fclose(file), 0);
	return data;
}

static void expect(const char *expected)
{
	char *found = printed(false);

	ck_assert_str_eq(found, expected);
	free(found);
	pk_tree_free(tree);
	tree = pk_tree_new();
}

START_TEST(sums)
{
	tree = pk_tree_new();
	expect("");
	add("a;b", 1);
	add("a;b", 2);
	add("a", 5);
	add("a;c;d", 7);
	add("b", UINT64_MAX);
	expect("a 5\na;b 3\na;c;d 7\nb 18446744073709551615\n");
	pk_tree_free(tree);
	pk_tree_free(NULL);
}
END_TEST

/* Stacks are compared as whole texts and not name by name, because some bytes are smaller than ';'
 * and others are larger. */
START_TEST(order)
{
	tree = pk_tree_new();
	add("a;z", 1);
	add("a b", 2);
	add("a", 3);
	add("a:b", 4);
	add("a<b", 5);
	add("ab", 6);
	add("a;", 7);
	add("a;;x", 8);
	add("a b;c", 9);
	add("\xc3\xa9", 10);
	add("A", 11);
	expect("A 11\n"
	       "a 3\n"
	       "a b 2\n"
	       "a b;c 9\n"
	       "a:b 4\n"
	       "a; 7\n"
	       "a;;x 8\n"
	       "a;z 1\n"
	       "a<b 5\n"
	       "ab 6\n"
	       "\xc3\xa9 10\n");
	pk_tree_free(tree);
}
END_TEST

START_TEST(deep)
{
	uint32_t node = 0;
	char *found;

	tree = pk_tree_new();
	for (int i = 0; i < 20000; i++)
		node = pk_tree_node(tree, node, "f", 1);
	pk_tree_add(tree, node, 0, 1);
	found = printed(false);
	ck_assert_uint_eq(strlen(found), 2 * 20000 - 1 + 3);
	free(found);
	pk_tree_free(tree);
}
END_TEST

/* ---- Comparison with a sort of the texts ---- */

struct line {
	char stack[64];
	uint64_t weight;
};

static struct line lines[3000];
static size_t count;

static int by_bytes(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	return strcmp(a->stack, b->stack);
}

static void random_line(uint64_t *seed)
{
	static const char *const names[] = {"a",    "b",  "ab", "a b", "a:", "a<", "",
					    "\xff", "a!", "aa", "(x)", "1",  "a 1"};
	size_t depth = 1 + random_below(seed, 5), at = 0;
	struct line *line = &lines[count], *found;

	for (size_t i = 0; i < depth; i++) {
		const char *name = names[random_below(seed, COUNT(names))];

		if (i)
			line->stack[at++] = ';';
		memcpy(line->stack + at, name, strlen(name));
		at += strlen(name);
	}
	line->stack[at] = '\0';
	line->weight = 1 + random_below(seed, 100);
	add(line->stack, line->weight);
	for (found = lines; strcmp(found->stack, line->stack); found++)
		;
	if (found == line)
		count++;
	else
		found->weight += line->weight;
}

START_TEST(random_stacks)
{
	uint64_t seed = 36243606936069;

	for (int turn = 0; turn < 20; turn++) {
		char *found, *at;

		tree = pk_tree_new();
		count = 0;
		for (int i = 0; i < 400; i++)
			random_line(&seed);
		qsort(lines, count, sizeof(lines[0]), by_bytes);
		at = found = printed(false);
		for (size_t i = 0; i < count; i++) {
			char expected[100];
			int size = snprintf(expected, sizeof(expected), "%s %lu\n", lines[i].stack,
					    (unsigned long)lines[i].weight);

			ck_assert_msg(!strncmp(at, expected, (size_t)size), "%.80s\nnot\n%s", at,
				      expected);
			at += size;
		}
		ck_assert_str_eq(at, "");
		free(found);
		pk_tree_free(tree);
	}
}
END_TEST

START_TEST(totals_are_of_a_node_and_all_below)
{
	uint64_t *totals;
	uint32_t a, b, c;

	tree = pk_tree_new();
	a = pk_tree_node(tree, 0, "a", 1);
	b = pk_tree_node(tree, a, "b", 1);
	c = pk_tree_node(tree, b, "c", 1);
	pk_tree_add(tree, a, 1, 5);
	pk_tree_add(tree, c, 1, 7);
	pk_tree_add(tree, c, 0, 100);
	pk_tree_add(tree, pk_tree_node(tree, 0, "d", 1), 1, 1);
	totals = pk_tree_totals(tree, 1);
	ck_assert_ptr_nonnull(totals);
	ck_assert_uint_eq(totals[a], 12);
	ck_assert_uint_eq(totals[b], 7);
	ck_assert_uint_eq(totals[c], 7);
	ck_assert_uint_eq(totals[0], 13);
	free(totals);
	pk_tree_free(tree);
}
END_TEST

START_TEST(two_columns)
{
	char *found;
	uint32_t a, b;

	tree = pk_tree_new();
	a = pk_tree_node(tree, 0, "a", 1);
	b = pk_tree_node(tree, a, "b", 1);
	pk_tree_add(tree, a, 0, 5);
	pk_tree_add(tree, b, 1, 7);
	pk_tree_add(tree, b, 1, 1);
	columns = 2;
	found = printed(false);
	ck_assert_str_eq(found, "a 5 0\na;b 0 8\n");
	free(found);
	found = printed(true);
	ck_assert_str_eq(found, "a;b 0 8\na 5 0\n");
	free(found);
	columns = 1;
	pk_tree_free(tree);
}
END_TEST

START_TEST(by_weight)
{
	char *found;

	tree = pk_tree_new();
	add("z", 3);
	add("b", 1);
	add("a;b", 3);
	add("a", 2);
	found = printed(true);
	ck_assert_str_eq(found, "a;b 3\nz 3\na 2\nb 1\n");
	free(found);
	pk_tree_free(tree);
}
END_TEST

RUN_TESTS("tree", totals_are_of_a_node_and_all_below, two_columns, by_weight, sums, order, deep,
	  random_stacks)
