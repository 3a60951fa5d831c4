/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HEADER_MACHINE_H
#define HEADER_MACHINE_H

/* Formats the features about the parts of a machine: CPUs, caches, nodes. Each function appends one
 * line for each part, as perf script -I prints them. */

#include "feature_cursor.h"

/* cpus: the number of available CPUs, from the feature NRCPUS; 0: unknown. */
void pk_header_add_cpu_topology(struct buffer *out, struct feature_cursor *cursor, uint64_t cpus);
void pk_header_add_numa_topology(struct buffer *out, struct feature_cursor *cursor);
void pk_header_add_caches(struct buffer *out, struct feature_cursor *cursor);
void pk_header_add_memory_nodes(struct buffer *out, struct feature_cursor *cursor);
void pk_header_add_hybrid_topology(struct buffer *out, struct feature_cursor *cursor);

#endif
