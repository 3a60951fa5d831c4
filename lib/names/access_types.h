/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ACCESS_TYPES_H
#define PK_ACCESS_TYPES_H

/* The data type of the memory that the instruction at a place accesses. Each function is analysed
 * once and each place is looked up once; the results stay valid in later sessions. */

#include "place.h"

struct pk_access_types;

/* objects and places stay the caller's, and must outlive the result. NULL: out of memory. */
struct pk_access_types *pk_access_types_new(struct pk_code_objects *objects,
					    const struct pk_places *places);
void pk_access_types_free(struct pk_access_types *types);

#define PK_CACHE_LINE 64 /* bytes */

struct pk_accessed {
	uint32_t type;	 /* the type: number of a text like "struct foo" */
	uint32_t offset; /* type, offset in bytes and member in perf's format: number of a text like
			  * "struct foo +0x10 (list.next)" */
	uint64_t line;	 /* number of the 64-byte cache line within the type, from 0 on, if the type
			  * starts at a cache line */
};

/* The access of the instruction at a place, which is not 0. `type` is 0 if it accesses no memory,
 * or the type is unknown. NULL: out of memory. */
const struct pk_accessed *pk_access_types_at(struct pk_access_types *types, uint32_t place);
/* The text with a number from struct pk_accessed. */
const char *pk_access_types_text(const struct pk_access_types *types, uint32_t number,
				 size_t *size);

#endif
