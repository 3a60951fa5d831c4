/* SPDX-License-Identifier: BSD-2-Clause */
/* A section of debugging information. It can have hundreds of megabytes: only the parts that are
 * needed are read, unless it is compressed. */
#ifndef PK_DWARF_SECTION_H
#define PK_DWARF_SECTION_H

#include "dwarf_cursor.h"
#include "elf_image.h"

struct pk_dwarf_section {
	const struct pk_elf *elf;
	uint64_t offset; /* in the file */
	uint64_t size;	 /* 0: no such section, or it cannot be read */
	uint8_t *data;	 /* space for all of it */
	uint8_t *blocks; /* for each 4 KiB: whether it was read; NULL: all was read */
	size_t mapped;	 /* size of data from mmap; 0: it is from malloc */
};

/* Opens the section ".debug_" and that name: plain, compressed or of split DWARF (".dwo"). */
void pk_dwarf_section_open(struct pk_dwarf_section *s, const struct pk_elf *elf, const char *name,
			   bool split);
void pk_dwarf_section_close(struct pk_dwarf_section *s);

/* Returns these bytes, which stay valid while the section is open; NULL: outside. */
const uint8_t *pk_dwarf_section_need(struct pk_dwarf_section *s, uint64_t offset, uint64_t size);

/* A cursor at offset, for at most size bytes. swap: the file's byte order is not the host's. */
struct pk_cursor pk_dwarf_section_cursor(struct pk_dwarf_section *s, uint64_t offset,
					 uint64_t size);

/* The text at offset; NULL: no NUL within 64 KiB. */
const char *pk_dwarf_section_string(struct pk_dwarf_section *s, uint64_t offset);

#endif
