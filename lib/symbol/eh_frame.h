/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EH_FRAME_H
#define PK_EH_FRAME_H

/* Reads the entries of .eh_frame and .debug_frame, and the search table of .eh_frame_hdr; and finds
 * with these the sizes of functions, for symbols without a size: hand-written assembler code often
 * has call frame information, which programs need, but no sizes. */

#include "dwarf_cursor.h"
#include "elf_image.h"

struct pk_cfi_section {
	const uint8_t *data; /* NULL: no such section */
	uint64_t size;
	uint64_t address; /* address of the first byte, as in the object file */
};

/* .eh_frame or .debug_frame. */
struct pk_eh_frame {
	struct pk_cfi_section section;
	uint8_t word; /* size of an address, in bytes */
	bool swapped; /* the byte order is not the host's */
	bool is_debug_frame;
	bool is_start; /* the data can end within an entry */
};

/* A CIE or an FDE. */
struct pk_eh_entry {
	struct pk_cursor bytes; /* the bytes after the id */
	uint64_t id, id_offset;
	bool is_cie;
};

struct pk_eh_cie {
	struct pk_cursor code;
	uint64_t code_align, data_align;
	uint64_t ra;
	uint8_t address_size;
	uint8_t encoding; /* encoding of addresses in its FDEs: DW_EH_PE_* */
	bool augmented, signal_frame;
};

struct pk_eh_fde {
	struct pk_eh_cie cie;
	uint64_t start, end; /* start and end of its code */
	struct pk_cursor code;
};

/* Reads the entry at an offset. Returns false if there is no complete entry. *next is the offset of
 * the next entry, or UINT64_MAX if there is none. */
bool pk_eh_read_entry(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_entry *entry,
		      uint64_t *next);
/* The offset of an FDE's CIE in the section. */
uint64_t pk_eh_cie_offset(const struct pk_eh_frame *frame, const struct pk_eh_entry *entry);
bool pk_eh_read_cie(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_cie *cie);
/* Reads the rest of an FDE, whose CIE is in fde->cie. */
bool pk_eh_read_range(const struct pk_eh_frame *frame, struct pk_eh_entry *entry,
		      struct pk_eh_fde *fde);
/* Reads an address in one of the encodings DW_EH_PE_*. size is the number of bytes of an absolute
 * address. Sets bytes->bad if the encoding is not supported. */
uint64_t pk_eh_read_address(struct pk_cursor *bytes, const struct pk_cfi_section *section,
			    uint8_t encoding, uint8_t size);

/* ---- The search table ---- */

struct pk_eh_table {
	struct pk_cfi_section section; /* .eh_frame_hdr */
	uint32_t count;		       /* functions; 0: it cannot be used */
	uint8_t word;
	bool swapped;
};

/* count becomes 0 if there is no header, or one of an unusual format. */
struct pk_eh_table pk_eh_table(const struct pk_cfi_section *header, uint8_t word, bool swapped);
/* Number n of the table as an address. Even numbers are the start of function n / 2, odd ones are
 * its FDE. */
uint64_t pk_eh_table_number(const struct pk_eh_table *table, size_t n);
/* The number of functions that start at or before an address. */
size_t pk_eh_table_search(const struct pk_eh_table *table, uint64_t address);

/* ---- Sizes of functions ---- */

/* Reads of the file only what it needs, with the search table. */
struct pk_eh_sizes {
	const struct pk_elf *elf;
	const struct pk_elf_section *section;
	uint8_t *header;
	struct pk_eh_table table;
};

/* elf must stay open until pk_eh_sizes_close(). */
void pk_eh_sizes_open(struct pk_eh_sizes *sizes, const struct pk_elf *elf);
void pk_eh_sizes_close(struct pk_eh_sizes *sizes);
/* The size of the code whose entry starts at that address exactly, or 0 if there is no such
 * entry. */
uint64_t pk_eh_size(const struct pk_eh_sizes *sizes, uint64_t start);

#endif
