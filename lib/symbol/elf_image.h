/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads ELF files. Whatever the file's byte order and class are, the results have the host's byte
 * order and 64 bits. Only pk_elf_bytes() and pk_elf_read() return the file's bytes. Only
 * elf_image.c uses libelf. Constants (SHT_, STT_ ...) are those of <elf.h>.
 *
 * The file is untrusted: memory is bounded by a small multiple of the file's size, and invalid
 * offsets yield "not found". Failed reads and allocations yield the same, and are counted in the
 * failures passed to pk_elf_open, which may be NULL.
 */
#ifndef PK_ELF_IMAGE_H
#define PK_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

struct pk_elf;

struct pk_elf_section {
	const char *name; /* "": unnamed; valid while the file is open */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, align, entsize;
};

struct pk_elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	uint32_t flags; /* PF_ */
};

struct pk_elf_symbol {
	uint64_t value, size;
	uint32_t name;	  /* offset in the linked string table (sh_link) */
	uint32_t section; /* index, or a special SHN_ number */
	uint8_t type, bind, visibility;
};

struct pk_elf_relocation {
	uint64_t offset, addend; /* addend: 0 for SHT_REL */
	uint32_t type, symbol;
};

/*
 * A relocatable file (ET_REL) is a module of the kernel. It has no addresses of its own: its
 * sections and symbols have those that the kernel's loader gives them, counted from the start of
 * the module's code, where the sections of code follow each other in the order of the file.
 * Sections that are not part of this code, such as .init.text and data, get addresses after it,
 * from PK_ELF_OUTSIDE on. The file has one segment, the code, whose offset is 0, too.
 */
#define PK_ELF_OUTSIDE (UINT64_C(1) << 40)

/* Opens an ELF file. Takes ownership of the descriptor, also if the result is NULL: not ELF,
 * damaged, almost only holes, or a failure. path is for the failures. */
struct pk_elf *pk_elf_open(int fd, const char *path, struct pk_failures *failures);
/* The path that it was opened with, or NULL if it is in memory. */
const char *pk_elf_path(const struct pk_elf *elf);
/* Opens an ELF file in memory. The bytes must stay valid until pk_elf_close(). */
struct pk_elf *pk_elf_open_memory(const void *image, size_t size, struct pk_failures *failures);
/* Opens an ELF file that was contained in another file (.gnu_debugdata). Takes ownership of the
 * bytes, which must be from malloc(), also if the result is NULL. */
struct pk_elf *pk_elf_open_part(void *image, size_t size, struct pk_failures *failures);
/* The counter that was passed at opening. It can be NULL. */
struct pk_failures *pk_elf_failures(const struct pk_elf *elf);
bool pk_elf_is_part(const struct pk_elf *elf);
void pk_elf_close(struct pk_elf *elf);

unsigned pk_elf_machine(const struct pk_elf *elf); /* EM_ */
bool pk_elf_swapped(const struct pk_elf *elf);	   /* its byte order is not the host's */
bool pk_elf_is_64(const struct pk_elf *elf);
bool pk_elf_relocatable(const struct pk_elf *elf);
uint64_t pk_elf_size(const struct pk_elf *elf); /* bytes of the file */

/* All sections, including section 0: the indexes are those in the file. */
const struct pk_elf_section *pk_elf_sections(const struct pk_elf *elf, size_t *count);
/* Finds a section by its name. NULL: none. */
const struct pk_elf_section *pk_elf_section(const struct pk_elf *elf, const char *name);
/* Whether it contains debugging information, compressed or not. */
bool pk_elf_has_dwarf(const struct pk_elf *elf);

/* The next program header of that type (PT_). *next is 0 at first. Returns false if there are no
 * more. */
bool pk_elf_segment(const struct pk_elf *elf, uint32_t type, size_t *next,
		    struct pk_elf_segment *segment);

/* The segments of type PT_LOAD, at most the first 128. */
const struct pk_elf_segment *pk_elf_loads(const struct pk_elf *elf, size_t *count);

/* The offset in the file of a virtual address, by the PT_LOAD segment that contains it. For memory
 * after the segment's bytes in the file (.bss), the file has other bytes there. Returns false if no
 * segment contains it. */
bool pk_elf_offset_of(const struct pk_elf *elf, uint64_t vaddr, uint64_t *offset);

/* A copy of a part of the file, with a NUL at the end, for free(). Returns NULL if the part is not
 * completely in the file, or cannot be read. */
void *pk_elf_bytes(const struct pk_elf *elf, uint64_t offset, uint64_t size);

/* Copies a part of the file. Returns false if the part is not completely in the file, or cannot be
 * read. */
bool pk_elf_read(const struct pk_elf *elf, uint64_t offset, void *to, uint64_t size);

/* The records of a section: symbols, relocations. Valid while the file is open. */
struct pk_elf_records {
	void *data;
	size_t count; /* 0 if the section is not completely in the file, compressed, of another
		       * type, or after a failure */
	bool addends; /* the records are of SHT_RELA */
};

struct pk_elf_records pk_elf_symbols(const struct pk_elf *elf, const struct pk_elf_section *s);
/* In a relocatable file, the value is an address, too. */
struct pk_elf_symbol pk_elf_symbol(const struct pk_elf *elf, const struct pk_elf_records *r,
				   size_t index);
struct pk_elf_records pk_elf_relocations(const struct pk_elf *elf, const struct pk_elf_section *s);
struct pk_elf_relocation pk_elf_relocation(const struct pk_elf_records *r, size_t index);

#endif
