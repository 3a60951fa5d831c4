/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PATHS_H
#define PK_PATHS_H

/* Stacks of a dictionary as paths of a tree of names. */

#include "allowance.h"
#include "frame_names.h"
#include "groups.h"
#include "tally.h"
#include "tree.h"

#define PK_PATH_NO_LIMIT UINT32_MAX /* the user has set no limit: PK_PATH_DEPTH_MAX applies */
/* Deeper stacks are cut. No recording has so many frames, but a short stream can define them, and
 * the output would be very large. */
#define PK_PATH_DEPTH_MAX 4096

/* In pk_path_options.prefix: the name of the thread. */
#define PK_PATH_COMM (-1)

struct pk_path_options {
	/* The names that precede the frames: indexes of columns of the groups, or PK_PATH_COMM for
	 * the thread's name, which is the root of each stack. */
	int prefix[PK_GROUP_COLUMNS + 1];
	unsigned int prefix_count;
	struct pk_frame_options names;
	const char *root; /* glob: the path starts at the outermost frame whose name matches; NULL:
			   * at the root */
	const char *leaf; /* glob: the path ends at the innermost frame whose name matches; NULL: at
			   * the leaf */
	bool reverse;	  /* the leaf first */
	bool collapse_recursion; /* join adjacent equal names */
	uint32_t max_depth;	 /* at most this number of frames, from the start of the path */
};

/* Sums of weights. */
struct pk_path_count {
	struct pk_allowance allowance; /* what the paths may cost: the caller pays */
	uint64_t outside;   /* of stacks without a frame that matches root or leaf: not added to the
			     * tree */
	uint64_t cut;	    /* of stacks cut at PK_PATH_DEPTH_MAX */
	uint64_t shortened; /* of stacks cut because the allowance is spent */
	/* Of all cells. */
	uint64_t all;
	uint64_t without_address; /* not a weight: number of unresolved frames whose name lacks the
				   * address, because the stream has one frame for each function */
};

/* Adds the weights of cells to a column of the tree. The cells must be sorted by group; their
 * stacks are indexes of stacks in the dictionary of the groups' context. Group 0 has no values. */
PK_MUST_CHECK enum pk_status pk_paths_add(struct pk_tree *tree, unsigned int column,
					  const struct pk_groups *groups,
					  const struct pk_cell *cells, size_t count,
					  const struct pk_path_options *options,
					  struct pk_path_count *paths);

#endif
