/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EH_FRAME_H
#define PK_EH_FRAME_H

/* Reads the entries of .eh_frame and .debug_frame, and the search table of .eh_frame_hdr. It also
 * finds the sizes of functions for symbols without a size. Assembler code that is written by hand
 * often has no sizes, but it has call frame information, because unwinding needs this. */

#include "dwarf_cursor.h"
#include "elf_image.h"

/* The bytes of a section, and their address. */
struct pk_cfi_section {
	const uint8_t *data; /* the bytes of the section; NULL if there is no such section */
	uint64_t size;
	uint64_t address; /* address of the first byte in the object file */
};

/* A section .eh_frame or .debug_frame. */
struct pk_eh_frame {
	struct pk_cfi_section section;
	uint8_t word; /* size of an address, in bytes */
	bool swapped; /* the byte order differs from this machine */
	bool is_debug_frame;
	bool is_start; /* `section` has only the start of the entry that is read */
	/* A callback that makes sure that these bytes of the section are in `data`. The callback is
	 * NULL if `data` has all bytes from the start. */
	void (*load)(void *arg, uint64_t offset, uint64_t size);
	void *arg;
};

/* An entry, which is a CIE or an FDE. */
struct pk_eh_entry {
	struct pk_cursor bytes; /* the bytes of the entry after its id */
	uint64_t id, id_offset;
	bool is_cie;
};

/* The contents of a CIE that are needed to read its FDEs. */
struct pk_eh_cie {
	struct pk_cursor code;
	uint64_t code_align, data_align;
	uint64_t ra;
	uint8_t address_size;
	uint8_t encoding; /* how the FDEs of this CIE encode addresses: a number DW_EH_PE_* */
	bool augmented, signal_frame;
};

/* The range of code of an FDE. */
struct pk_eh_fde {
	struct pk_eh_cie cie;
	uint64_t start, end; /* start and end of the FDE's code */
	struct pk_cursor code;
};

/* Reads the entry at an offset. Returns false if there is no complete entry. *next is the offset of
 * the next entry, or UINT64_MAX if there is none. */
bool pk_eh_read_entry(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_entry *entry,
		      uint64_t *next);
/* Returns the offset of the CIE that an FDE refers to. The offset is relative to the start of the
 * section. */
uint64_t pk_eh_cie_offset(const struct pk_eh_frame *frame, const struct pk_eh_entry *entry);
bool pk_eh_read_cie(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_cie *cie);
/* Reads the contents of an FDE. fde->cie must contain its CIE. */
bool pk_eh_read_range(const struct pk_eh_frame *frame, struct pk_eh_entry *entry,
		      struct pk_eh_fde *fde);
/* Reads an address in one of the encodings DW_EH_PE_*. `size` is the number of bytes of an absolute
 * address. Sets bytes->bad if the encoding is not supported. */
uint64_t pk_eh_read_address(struct pk_cursor *bytes, const struct pk_cfi_section *section,
			    uint8_t encoding, uint8_t size);

/* ---- The search table ---- */

/* The search table of .eh_frame_hdr. */
struct pk_eh_table {
	struct pk_cfi_section section; /* the section .eh_frame_hdr */
	uint32_t count;		       /* number of functions, or 0 if the table cannot be used */
	uint8_t word;
	bool swapped;
};

/* Reads the header of the table. Sets `count` to 0 if there is no header, or if its format is
 * unusual. */
struct pk_eh_table pk_eh_table(const struct pk_cfi_section *header, uint8_t word, bool swapped);
/* Returns number n of the table as an address. Number 2 * i is the start of function i, and number
 * 2 * i + 1 is the address of its FDE. */
uint64_t pk_eh_table_number(const struct pk_eh_table *table, size_t n);
/* Returns the number of functions that start at or before an address. */
size_t pk_eh_table_search(const struct pk_eh_table *table, uint64_t address);

/* ---- Sizes of functions ---- */

/* Finds sizes of functions with the search table. Only the needed bytes of the file are read. */
struct pk_eh_sizes {
	const struct pk_elf *elf;
	const struct pk_elf_section *section;
	uint8_t *header;
	struct pk_eh_table table;
};

/* `elf` must stay open until pk_eh_sizes_close(). */
void pk_eh_sizes_open(struct pk_eh_sizes *sizes, const struct pk_elf *elf);
void pk_eh_sizes_close(struct pk_eh_sizes *sizes);
/* Returns the size of the code whose FDE starts exactly at the address `start`. Returns 0 if there
 * is no such FDE. */
uint64_t pk_eh_size(const struct pk_eh_sizes *sizes, uint64_t start);

#endif
