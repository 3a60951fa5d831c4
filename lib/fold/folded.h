/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLDED_H
#define PK_FOLDED_H

/* Folded stacks as text: "outermost;...;innermost WEIGHT", one on each line, or with two weights,
 * "STACK BASE NEW", for a difference. Fractions of weights are rounded. */

#include <stdbool.h>
#include <stddef.h>

#include "thin_tree.h"

/* Where the text comes from: the bytes of head, then those of fd. */
struct folded_input {
	int fd;
	const char *name; /* for messages */
	const char *head; /* bytes that were read from fd before */
	size_t head_size;
	unsigned int column; /* of the tree, for lines with one weight */
	/* The number of weights in a line: 0 until the first line determines it, then 1, or 2,
	 * which go to both columns. With NULL, each line has one weight. */
	unsigned int *weights;
	uint64_t *bytes; /* gets the size of the text added */
	bool reverse;	 /* the innermost frame is the root */
	bool in_order;	 /* only frames of neighbouring lines are joined; a node of the name
			  * FOLDED_GAP stands for the weight of its parent alone, at this place */
};

#define FOLDED_GAP "\n"

/* Whether the first bytes of an input are text, and not a stream or a perf.data file. True for an
 * empty input, which is the text of a recording without samples. */
bool pk_folded_is_text(const char *head, size_t size);
/* Adds the lines of the input to the tree, which may have tails after that. Returns the exit
 * status. Errors are printed. */
int pk_folded_read(struct thin_tree *thin, const struct folded_input *input);

#endif
