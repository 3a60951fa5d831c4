/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

/* Adds the samples of streams, and folded text, to a tree of names with weights. */

#include "buffer.h"
#include "counted_samples.h"
#include "difference.h"
#include "paths.h"
#include "tail.h"

/* What pk_fold() reads, and how it folds stacks. */
struct pk_fold_options {
	/* The options of all tails. Here the list tail.by does not contain the name of the thread.
	 * stacks.prefix contains the name of the thread, and determines the order of the fields. */
	struct pk_tail_options tail;
	struct pk_path_options stacks;
	/* The file that --diff compares with the inputs; NULL if it is not given. */
	const char *base;
	bool compare;  /* with a base, compares all nodes (pk_fold_result.changes) */
	uint64_t live; /* The time between two outputs, in ns of the clock of the stream. 0 means
			* one output at the end. */
	bool text;     /* true if inputs may be folded text, with one or two weights in each line */
	/* If it is true, only folded text is accepted, and only equal frames of neighbouring lines
	 * become one node (folded.h). */
	bool in_order;
	/* Frames of folded text with less than this share of all weights may be missing in the
	 * result. So memory does not depend on the size of the text (thin_tree.h). If it is 0, no
	 * frames are missing. */
	double thin_share;
	/* Called for each record of the inputs that is not a sample, also if the record is of no
	 * interest. `arg` is that of pk_fold(). It can be NULL. */
	enum pk_status (*note)(void *arg, const struct pk_reader *reader,
			       const struct pk_record *record);
	const char *sample_option; /* The name of the last given option that is refused if the input
				    * is folded text. NULL if there is none. */
};

/* The default options: the name of the thread precedes the frames. */
#define PK_FOLD_DEFAULTS                                                                           \
	{                                                                                          \
		.tail.symbols.no_lines = true, .stacks.prefix = {PK_PATH_COMM},                    \
		.stacks.prefix_count = 1, .stacks.max_depth = PK_PATH_NO_LIMIT,                    \
	}
/* The folded stacks that are printed. */
struct pk_fold_result {
	const struct pk_counted_samples *samples; /* count is 0 if the inputs are folded text */
	const struct pk_tree *tree;
	/* True if both columns of the tree have weights: the first column those of the base, the
	 * second column those of the inputs. Otherwise only the first column has weights. */
	bool pairs;
	/* By node: how its share has changed. NULL if the nodes were not compared, because an input
	 * is folded text or because of pk_fold_options.compare. */
	const struct difference *changes;
	uint64_t thin;			/* how many frames are missing in the tree because of
					 * pk_fold_options.thin_share */
	struct pk_allowance *allowance; /* limits the size of the output */
	const char *heading; /* with the option live, the time when the interval starts; otherwise
			      * empty */
	const char *unit;    /* The unit of the weights: "nanoseconds", "samples", or the name of an
			      * event or field. NULL if it is unknown or there are several units. */
};

/* The callback that prints the result. */
typedef enum pk_status pk_fold_print(void *arg, const struct pk_fold_result *result);

/* Reads the inputs of run into a tree, and calls print() after the last input. With the option
 * live, also calls print() at the end of each interval, and then empties the tree. Returns the exit
 * status. */
int pk_fold(struct pk_run *run, struct pk_fold_options *options, pk_fold_print *print, void *arg);

#endif
