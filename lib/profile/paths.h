/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PATHS_H
#define PK_PATHS_H

/* Stacks of a dictionary as paths of a tree of names. */

#include "frame_names.h"
#include "groups.h"
#include "tally.h"
#include "tree.h"

#define PK_PATH_NO_LIMIT UINT32_MAX /* no limit by the user; the next one applies in any case */
/* Stacks of more frames than any recording's limit are cut: the output would be disproportionate to
 * the input. */
#define PK_PATH_DEPTH_MAX 4096

#define PK_PATH_COMM (-1)

struct pk_path_options {
	/* What precedes the frames: columns of the groups, or PK_PATH_COMM for the name of the
	 * thread, the root of each stack. */
	int prefix[PK_GROUP_COLUMNS + 1];
	unsigned int prefix_count;
	struct pk_frame_options names;
	const char *root;	 /* glob: stacks start at the outermost frame with such a name */
	const char *leaf;	 /* glob: stacks end at the innermost frame with such a name */
	bool reverse;		 /* the leaf first */
	bool collapse_recursion; /* join adjacent equal names */
	uint32_t max_depth;	 /* number of frames, from the first */
};

/* The weights that were not added. */
struct pk_path_count {
	uint64_t outside; /* of stacks without root or leaf: skipped */
	uint64_t cut;	  /* of stacks cut at PK_PATH_DEPTH_MAX */
	uint64_t all;
	uint64_t without_address; /* unresolved frames whose name needs an address, but has none */
};

/* Adds cells, sorted by group, to a column of the tree; the cells' stacks are indexes in the
 * dictionary of the groups' context. Group 0 has no values. False: out of memory. */
bool pk_paths_add(struct pk_tree *tree, unsigned int column, const struct pk_groups *groups,
		  const struct pk_cell *cells, size_t count, const struct pk_path_options *options,
		  struct pk_path_count *paths);

#endif
