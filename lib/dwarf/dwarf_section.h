/* SPDX-License-Identifier: BSD-2-Clause */
/* A section of debugging information, which can have hundreds of megabytes. If a section is larger
 * than 64 KiB, only the needed blocks of 4 KiB are read. Compressed sections are decompressed
 * completely. */
#ifndef PK_DWARF_SECTION_H
#define PK_DWARF_SECTION_H

#include "dwarf_cursor.h"
#include "elf_image.h"

/* An open section. */
struct pk_dwarf_section {
	const struct pk_elf *elf;
	uint64_t offset; /* the offset in the file */
	uint64_t size;	 /* 0 if there is no such section, or if it cannot be read */
	uint8_t *data;	 /* the bytes of the section; there is space for the whole section */
	uint8_t *blocks; /* For each block of 4 KiB: 1 if the block was read. It is NULL if all
			  * blocks were read. */
	size_t mapped;	 /* the size of `data` if it is from mmap(); 0 if it is from malloc() */
};

/* Opens the section ".debug_NAME", or the compressed section ".zdebug_NAME". If `split` is true,
 * the name of the section ends with ".dwo". If there is no such section, s->size becomes 0. */
void pk_dwarf_section_open(struct pk_dwarf_section *s, const struct pk_elf *elf, const char *name,
			   bool split);
void pk_dwarf_section_close(struct pk_dwarf_section *s);

/* Returns the bytes at an offset. They are valid while the section is open. Returns NULL if the
 * bytes are not completely in the section, or could not be read. */
const uint8_t *pk_dwarf_section_need(struct pk_dwarf_section *s, uint64_t offset, uint64_t size);

/* Returns a cursor for `size` bytes at an offset. If the section ends before, the cursor has fewer
 * bytes. If there are no bytes, or if they could not be read, the member `bad` is set. */
struct pk_cursor pk_dwarf_section_cursor(struct pk_dwarf_section *s, uint64_t offset,
					 uint64_t size);

/* Returns the NUL-terminated text at an offset. Returns NULL if the offset is outside of the
 * section, or if there is no NUL within 64 KiB. */
const char *pk_dwarf_section_string(struct pk_dwarf_section *s, uint64_t offset);

#endif
