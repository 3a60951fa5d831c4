/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_HEADER_MACHINE_H
#define PK_SCRIPT_HEADER_MACHINE_H

/* The features of a machine's parts, one line for each part, as perf script -I has them. */

#include "feature_cursor.h"

/* cpus: as in NRCPUS. */
void add_cpu_topology(struct buffer *out, struct cursor *cursor, uint64_t cpus);
void add_numa_topology(struct buffer *out, struct cursor *cursor);
void add_caches(struct buffer *out, struct cursor *cursor);
void add_memory_nodes(struct buffer *out, struct cursor *cursor);
void add_hybrid_topology(struct buffer *out, struct cursor *cursor);

#endif
