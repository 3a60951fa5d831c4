/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SOURCE_TEXTS_H
#define PK_SOURCE_TEXTS_H

/* Reads lines of source files. The names of the files come from debugging information, which is not
 * trusted. So only regular files of at most 16 MiB are read, and the cache has a size limit. */

#include <stddef.h>
#include <stdint.h>

#include "symbols.h"
#include "vector.h"

struct pk_source_texts;

/* A prefix has the form OLD=NEW. If the name of a file starts with OLD, OLD is replaced by NEW. The
 * caller must keep prefixes valid. Files that exist but cannot be read are counted in failures,
 * which may be NULL. Returns NULL if memory is exhausted. */
struct pk_source_texts *pk_source_texts_new(const struct pk_text_list *prefixes,
					    struct pk_failures *failures);
void pk_source_texts_free(struct pk_source_texts *files);

/* Returns a line without its newline. The first line is number 1. The text is valid until the next
 * call. Returns NULL if there is no such file or line, or if the name of the file is relative. */
const char *pk_source_texts_line(struct pk_source_texts *files, const char *file, uint32_t line,
				 size_t *size);

#endif
