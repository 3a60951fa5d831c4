/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_SOURCE_FILES_H
#define PK_ANNOTATE_SOURCE_FILES_H

/* Lines of source files. Their names come from debugging information: only regular files of limited
 * size are read, and their memory is bounded. */

#include <stddef.h>
#include <stdint.h>

#include "symbols.h"

struct source_files;

/* prefixes: OLD=NEW, for names that start with OLD; the caller's. Files that exist and cannot be
 * read are counted in failures (may be NULL). NULL: out of memory. */
struct source_files *source_files_new(const char *const *prefixes, int count,
				      struct pk_failures *failures);
void source_files_free(struct source_files *files);

/* A line without its newline, valid until the next call; NULL: no such file or line. */
const char *source_line(struct source_files *files, const char *file, uint32_t line, size_t *size);

#endif
