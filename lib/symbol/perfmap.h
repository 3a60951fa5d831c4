/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The maps that just-in-time compilers write: "START SIZE NAME", one a line, the numbers in
 * hexadecimal, the name to the end of the line. A line may override what an earlier one said of the
 * same addresses.
 */
#ifndef PK_PERFMAP_H
#define PK_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "symtable.h"

/*
 * Takes over text, a block of malloc() whose byte at [size] is a NUL, and frees it in the end.
 * Lines that make no sense are passed over. False: out of memory; t is empty then.
 */
bool pk_perf_map_parse(struct pk_symtable *t, char *text, size_t size);

#endif
