/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLDED_H
#define PK_FOLDED_H

/* Reads folded stacks. This is a text in which each line is "outermost;...;innermost WEIGHT". For a
 * difference, a line has two weights, "STACK BASE NEW". Fractions of weights are rounded. */

#include <stdbool.h>
#include <stddef.h>

#include "thin_tree.h"

/* The source of the text. It consists of the bytes of head, followed by the bytes of fd. */
struct folded_input {
	int fd;
	const char *name; /* the name of the input, for messages */
	const char *head; /* bytes that were already read from fd */
	size_t head_size;
	/* Which column of the tree gets the weight of a line with one weight. */
	unsigned int column;
	/* The number of weights in a line. It is 0 at first, and the first line sets it to 1 or 2.
	 * Two weights are added to both columns. If the pointer is NULL, each line has one weight.
	 */
	unsigned int *weights;
	uint64_t *bytes; /* the number of bytes of text that were read is added to *bytes */
	bool reverse;	 /* true if the innermost frame becomes the root of the tree */
	/* True if only equal frames of neighbouring lines become one node. The weight of a line
	 * that ends at a node is then stored in a child of this node with the name FOLDED_GAP. So
	 * it keeps its position between the other children. */
	bool in_order;
};

#define FOLDED_GAP "\n"

/* Returns true if the first bytes of an input are text, not a stream or a perf.data file. An empty
 * input is text: the folded text of a recording without samples is empty. */
bool pk_folded_is_text(const char *head, size_t size);
/* Adds the lines of the input to the tree, which may have tails after this call (see
 * pk_thin_tree_finish). Prints errors. Returns the exit status. */
int pk_folded_read(struct thin_tree *thin, const struct folded_input *input);

#endif
