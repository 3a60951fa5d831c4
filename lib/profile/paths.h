/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PATHS_H
#define PK_PATHS_H

/* Adds the stacks of a dictionary as paths to a tree of names. */

#include "allowance.h"
#include "frame_names.h"
#include "groups.h"
#include "tally.h"
#include "tree.h"

#define PK_PATH_NO_LIMIT UINT32_MAX /* the user has set no limit */
/* The highest number of frames of a path. Deeper stacks are cut. No real recording has so many
 * frames. But a short stream can define deeper stacks, whose output would be very large. */
#define PK_PATH_DEPTH_MAX 4096

/* An item of pk_path_options.prefix that stands for the name of the thread. */
#define PK_PATH_COMM (-1)

/* Which frames of a stack are in its path, and in which order. */
struct pk_path_options {
	/* The names that precede the frames. An item is the index of a column of the groups, or
	 * PK_PATH_COMM for the name of the thread. This name is the root of each stack. */
	int prefix[PK_GROUP_COLUMNS + 1];
	unsigned int prefix_count;
	struct pk_frame_options names;
	const char *root; /* A glob. The path starts at the outermost frame whose name matches. If
			   * it is NULL, the path starts at the root. */
	const char *leaf; /* A glob. The path ends at the innermost frame whose name matches. If it
			   * is NULL, the path ends at the innermost frame. */
	bool reverse;	  /* paths start with the innermost frame */
	bool collapse_recursion; /* join adjacent frames with the same name */
	uint32_t max_depth; /* the highest number of frames, counted from the start of the path */
};

/* The sums of the weights of different kinds of stacks. */
struct pk_path_count {
	struct pk_allowance allowance; /* limits the cost; the caller calls pk_allowance_pay() */
	uint64_t outside;   /* weight of stacks without a frame that matches root or leaf; they are
			     * not in the tree */
	uint64_t cut;	    /* weight of stacks that were cut at PK_PATH_DEPTH_MAX */
	uint64_t shortened; /* weight of stacks that were cut because the allowance is spent */
	/* The weight of all cells. */
	uint64_t all;
	/* This is not a weight. It is the number of unresolved frames whose name has no address,
	 * because the stream has one frame for each function. */
	uint64_t without_address;
};

/* Adds the weights of cells to a column of the tree. The cells must be sorted by group. Their
 * stacks are indexes of stacks in the dictionary of groups->context. Group 0 has no values. */
PK_MUST_CHECK enum pk_status pk_paths_add(struct pk_tree *tree, unsigned int column,
					  const struct pk_groups *groups,
					  const struct pk_cell *cells, size_t count,
					  const struct pk_path_options *options,
					  struct pk_path_count *paths);

#endif
