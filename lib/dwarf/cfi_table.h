/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of call frame information: .eh_frame, .debug_frame and .eh_frame_hdr. */
#ifndef CFI_TABLE_H
#define CFI_TABLE_H

#include "cfi.h"
#include "sframe.h"

struct cfi_table {
	struct pk_eh_frame frame;
	struct cfi_entry {
		uint64_t start, end;
		uint64_t offset; /* offset of the FDE in the section */
	} * entries;		 /* sorted by start */
	size_t count;
};

struct pk_cfi {
	const struct pk_cfi_machine *machine;
	struct cfi_table tables[2]; /* .eh_frame, .debug_frame */
	struct pk_eh_table header;  /* replaces the entries of .eh_frame; count 0: it is not used */
	struct pk_cfi_section exidx, extab;
	struct pk_sframe sframe;
};

/* The number under which the register with a DWARF number is stored. */
static inline uint64_t cfi_register(const struct pk_cfi_machine *machine, uint64_t number)
{
	return machine->high && number == machine->high ? PK_CFI_REGISTERS - 1 : number;
}

/* Finds the last FDE that starts at or before the address. It can end before the address. *offset
 * is its offset in .eh_frame. Returns false if there is none. */
bool pk_cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset);
/* Reads FDE n of pk_cfi_fdes(), and sets *in to its table. Returns false if the FDE is not
 * valid. */
bool pk_cfi_read_nth(const struct pk_cfi *cfi, size_t n, struct pk_eh_fde *fde,
		     const struct cfi_table **in);
/* The number of FDEs in both tables. */
size_t pk_cfi_fdes(const struct pk_cfi *cfi);
/* The code of FDE or function n of pk_cfi_count(). Returns false if it is not valid, and for 32-bit
 * Arm's. */
bool pk_cfi_range(const struct pk_cfi *cfi, size_t n, uint64_t *start, uint64_t *end);
/* Lists the FDEs of the table's section in table->entries. */
PK_MUST_CHECK enum pk_status pk_cfi_read_entries(const struct pk_cfi *cfi, struct cfi_table *table);
/* Reads the FDE at an offset of the table's section. Returns false if the FDE is not valid. */
bool pk_cfi_read_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct pk_eh_fde *fde);

#endif
