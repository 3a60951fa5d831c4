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
/* Writes the lines before a row, always of the same width; in ASCII, or with UTF-8 box
 * characters. */
void arrows_put(const struct arrows *arrows, uint32_t row, bool ascii, struct buffer *out);

#endif
