/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_ARROWS_H
#define PK_ANNOTATE_ARROWS_H

/* Jumps within a function, drawn as lines before its instructions. */

#include "buffer.h"
#include "function.h"

struct arrows;

/* NULL: out of memory. */
struct arrows *arrows_new(const struct function *f);
void arrows_free(struct arrows *arrows);
/* Appends the part of the lines that stands before a row. It has the same width for all rows of a
 * function. ascii: without UTF-8 box characters. */
void arrows_put(const struct arrows *arrows, uint32_t row, bool ascii, struct buffer *out);

#endif
