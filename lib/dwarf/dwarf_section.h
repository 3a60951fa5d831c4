/* SPDX-License-Identifier: BSD-2-Clause */
/* A section of debugging information, which can have hundreds of megabytes. Of a section larger
 * than 64 KiB, only the needed blocks of 4 KiB are read. Compressed sections are decompressed
 * completely. */
#ifndef PK_DWARF_SECTION_H
#define PK_DWARF_SECTION_H

#include "dwarf_cursor.h"
#include "elf_image.h"

struct pk_dwarf_section {
	const struct pk_elf *elf;
	uint64_t offset; /* in the file */
	uint64_t size;	 /* 0: no such section, or it cannot be read */
	uint8_t *data;	 /* space for the whole section */
	uint8_t *blocks; /* for each block of 4 KiB: whether it was read; NULL: all were read */
	size_t mapped;	 /* size of data from mmap; 0: it is from malloc */
};

/* Opens the section ".debug_NAME", or the compressed ".zdebug_NAME". With split, the name also ends
 * in ".dwo". If there is no such section, s->size is 0. */
void pk_dwarf_section_open(struct pk_dwarf_section *s, const struct pk_elf *elf, const char *name,
			   bool split);
void pk_dwarf_section_close(struct pk_dwarf_section *s);

/* Returns the bytes at offset, which stay valid while the section is open. Returns NULL if they are
 * not completely in the section, or could not be read. */
const uint8_t *pk_dwarf_section_need(struct pk_dwarf_section *s, uint64_t offset, uint64_t size);

/* A cursor for size bytes at offset, or for fewer if the section ends before. If there are none, or
 * they could not be read, bad is set. */
struct pk_cursor pk_dwarf_section_cursor(struct pk_dwarf_section *s, uint64_t offset,
					 uint64_t size);

/* The NUL-terminated text at offset, or NULL if it is outside of the section or has no NUL within
 * 64 KiB. */
const char *pk_dwarf_section_string(struct pk_dwarf_section *s, uint64_t offset);

#endif
