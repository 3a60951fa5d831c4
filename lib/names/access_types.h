/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ACCESS_TYPES_H
#define PK_ACCESS_TYPES_H

/* Finds the data type of the memory that the instruction at a place accesses. Each function is
 * analysed once, and each place is looked up once. The results stay valid in later sessions. */

#include "place.h"

struct pk_access_types;

/* The caller keeps objects and places, which must exist longer than the result. Returns NULL if
 * memory is exhausted. */
struct pk_access_types *pk_access_types_new(struct pk_code_objects *objects,
					    const struct pk_places *places);
void pk_access_types_free(struct pk_access_types *types);

#define PK_CACHE_LINE 64 /* the size of a cache line in bytes */

/* The type and member that an instruction accesses. */
struct pk_accessed {
	/* Identifies the name of the type, such as "struct foo", for pk_access_types_text(). It is
	 * 0 if there is no access or the type is unknown. */
	uint32_t type;
	/* Identifies a text for pk_access_types_text(). The text has perf's format, with the type,
	 * the offset in bytes and the member, such as "struct foo +0x10 (list.next)". */
	uint32_t offset;
	uint64_t line; /* which cache line of the type is accessed; 0 is the first; assumes that the
			* type starts at a cache line */
};

/* Returns the access of the instruction at a place, which must not be 0. `type` of the result is 0
 * if the instruction does not access memory, or if the type is unknown. Returns NULL if memory is
 * exhausted. */
const struct pk_accessed *pk_access_types_at(struct pk_access_types *types, uint32_t place);
/* Returns a text of struct pk_accessed. `number` is its member `type` or `offset`. */
const char *pk_access_types_text(const struct pk_access_types *types, uint32_t number,
				 size_t *size);

#endif
