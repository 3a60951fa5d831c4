/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the maps that just-in-time compilers write. Each line is "START SIZE NAME". The numbers are
 * hexadecimal, with or without 0x, and the name extends to the end of the line. A later line
 * replaces an earlier line with the same addresses. */
#ifndef PK_PERFMAP_H
#define PK_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "symtable.h"

/* Parses a map of less than 4 GiB. The function becomes the owner of `text`, which must be from
 * malloc(), with a NUL at text[size]. Malformed lines are skipped. A symbol of size 0 gets the size
 * 1. If memory is exhausted, returns PK_NOMEM, and *t is empty. */
PK_MUST_CHECK enum pk_status pk_perf_map_parse(struct pk_symtable *t, char *text, size_t size);

#endif
