/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the tables of call frame information: .eh_frame, .debug_frame and .eh_frame_hdr. */
#ifndef CFI_TABLE_H
#define CFI_TABLE_H

#include "cfi.h"
#include "sframe.h"

/* The FDEs of one section. */
struct cfi_table {
	struct pk_eh_frame frame;
	struct cfi_entry {
		uint64_t start, end;
		uint64_t offset; /* the offset of the FDE in the section */
	} * entries;		 /* sorted by start */
	size_t count;
};

/* The call frame information of an object. */
struct pk_cfi {
	const struct pk_cfi_machine *machine;
	struct cfi_table tables[2]; /* the FDEs of .eh_frame and of .debug_frame */
	/* The search table of .eh_frame_hdr. It replaces the list of entries of .eh_frame. Its
	 * count is 0 if there is no usable search table. */
	struct pk_eh_table header;
	struct pk_cfi_section exidx, extab;
	struct pk_sframe sframe;
	struct pk_cfi_code stack_switch;
	struct pk_cfi_row switch_row; /* the row for the code of stack_switch */
};

/* Returns the number that is used to store a register with this DWARF number. */
static inline uint64_t cfi_register(const struct pk_cfi_machine *machine, uint64_t number)
{
	return machine->high && number == machine->high ? PK_CFI_REGISTERS - 1 : number;
}

/* Finds the last FDE that starts at or before the address. The FDE can end before the address. Sets
 * *offset to the offset of the FDE in .eh_frame. Returns false if there is no such FDE. */
bool pk_cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset);
/* Reads FDE number n (less than pk_cfi_fdes()), and sets *in to its table. Returns false if the FDE
 * is not valid. */
bool pk_cfi_read_nth(const struct pk_cfi *cfi, size_t n, struct pk_eh_fde *fde,
		     const struct cfi_table **in);
/* Returns the number of FDEs in .eh_frame and .debug_frame. */
size_t pk_cfi_fdes(const struct pk_cfi *cfi);
/* Finds the code of FDE or function number n (less than pk_cfi_count()). Returns false if the FDE
 * or function is not valid, or if it is an entry of .ARM.exidx. */
bool pk_cfi_range(const struct pk_cfi *cfi, size_t n, uint64_t *start, uint64_t *end);
/* Fills table->entries with the FDEs of the table's section. */
PK_MUST_CHECK enum pk_status pk_cfi_read_entries(const struct pk_cfi *cfi, struct cfi_table *table);
/* Reads the FDE at an offset in the section of the table. Returns false if the FDE is not valid. */
bool pk_cfi_read_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct pk_eh_fde *fde);

#endif
