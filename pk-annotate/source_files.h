/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_FILES_H
#define PK_ANNOTATE_SOURCE_FILES_H

/* Reads lines of source files. The names of the files come from debugging information, which is not
 * trusted. So only regular files of at most 16 MiB are read, and the cache has a size limit. */

#include "vector.h"
#include <stddef.h>
#include <stdint.h>

#include "blocks.h"
#include "buffer.h"
#include "symbols.h"

/* ---- Files ---- */

struct source_files;

/* A prefix has the form OLD=NEW. If the name of a file starts with OLD, OLD is replaced by NEW. The
 * caller must keep prefixes valid. Files that exist but cannot be read are counted in failures,
 * which may be NULL. Returns NULL if memory is exhausted. */
struct source_files *source_files_new(const struct pk_text_list *prefixes,
				      struct pk_failures *failures);
void source_files_free(struct source_files *files);

/* Returns a line without its newline. The first line is number 1. The text is valid until the next
 * call. Returns NULL if there is no such file or line, or if the name of the file is relative. */
const char *source_line(struct source_files *files, const char *file, uint32_t line, size_t *size);

/* ---- Lines of functions ---- */

/* The state that is needed to show source lines between the instructions of a function. */

struct source_view;

/* The caller owns files. Returns NULL if memory is exhausted. */
struct source_view *source_view_new(const struct function *f, struct source_files *files,
				    struct pk_failures *failures);
void source_view_free(struct source_view *view);
/* If the function or source line of a row differs from that of the previous row, appends source
 * lines. Each line starts with margin. Call this for each row, in the order of the rows. */
void source_view_put(struct source_view *view, uint32_t row, const char *margin,
		     struct buffer *out);

#endif
