/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNWIND_INFO_H
#define PK_UNWIND_INFO_H

/* The sections of an object that tell how its functions are unwound, as bytes. */

#include "symbols.h"

struct pk_elf_segment;

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
