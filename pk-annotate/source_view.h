/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_VIEW_H
#define PK_ANNOTATE_SOURCE_VIEW_H

/* The lines of source code between the instructions of a function. */

#include "buffer.h"
#include "function.h"
#include "source_files.h"

struct source_view;

/* files stays the caller's. NULL: out of memory. */
struct source_view *source_view_new(const struct function *f, struct source_files *files,
				    struct pk_failures *failures);
void source_view_free(struct source_view *view);
/* Writes the lines before a row if its source position differs from the previous row; each after
 * margin. */
void source_view_put(struct source_view *view, uint32_t row, const char *margin,
		     struct buffer *out);

#endif
