/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OBJECT_DEBUG_H
#define PK_OBJECT_DEBUG_H

/* The debugging information of an object: source lines, inlined functions, how functions are
 * unwound. */

#include "symbols.h"

struct pk_elf_segment;

/* ---- Source lines ---- */

/*
 * What debugging information says of an address, which is that of pk_object_lookup(): the
 * functions inlined there, the innermost first, and last the one they are inlined into, which is
 * not. The line of the first is the address's, that of each other one is where it calls the one
 * before it. How many; 0: none covers the address. At most PK_SOURCES_MAX.
 * Of a caller, address - 1 is what it was doing. *sources: until the next call that gets the same
 * store.
 */
size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources);
/* Likewise; *same: addresses around it that have the same answer. */
size_t pk_object_sources_range(struct pk_object *o, uint64_t address,
			       const struct pk_source **sources, struct pk_range *same);

/* ---- Unwinding: the sections that it needs, as bytes ---- */

struct pk_unwind_section {
	uint8_t *data; /* NULL: there is none */
	uint64_t size;
	uint64_t address; /* of the first byte, as the file counts them */
};

struct pk_unwind_info {
	unsigned machine; /* EM_* */
	bool swapped;	  /* its byte order is not the host's */
	struct pk_unwind_section eh_frame, eh_frame_hdr, debug_frame;
	struct pk_elf_segment *loads; /* of the mapped file */
	size_t load_count;
};

/*
 * Found and read by the first call. .debug_frame may be of a separate file. NULL: the file was not
 * found, or is none; *why says so then. Belongs to the object.
 */
const struct pk_unwind_info *pk_object_unwind_info(struct pk_object *o, enum pk_object_state *why);

/* The file's own address for the byte at offset. False: in no segment. */
bool pk_unwind_address(const struct pk_unwind_info *info, uint64_t offset, uint64_t *address);

#endif
