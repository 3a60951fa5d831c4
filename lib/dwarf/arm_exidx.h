/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the unwind table of 32-bit Arm, .ARM.exidx with .ARM.extab (Arm IHI 0038, "Exception
 * handling ABI for the Arm architecture"). The table is valid between the prologue and the epilogue
 * of a function. */
#ifndef ARM_EXIDX_H
#define ARM_EXIDX_H

#include "cfi_table.h"

/* Returns the number of entries of the index table. */
size_t pk_arm_exidx_count(const struct pk_cfi *cfi);

/* Finds the row of an address. Returns PK_CFI_NONE if the address is before the table, or if its
 * function has no unwind information. Returns PK_CFI_BAD if the information is damaged. Subtracts
 * the number of executed instructions from *work. If *work becomes 0, returns PK_CFI_BAD. A
 * function has at most 1 KiB of instructions. */
enum pk_cfi_status pk_arm_exidx_find(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				     struct pk_cfi_row *row);

/* Finds the range of addresses in .ARM.extab to which the index table refers. The last entry in
 * this range can be shorter than the longest possible entry, so *end can be after its end. Returns
 * false if no entry refers to .ARM.extab. */
bool pk_arm_exidx_extab(const struct pk_cfi_section *exidx, bool swapped, uint64_t *start,
			uint64_t *end);

#endif
