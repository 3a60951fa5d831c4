/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A section of debugging information, which may have hundreds of megabytes: what is not looked at
 * is not read, unless it is compressed.
 */
#ifndef PK_DWARF_SECTION_H
#define PK_DWARF_SECTION_H

#include "dwarf_cursor.h"
#include "elf_image.h"

struct pk_dwarf_section {
	const struct pk_elf *elf;
	uint64_t offset; /* in the file */
	uint64_t size;	 /* 0: there is none, or it cannot be read */
	uint8_t *data;	 /* room for all of it */
	uint8_t *blocks; /* one for each 4 KiB: that part has been read; NULL: all has */
	size_t mapped;	 /* of data, by mmap; 0: by malloc */
};

/* The section of that name behind ".debug_", plain, compressed or for split DWARF (".dwo"). */
void pk_dwarf_section_open(struct pk_dwarf_section *s, const struct pk_elf *elf, const char *name,
			   bool split);
void pk_dwarf_section_close(struct pk_dwarf_section *s);

/* Those bytes, which stay where they are as long as the section is open; NULL: not there. */
const uint8_t *pk_dwarf_section_need(struct pk_dwarf_section *s, uint64_t offset, uint64_t size);

/* From offset on, size bytes or as many as there are. swap: the file's byte order is not ours. */
struct pk_cursor pk_dwarf_section_cursor(struct pk_dwarf_section *s, uint64_t offset,
					 uint64_t size);

/* The text at offset; NULL: it does not end, not within 64 KiB. */
const char *pk_dwarf_section_string(struct pk_dwarf_section *s, uint64_t offset);

#endif
