/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_VIEW_H
#define PK_ANNOTATE_SOURCE_VIEW_H

/* The state that is needed to show source lines between the instructions of a function. */

#include <stdint.h>

#include "blocks.h"
#include "buffer.h"
#include "source_texts.h"
#include "symbols.h"

struct source_view;

/* The caller owns files. Returns NULL if memory is exhausted. */
struct source_view *source_view_new(const struct function *f, struct pk_source_texts *files,
				    struct pk_failures *failures);
void source_view_free(struct source_view *view);
/* If the function or source line of a row differs from that of the previous row, appends source
 * lines. Each line starts with margin. Call this for each row, in the order of the rows. */
void source_view_put(struct source_view *view, uint32_t row, const char *margin,
		     struct buffer *out);

#endif
