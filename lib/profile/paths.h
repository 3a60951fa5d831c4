/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PATHS_H
#define PK_PATHS_H

/* Stacks of a dictionary as paths of a tree of names. */

#include "frame_names.h"
#include "groups.h"
#include "tally.h"
#include "tree.h"

#define PK_PATH_NO_LIMIT UINT32_MAX /* of the user's; the next one holds nevertheless */
/* Stacks of more frames than any limit of a recording allows are cut: they would make lines out of
 * all proportion to the input. */
#define PK_PATH_DEPTH_MAX 4096

#define PK_PATH_COMM (-1)

struct pk_path_options {
	/* What stands before the frames: columns of the groups, or PK_PATH_COMM for the name of the
	 * thread, which stacks have at their root. */
	int prefix[PK_GROUP_COLUMNS + 1];
	unsigned int prefix_count;
	struct pk_frame_options names;
	const char *root;	 /* glob: stacks begin at the outermost frame of such a name */
	const char *leaf;	 /* glob: and end at the innermost one of such a name */
	bool reverse;		 /* the leaf first */
	bool collapse_recursion; /* equal names, one below the other, are one */
	uint32_t max_depth;	 /* frames, counted from the first */
};

/* What became of the weights. */
struct pk_path_count {
	uint64_t outside; /* of stacks that lack root or leaf: left out */
	uint64_t cut;	  /* of stacks cut at PK_PATH_DEPTH_MAX */
	uint64_t all;
	uint64_t without_address; /* names of unresolved frames that were to have one */
};

/*
 * Adds cells, sorted by group, to a column of the tree; the cells' stacks are indexes in the
 * dictionary of the groups' context. Group 0 has no values. False: out of memory.
 */
bool pk_paths_add(struct pk_tree *tree, unsigned int column, const struct pk_groups *groups,
		  const struct pk_cell *cells, size_t count, const struct pk_path_options *options,
		  struct pk_path_count *paths);

#endif
