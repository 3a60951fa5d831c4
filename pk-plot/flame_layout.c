// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "flame_layout.h"
#include "folded.h"
#include "palette.h"
#include "paths.h"
#include "vector.h"

struct child {
	const char *name;
	size_t size;
	uint32_t node;
};

struct children {
	struct child *items;
	size_t count, capacity;
};

static int by_number(const void *left, const void *right)
{
	const struct child *a = left, *b = right;

	return (a->node > b->node) - (a->node < b->node);
}

static int compare(const void *left, const void *right)
{
	const struct child *a = left, *b = right;
	int order = memcmp(a->name, b->name, a->size < b->size ? a->size : b->size);

	if (!order)
		order = (a->size > b->size) - (a->size < b->size);
	return order ? order : by_number(left, right);
}

/* The children of a node that have a weight, in their order. False: out of memory. */
static bool list_children(struct children *children, const struct flame_layout *layout,
			  uint32_t parent)
{
	const struct pk_tree *tree = layout->tree;

	children->count = 0;
	for (uint32_t node = tree->nodes[parent].first; node; node = tree->nodes[node].next) {
		const char *object;
		struct child *child;
		size_t object_size;

		if (!layout->totals[node])
			continue;
		if (!pk_vector_reserve(children, 1))
			return false;
		child = &children->items[children->count++];
		child->node = node;
		child->name = pk_tree_text(tree, node, &child->size);
		if (layout->objects)
			child->size = frame_split(&child->name, child->size, &object, &object_size);
	}
	if (children->count > 1)
		qsort(children->items, children->count, sizeof(*children->items),
		      layout->in_order ? by_number : compare);
	return true;
}

static bool add_box(struct flame_layout *layout, uint32_t node, uint64_t start)
{
	if (!pk_reserve(&layout->boxes, &layout->capacity, layout->count, 1,
			sizeof(*layout->boxes)))
		return false;
	layout->boxes[layout->count++] = (struct flame_box){start, node};
	return true;
}

static bool add_row(struct flame_layout *layout)
{
	if (!pk_reserve(&layout->rows, &layout->rows_capacity, layout->rows_count, 1,
			sizeof(*layout->rows)))
		return false;
	layout->rows[layout->rows_count++] = layout->count;
	return true;
}

static bool is_gap(const struct flame_layout *layout, uint32_t node)
{
	size_t size;
	const char *name = pk_tree_text(layout->tree, node, &size);

	return layout->in_order && size == strlen(FOLDED_GAP) && !memcmp(name, FOLDED_GAP, size);
}

/* Bytes of a box in the picture. Its name stands there twice. */
#define BOX_COST 256

/* Whether the allowance suffices for the box. A box is drawn above drawn ones only. */
static bool pay_box(struct flame_layout *layout, uint32_t node)
{
	size_t size;

	pk_tree_text(layout->tree, node, &size);
	if (pk_allowance_spend(layout->allowance, BOX_COST + 2 * (uint64_t)size))
		return true;
	layout->cut++;
	return false;
}

static bool add_children(struct flame_layout *layout, struct children *children, size_t box,
			 double least)
{
	uint64_t start = layout->boxes[box].start;

	if (!list_children(children, layout, layout->boxes[box].node))
		return false;
	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->items[i];
		const uint64_t total = layout->totals[child->node];

		if ((double)total >= least && !is_gap(layout, child->node) &&
		    pay_box(layout, child->node) &&
		    !add_box(layout, children->items[i].node, start))
			return false;
		if (__builtin_add_overflow(start, total, &start))
			start = UINT64_MAX;
	}
	return true;
}

static bool add_rows(struct flame_layout *layout, struct children *children, double least)
{
	size_t first = 0;

	if (!add_row(layout) || !add_box(layout, 0, 0) || !add_row(layout))
		return false;
	while (first < layout->count && layout->rows_count < PK_PATH_DEPTH_MAX) {
		const size_t end = layout->count;

		for (; first < end; first++)
			if (!add_children(layout, children, first, least))
				return false;
		if (layout->count > end && !add_row(layout))
			return false;
	}
	return true;
}

bool flame_layout(struct flame_layout *layout, bool pairs, double least)
{
	const struct pk_tree *tree = layout->tree;
	struct children children = {0};
	bool done;

	layout->totals = pk_tree_totals(tree, pairs ? 1 : 0);
	layout->bases = pairs ? pk_tree_totals(tree, 0) : NULL;
	done = layout->totals && (!pairs || layout->bases) && add_rows(layout, &children, least);
	for (size_t node = 1; done && node < tree->count; node++)
		layout->hidden += layout->totals[node] != 0 && !is_gap(layout, (uint32_t)node);
	layout->hidden -= layout->count ? layout->count - 1 : 0;
	free(children.items);
	return done;
}

void flame_layout_free(struct flame_layout *layout)
{
	free(layout->totals);
	free(layout->bases);
	free(layout->boxes);
	free(layout->rows);
}
