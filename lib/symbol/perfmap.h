/* SPDX-License-Identifier: BSD-2-Clause */
/* The maps that just-in-time compilers write: "START SIZE NAME", one on each line, the numbers in
 * hexadecimal, with or without 0x, the name up to the end of the line. A later line for the same
 * addresses replaces an earlier one. */
#ifndef PK_PERFMAP_H
#define PK_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "symtable.h"

/* Takes ownership of text, a block of malloc() whose byte at [size] is a NUL. Malformed lines are
 * skipped. A size of 0 counts as 1 byte. Returns PK_NOMEM if memory is exhausted, or the text has 4
 * GiB. t is empty then. */
PK_MUST_CHECK enum pk_status pk_perf_map_parse(struct pk_symtable *t, char *text, size_t size);

#endif
