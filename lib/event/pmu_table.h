/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_TABLE_H
#define PK_PMU_TABLE_H

/*
 * Tables of the events and metrics of an architecture's processors. share/event_tables.py makes
 * them from the kernel's pmu-events. A table starts with lines:
 *
 *     pk-events 1
 *     PATTERN <TAB> OFFSET <TAB> SIZE     processors, and their compressed file in the table
 *     (an empty line)
 *
 * PATTERN is a pattern of pk_cpuid_matches(). OFFSET counts bytes from the end of the empty line.
 * The file is a JSON array (pmu_json.h), compressed with zstd.
 */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* Returns true if the bytes are the start of a table. */
bool pk_pmu_table_is(const char *data, size_t size);
/* Finds the processor, and sets *text to its JSON text, which the caller frees, and *text_size to
 * the size of the text. *text is NULL if the table lacks the processor. Returns PK_CORRUPT if the
 * table is damaged, or PK_NOMEM. */
PK_MUST_CHECK enum pk_status pk_pmu_table_find(const char *data, size_t size, const char *cpuid,
					       char **text, size_t *text_size);

#endif
