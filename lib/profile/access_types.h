/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ACCESS_TYPES_H
#define PK_ACCESS_TYPES_H

/* The data type that the sampled instruction accesses. Functions are analysed once, and places are
 * looked up once; both stay valid for all sessions. */

#include "place.h"

struct pk_access_types;

/* Both stay the caller's. NULL: out of memory. */
struct pk_access_types *pk_access_types_new(struct pk_code_objects *objects,
					    const struct pk_places *places);
void pk_access_types_free(struct pk_access_types *types);

#define PK_CACHE_LINE 64 /* bytes */

struct pk_accessed {
	uint32_t type;	 /* number of the text "struct foo" */
	uint32_t offset; /* number of the text in perf's format: "struct foo +0x10 (list.next)" */
	uint64_t line;	 /* cache line, counted from 0, in an object that starts at a cache line */
};

/* NULL: the sample's instruction accesses no memory, or the type is unknown. pk_context.failed: out
 * of memory. Needs PK_NEED_CODE. */
const struct pk_accessed *pk_view_accessed(struct pk_view *view);
const char *pk_access_types_text(const struct pk_access_types *types, uint32_t number,
				 size_t *size);

#endif
