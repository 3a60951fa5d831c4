/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

/* Samples of streams, and folded text, as a tree of names with weights. */

#include "paths.h"
#include "tail.h"

struct pk_fold_options {
	/* Without the name of the thread in `by`: stacks.prefix has the order. */
	struct pk_tail_options tail;
	struct pk_path_options stacks;
	const char *base; /* the base of --diff; NULL: none */
	uint64_t live;	  /* interval in ns of the stream's clock between outputs; 0: one output, at
			   * the end */
	bool text;	  /* inputs may be folded text, also with two weights in each line */
	/* Only for folded text: frames are joined in neighbouring lines only (folded.h). Other
	 * inputs are an error. */
	bool in_order;
	/* Frames of text with less than this share of all weights may be missing in the result, so
	 * that memory does not depend on the size of the text (thin_tree.h), or 0 if there is
	 * none. */
	double thin_share;
	const char *sample_option; /* the last option that has no meaning for folded text; NULL:
				    * none */
};

/* What the user gets without options: the name of the thread precedes the frames. */
#define PK_FOLD_DEFAULTS                                                                           \
	{                                                                                          \
		.tail.symbols.no_lines = true, .stacks.prefix = {PK_PATH_COMM},                    \
		.stacks.prefix_count = 1, .stacks.max_depth = PK_PATH_NO_LIMIT,                    \
	}

struct pk_fold_result {
	const struct pk_tree *tree;
	bool pairs; /* both columns of the tree have weights: the base's are in the first, those of
		     * the inputs in the second. Else only the first has. */
	uint64_t thin;			/* number of frames that are missing (see thin_share) */
	struct pk_allowance *allowance; /* what the output of the stacks may cost */
	const char *heading; /* with `live`, the time of the start of the interval; else empty */
	const char *unit;    /* of the weights: "nanoseconds", "samples", the name of an event or a
			      * field; NULL: unknown, or several */
};

/* Gets the result. */
typedef enum pk_status pk_fold_print(void *arg, const struct pk_fold_result *result);

/* Reads the inputs of run into a tree, and calls print() after the last input. With `live`, also
 * calls it at the end of each interval. The tree is empty again after that. Returns the exit
 * status. */
int pk_fold(struct pk_run *run, struct pk_fold_options *options, pk_fold_print *print, void *arg);

#endif
