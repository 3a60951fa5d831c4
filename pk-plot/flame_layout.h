/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FLAME_LAYOUT_H
#define PK_FLAME_LAYOUT_H

/* Which nodes of a tree are drawn, and where: rows of boxes, the roots first. */

#include "allowance.h"
#include "tree.h"

struct flame_box {
	uint64_t start; /* weight to the left of the box */
	uint32_t node;	/* of the tree; 0: the box of all roots */
};

struct flame_layout {
	/* Set by the caller. */
	const struct pk_tree *tree;
	bool in_order; /* children are in the order of their numbers, and nodes of the name
			* FOLDED_GAP are gaps; else they are sorted by name */
	bool objects;  /* names start with an object (see frame_split()), which sorting ignores */

	struct pk_allowance *allowance; /* what the boxes may cost */

	/* Set by flame_layout(). */
	uint64_t *totals; /* weights of nodes with their descendants, that determine the widths */
	uint64_t *bases;  /* the same of the base; NULL: no differences */
	struct flame_box *boxes; /* row by row, in a row from left to right */
	size_t count, capacity;
	size_t *rows; /* index of the first box of each row, and the end of the last one */
	size_t rows_count, rows_capacity;
	uint64_t hidden; /* number of nodes that are not drawn */
	uint64_t cut; /* those of them that the allowance did not suffice for, with others above */
};

/* Lays out the nodes whose weight is at least `least`, up to 4096 rows. pairs: widths are by the
 * second column of the tree, and bases are those of the first. False: out of memory. In any case,
 * flame_layout_free() frees it. */
bool flame_layout(struct flame_layout *layout, bool pairs, double least);
void flame_layout_free(struct flame_layout *layout);

#endif
