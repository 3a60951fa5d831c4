/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SOURCE_LISTING_H
#define PK_SOURCE_LISTING_H

/* The source lines of a function whose code cannot be shown, such as a function of an interpreter.
 * The lines come from the stream. */

#include "blocks.h"
#include "code_hits.h"

/* A function with its lines. */
struct function_lines {
	/* `counts` has the counts of the lines: the count of line first + n and column c is at [n *
	 * columns + c]. `outside` counts samples in other files and without a line. `f` has no
	 * instructions. */
	struct function f;
	const char *file;
	uint32_t first, count; /* the first line, and the number of lines */
};

/* Returns true if the object of the function has no code, but the stream has source lines of the
 * function. */
bool has_function_lines(const struct code_hits *hits, uint32_t number, const uint32_t *events,
			unsigned int columns);
/* Loads a function by its number in hits. The lines are those from the first line of the function
 * to the last line with samples. The caller must call function_release() for lines->f, also after
 * an error. */
PK_MUST_CHECK enum pk_status function_lines_load(struct function_lines *lines,
						 const struct code_hits *hits, uint32_t number,
						 const uint32_t *events, unsigned int columns);

#endif
