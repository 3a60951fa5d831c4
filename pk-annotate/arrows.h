/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_ARROWS_H
#define PK_ANNOTATE_ARROWS_H

/* Jumps within a function, drawn as lines in front of its instructions. */

#include "buffer.h"
#include "function.h"

struct arrows;

/* NULL: out of memory. */
struct arrows *arrows_new(const struct function *f);
void arrows_free(struct arrows *arrows);
/* What stands in front of a row, always of the same width; in ASCII, or of UTF-8's lines. */
void arrows_put(const struct arrows *arrows, uint32_t row, bool ascii, struct buffer *out);

#endif
