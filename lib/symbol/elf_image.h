/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the rest needs of an ELF file, in the host's byte order and in 64 bits whatever the file
 * has. elf_image.c alone knows the library behind it. Constants (SHT_, STT_ ...) are those of
 * <elf.h>.
 *
 * The file is hostile: nothing here takes more memory than the file has bytes (by a small
 * factor), and offsets that lead out of it give "no such thing". Reads and allocations that fail
 * give the same, and are counted in the failures that the file was opened with, which may be NULL.
 */
#ifndef PK_ELF_IMAGE_H
#define PK_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

struct pk_elf;

struct pk_elf_section {
	const char *name; /* "" if it has none; valid as long as the file is open */
	uint32_t type, link;
	uint64_t flags, addr, offset, size, align, entsize;
};

struct pk_elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	uint32_t flags; /* PF_ */
};

struct pk_elf_symbol {
	uint64_t value, size;
	uint32_t name;	  /* offset in the string table */
	uint32_t section; /* index, or an SHN_ number as it stands */
	uint8_t type, bind, visibility;
};

struct pk_elf_relocation {
	uint64_t offset, addend; /* addend 0 in SHT_REL */
	uint32_t type, symbol;
};

/* NULL: not ELF, damaged, or a failure. The descriptor is taken over, and closed in any case; path
 * is for the failures. */
struct pk_elf *pk_elf_open(int fd, const char *path, struct pk_failures *failures);
/* The bytes must stay until pk_elf_close(). */
struct pk_elf *pk_elf_open_memory(const void *image, size_t size, struct pk_failures *failures);
/* Of bytes that another file had in it, for free(): they are taken over. */
struct pk_elf *pk_elf_open_part(void *image, size_t size, struct pk_failures *failures);
/* Where failures of this file are counted; may be NULL. */
struct pk_failures *pk_elf_failures(const struct pk_elf *elf);
bool pk_elf_is_part(const struct pk_elf *elf);
void pk_elf_close(struct pk_elf *elf);

unsigned pk_elf_machine(const struct pk_elf *elf); /* EM_ */
bool pk_elf_swapped(const struct pk_elf *elf);	   /* its byte order is not the host's */
bool pk_elf_is_64(const struct pk_elf *elf);
uint64_t pk_elf_size(const struct pk_elf *elf); /* of the file */

/* Section 0 included, so that indexes are ELF's. */
const struct pk_elf_section *pk_elf_sections(const struct pk_elf *elf, size_t *count);
/* NULL: none of that name. */
const struct pk_elf_section *pk_elf_section(const struct pk_elf *elf, const char *name);
/* Is there debugging information in it, compressed or not? */
bool pk_elf_has_dwarf(const struct pk_elf *elf);

/* The next program header of that type (PT_), from *next on, which begins at 0. False: no more. */
bool pk_elf_segment(const struct pk_elf *elf, uint32_t type, size_t *next,
		    struct pk_elf_segment *segment);

/* Those of type PT_LOAD, or the first 128 of them. */
const struct pk_elf_segment *pk_elf_loads(const struct pk_elf *elf, size_t *count);

/* Where the byte at a virtual address is in the file, by the PT_LOAD it is in. False: in none. */
bool pk_elf_offset_of(const struct pk_elf *elf, uint64_t vaddr, uint64_t *offset);

/* A copy of that part of the file with a NUL behind it, for free(). NULL: it is not (all) in the
 * file, or a failure. */
void *pk_elf_bytes(const struct pk_elf *elf, uint64_t offset, uint64_t size);

/* Copies that part of the file. False: it is not (all) in it, or a failure. */
bool pk_elf_read(const struct pk_elf *elf, uint64_t offset, void *to, uint64_t size);

/* The records of a section: symbols, relocations. Valid as long as the file is open. */
struct pk_elf_records {
	void *data;
	size_t count; /* 0 if the section is not (all) in the file, or of no such type */
	bool addends; /* SHT_RELA */
};

struct pk_elf_records pk_elf_symbols(const struct pk_elf *elf, const struct pk_elf_section *s);
struct pk_elf_symbol pk_elf_symbol(const struct pk_elf_records *r, size_t index);
struct pk_elf_records pk_elf_relocations(const struct pk_elf *elf, const struct pk_elf_section *s);
struct pk_elf_relocation pk_elf_relocation(const struct pk_elf_records *r, size_t index);

#endif
