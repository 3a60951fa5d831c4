/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DATA_SOURCE_H
#define PK_DATA_SOURCE_H

/* Texts and kinds for PERF_SAMPLE_DATA_SRC. This value describes a memory access and the source of
 * its data. This file also has the text for the size of a page. */

#include "buffer.h"

/* Each function appends one component of the value as text, in the form that perf prints. */
void pk_data_source_operation(struct buffer *out, uint64_t value);
void pk_data_source_level(struct buffer *out, uint64_t value);
void pk_data_source_snoop(struct buffer *out, uint64_t value);
void pk_data_source_tlb(struct buffer *out, uint64_t value);
void pk_data_source_locked(struct buffer *out, uint64_t value);
void pk_data_source_blocked(struct buffer *out, uint64_t value);

/* Appends the size of a page in the form that perf prints: 4K, 2M, 1024M. The text for 0 is N/A. */
void pk_page_size_text(struct buffer *out, uint64_t size);

/* The kinds of accesses that perf c2c counts. HITM means that a load found a modified cache line in
 * another cache. */
enum {
	DATA_SOURCE_LOAD = 1 << 0,
	DATA_SOURCE_STORE = 1 << 1,
	DATA_SOURCE_HITM_LOCAL = 1 << 2,
	DATA_SOURCE_HITM_REMOTE = 1 << 3,
};

/* Returns the set of kinds of an access. */
unsigned int pk_data_source_kinds(uint64_t value);

#endif
