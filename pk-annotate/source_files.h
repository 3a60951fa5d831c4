/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_FILES_H
#define PK_ANNOTATE_SOURCE_FILES_H

/* Reads lines of source files. The names of the files come from debugging information, which is not
 * trusted: only regular files of at most 16 MiB are read, and the cache is bounded. */

#include "vector.h"
#include <stddef.h>
#include <stdint.h>

#include "blocks.h"
#include "buffer.h"
#include "symbols.h"

/* ---- Files ---- */

struct source_files;

/* A prefix OLD=NEW replaces OLD at the start of a name. The prefixes must stay valid. Files that
 * exist but cannot be read are counted in failures, which may be NULL. NULL: out of memory. */
struct source_files *source_files_new(const struct pk_text_list *prefixes,
				      struct pk_failures *failures);
void source_files_free(struct source_files *files);

/* A line, counted from 1, without its newline. It is valid until the next call. Returns NULL if
 * there is no such file or line. Relative names are not looked up. */
const char *source_line(struct source_files *files, const char *file, uint32_t line, size_t *size);

/* ---- Lines of functions ---- */

/* The lines of source code between the instructions of a function. */

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
