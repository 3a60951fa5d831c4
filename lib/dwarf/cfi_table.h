/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of call frame information: .eh_frame, .debug_frame and .eh_frame_hdr. */
#ifndef CFI_TABLE_H
#define CFI_TABLE_H

#include "cfi.h"
#include "dwarf_cursor.h"

struct cfi_cie {
	struct pk_cursor code;
	uint64_t code_align, data_align;
	uint8_t address_size;
	uint8_t encoding; /* encoding of addresses in its FDEs: DW_EH_PE_* */
	uint8_t ra;
	bool augmented, signal_frame;
};

struct cfi_fde {
	struct cfi_cie cie;
	uint64_t start, end; /* start and end of its code */
	struct pk_cursor code;
};

struct cfi_table {
	struct pk_cfi_section section;
	bool is_debug_frame;
	struct cfi_entry {
		uint64_t start, end;
		uint64_t offset; /* offset of the FDE in the section */
	} * entries;		 /* sorted by start */
	size_t count;
};

struct pk_cfi {
	const struct pk_cfi_machine *machine;
	struct cfi_table tables[2];   /* .eh_frame, .debug_frame */
	struct pk_cfi_section header; /* .eh_frame_hdr, if header_count is not 0 */
	uint32_t header_count;	      /* entries of its search table; 0: it is not used */
	struct pk_cfi_section exidx, extab;
};

/* The number under which the register with a DWARF number is stored. */
static inline uint64_t cfi_register(const struct pk_cfi_machine *machine, uint64_t number)
{
	return machine->high && number == machine->high ? PK_CFI_REGISTERS - 1 : number;
}

/* Sets cfi->header, if the header is valid and has the usual format. Then pk_cfi_search_header()
 * replaces the entries of .eh_frame. */
void pk_cfi_use_header(struct pk_cfi *cfi, const struct pk_cfi_section *header);
/* Finds the last FDE that starts at or before the address; it can end before the address. *offset:
 * its offset in .eh_frame. False: none. */
bool pk_cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset);
/* Reads FDE n of pk_cfi_count(). False: no valid FDE. */
bool pk_cfi_read_nth(const struct pk_cfi *cfi, size_t n, struct cfi_fde *fde);
/* Lists the FDEs of the table's section in table->entries. False: out of memory. */
bool pk_cfi_read_entries(const struct pk_cfi *cfi, struct cfi_table *table);
/* Reads the FDE at an offset of the table's section. False: no valid FDE. */
bool pk_cfi_read_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct cfi_fde *fde);
/* Reads an address in one of the encodings DW_EH_PE_*. size: the bytes of an absolute address. Sets
 * bytes->bad if the encoding is not supported. */
uint64_t pk_cfi_read_address(struct pk_cursor *bytes, const struct pk_cfi_section *section,
			     uint8_t encoding, uint8_t size);

#endif
