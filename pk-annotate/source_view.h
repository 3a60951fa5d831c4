/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_VIEW_H
#define PK_ANNOTATE_SOURCE_VIEW_H

/* The lines of source code between the instructions of a function. */

#include "buffer.h"
#include "function.h"
#include "source_files.h"

struct source_view;

/* The caller owns files. NULL: out of memory. */
struct source_view *source_view_new(const struct function *f, struct source_files *files,
				    struct pk_failures *failures);
void source_view_free(struct source_view *view);
/* Appends source lines before a row if its function or line differs from that of the previous row.
 * Each line starts with margin. Call it for the rows in order. */
void source_view_put(struct source_view *view, uint32_t row, const char *margin,
		     struct buffer *out);

#endif
