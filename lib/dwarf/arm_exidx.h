/* SPDX-License-Identifier: BSD-2-Clause */
/* The unwind table of 32-bit Arm, .ARM.exidx with .ARM.extab (Arm IHI 0038, "Exception handling ABI
 * for the Arm architecture"). It describes functions between their prologue and their epilogue. */
#ifndef ARM_EXIDX_H
#define ARM_EXIDX_H

#include "cfi_table.h"

/* The number of entries of the index table. */
size_t pk_arm_exidx_count(const struct pk_cfi *cfi);

/* Finds the row of an address. Returns NONE if the address is before the table, or if its function
 * has no unwind information. Returns BAD if the information is damaged. Adds nothing to *work: a
 * function has at most 1 KiB of instructions, of which *work can limit the number. */
enum pk_cfi_status pk_arm_exidx_find(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				     struct pk_cfi_row *row);

/* The range of addresses that the index table refers to in .ARM.extab. *end is the address after
 * the longest possible last entry. Returns false if no entry refers to it. */
bool pk_arm_exidx_extab(const struct pk_cfi_section *exidx, bool swapped, uint64_t *start,
			uint64_t *end);

#endif
