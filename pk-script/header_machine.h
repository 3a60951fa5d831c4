/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_HEADER_MACHINE_H
#define PK_SCRIPT_HEADER_MACHINE_H

/* Prints the features about the parts of a machine, one line for each part, like perf script -I. */

#include "feature_cursor.h"

/* cpus: the number of CPUs from NRCPUS. */
void add_cpu_topology(struct buffer *out, struct cursor *cursor, uint64_t cpus);
void add_numa_topology(struct buffer *out, struct cursor *cursor);
void add_caches(struct buffer *out, struct cursor *cursor);
void add_memory_nodes(struct buffer *out, struct cursor *cursor);
void add_hybrid_topology(struct buffer *out, struct cursor *cursor);

#endif
