/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_UNFOLD_H
#define PK_FOLD_UNFOLD_H

#include "tally.h"
#include "tidy.h"
#include "tree.h"

#define UNFOLD_NO_LIMIT UINT32_MAX /* of the user's; there is the next one */
/* Stacks of more frames than any limit of a recording allows are cut: they would make lines out of
 * all proportion to the input. */
#define UNFOLD_DEPTH_MAX 4096

struct unfold_options {
	struct tidy_options names;
	const char *root;	 /* glob: stacks begin at the outermost frame of such a name */
	const char *leaf;	 /* glob: and end at the innermost one of such a name */
	bool reverse;		 /* the leaf first */
	bool collapse_recursion; /* equal names, one below the other, are one */
	uint32_t max_depth;	 /* frames, counted from the first */
};

/* What has become of the weights. */
struct unfolded {
	uint64_t outside; /* of stacks that lack root or leaf: left out */
	uint64_t cut;	  /* of stacks cut at UNFOLD_DEPTH_MAX */
	uint64_t all;
};

struct groups;

/*
 * Adds cells, sorted by group, to a column of the tree, under the names that frames have in folded
 * lines; cells' stacks are counted from the dictionary's first one on. False: out of memory.
 */
bool unfold(struct tree *tree, unsigned int column, const struct pk_dictionary *dictionary,
	    const struct groups *groups, const struct cell *cells, size_t count,
	    const struct unfold_options *options, struct unfolded *unfolded);

#endif
