/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DATA_SOURCE_H
#define PK_DATA_SOURCE_H

/* PERF_SAMPLE_DATA_SRC: what a memory access was, and where its data came from; sizes of pages. */

#include "buffer.h"

/* Append a part of the value as text, as perf prints it. */
void pk_data_source_operation(struct buffer *out, uint64_t value);
void pk_data_source_level(struct buffer *out, uint64_t value);
void pk_data_source_snoop(struct buffer *out, uint64_t value);
void pk_data_source_tlb(struct buffer *out, uint64_t value);
void pk_data_source_locked(struct buffer *out, uint64_t value);
void pk_data_source_blocked(struct buffer *out, uint64_t value);

/* Appends the size of a page as perf prints it: 4K, 2M, 1024M. For 0, it is N/A. */
void pk_page_size_text(struct buffer *out, uint64_t size);

/* Kinds of accesses that perf c2c counts. HITM means that a load found the line modified in another
 * cache. */
enum {
	DATA_SOURCE_LOAD = 1 << 0,
	DATA_SOURCE_STORE = 1 << 1,
	DATA_SOURCE_HITM_LOCAL = 1 << 2,
	DATA_SOURCE_HITM_REMOTE = 1 << 3,
};

/* The set of kinds that the access has. */
unsigned int pk_data_source_kinds(uint64_t value);

#endif
