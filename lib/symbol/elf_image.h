/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads ELF files. The results always have the byte order of this machine and 64 bits, whatever the
 * byte order and class of the file are. Only pk_elf_bytes() and pk_elf_read() return unchanged
 * bytes of the file. Only elf_image.c uses libelf. Constants (SHT_, STT_ ...) are from <elf.h>.
 *
 * The file is not trusted. The memory is at most a small multiple of the file's size, and invalid
 * offsets yield "not found". Failed reads and allocations also yield "not found". They are counted
 * in the failures that were passed to pk_elf_open(), which may be NULL.
 */
#ifndef PK_ELF_IMAGE_H
#define PK_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

struct pk_elf;

/* A section of an ELF file. */
struct pk_elf_section {
	const char *name; /* "" if it has no name; valid while the file is open */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, align, entsize;
};

/* A segment (program header) of an ELF file. */
struct pk_elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	uint32_t flags; /* PF_* */
};

/* A symbol of an ELF file. */
struct pk_elf_symbol {
	uint64_t value, size;
	uint32_t name;	  /* offset of the name in the linked string table (sh_link) */
	uint32_t section; /* index of the section, or a special SHN_* number */
	uint8_t type, bind, visibility;
};

/* A relocation of an ELF file. */
struct pk_elf_relocation {
	uint64_t offset,
		addend; /* `offset` is where the relocation applies. `addend` is 0 for SHT_REL. */
	uint32_t type, symbol;
};

/*
 * A relocatable file (ET_REL) is a module of the kernel. It contains no addresses. So sections and
 * symbols get the addresses that the kernel's loader would give them, relative to the start of the
 * module's code. In this code, the sections of code follow each other in the order of the file.
 * Other sections, such as .init.text and data, get higher addresses, from PK_ELF_OUTSIDE on. The
 * file then has one segment for the code, and the offset of this segment is 0.
 */
#define PK_ELF_OUTSIDE (UINT64_C(1) << 40)

/* Opens an ELF file. The function always becomes the owner of the descriptor. Returns NULL if the
 * file is not ELF, is damaged, consists almost only of holes, or cannot be read. `path` is used to
 * report failures. */
struct pk_elf *pk_elf_open(int fd, const char *path, struct pk_failures *failures);
/* Returns the path that was passed to pk_elf_open(), or NULL if the file is in memory. */
const char *pk_elf_path(const struct pk_elf *elf);
/* Opens an ELF file in memory. The bytes must stay valid until pk_elf_close(). */
struct pk_elf *pk_elf_open_memory(const void *image, size_t size, struct pk_failures *failures);
/* Opens an ELF file that is contained in another file (.gnu_debugdata). The function always becomes
 * the owner of the bytes, also if it returns NULL. The bytes must be from malloc(). */
struct pk_elf *pk_elf_open_part(void *image, size_t size, struct pk_failures *failures);
/* Returns the pointer to the failures that was passed when the file was opened. It can be NULL. */
struct pk_failures *pk_elf_failures(const struct pk_elf *elf);
bool pk_elf_is_part(const struct pk_elf *elf);
void pk_elf_close(struct pk_elf *elf);

/* Identifies the content of a file on this machine. If the content changes, `changed` changes. */
struct pk_elf_identity {
	uint64_t device, inode, size;
	int64_t modified[2], changed[2]; /* st_mtim and st_ctim: seconds and nanoseconds */
};

/* Returns the identity that the file had when it was opened. All members are 0 if it is in memory.
 */
struct pk_elf_identity pk_elf_identity(const struct pk_elf *elf);

unsigned pk_elf_machine(const struct pk_elf *elf); /* EM_* */
bool pk_elf_swapped(const struct pk_elf *elf);	   /* the byte order differs from this machine */
bool pk_elf_is_64(const struct pk_elf *elf);
bool pk_elf_relocatable(const struct pk_elf *elf);
uint64_t pk_elf_size(const struct pk_elf *elf); /* size of the file in bytes */

/* Returns all sections, including section 0, so the indexes are the same as in the file. */
const struct pk_elf_section *pk_elf_sections(const struct pk_elf *elf, size_t *count);
/* Finds a section by its name. Returns NULL if there is none. */
const struct pk_elf_section *pk_elf_section(const struct pk_elf *elf, const char *name);
/* Returns whether the file contains debugging information, compressed or not. */
bool pk_elf_has_dwarf(const struct pk_elf *elf);

/* Finds the next program header of this type (PT_*). Set *next to 0 before the first call. Returns
 * false if there are no more. */
bool pk_elf_segment(const struct pk_elf *elf, uint32_t type, size_t *next,
		    struct pk_elf_segment *segment);

/* Returns the segments of type PT_LOAD, but only the first 128. */
const struct pk_elf_segment *pk_elf_loads(const struct pk_elf *elf, size_t *count);

/* Finds the offset in the file of a virtual address. It uses the PT_LOAD segment that contains the
 * address. A segment can be larger in memory than in the file (.bss). For an address in this
 * additional memory, the bytes at the offset do not belong to the segment. Returns false if no
 * segment contains the address. */
bool pk_elf_offset_of(const struct pk_elf *elf, uint64_t vaddr, uint64_t *offset);

/* Copies a range of the file, and adds a NUL. The caller frees the result. Returns NULL if the
 * range is not completely in the file, or if it cannot be read. */
void *pk_elf_bytes(const struct pk_elf *elf, uint64_t offset, uint64_t size);

/* Copies a range of the file to `to`. Returns false if the range is not completely in the file, or
 * if it cannot be read. */
bool pk_elf_read(const struct pk_elf *elf, uint64_t offset, void *to, uint64_t size);

/* The symbols or relocations of a section. They are valid while the file is open. */
struct pk_elf_records {
	const char *data;
	size_t count; /* 0 if the section is not completely in the file, is compressed, is of
		       * another type, or cannot be read */
	bool is_64;   /* the class of the file is ELFCLASS64 */
	bool addends; /* the records are of type SHT_RELA */
};

struct pk_elf_records pk_elf_symbols(const struct pk_elf *elf, const struct pk_elf_section *s);
/* Returns symbol number `index`. The value of the symbol is an address, even in a relocatable file.
 */
struct pk_elf_symbol pk_elf_symbol(const struct pk_elf *elf, const struct pk_elf_records *r,
				   size_t index);
/* Calls note() for the symbols of a type (STT_*) that a section of symbols, such as .dynsym,
 * defines.
 */
void pk_elf_each_symbol(const struct pk_elf *elf, const char *section, unsigned int type,
			void (*note)(void *arg, const char *name,
				     const struct pk_elf_symbol *symbol),
			void *arg);
struct pk_elf_records pk_elf_relocations(const struct pk_elf *elf, const struct pk_elf_section *s);
struct pk_elf_relocation pk_elf_relocation(const struct pk_elf_records *r, size_t index);

#endif
