/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_JIT_UNWIND_H
#define PK_JIT_UNWIND_H

/* Reads the unwinding information that a just-in-time compiler writes to its jitdump for each piece
 * of code. */

#include "cfi.h"
#include "jitdump.h"

/* Like pk_cfi_find_within(), for the code at an offset in the jitdump. `bytes` is the unwinding
 * information of this code, in the byte order of the machine. Returns PK_CFI_BAD if the row has a
 * DWARF expression, and PK_CFI_MEMORY if memory is exhausted. */
enum pk_cfi_status pk_jit_row(const struct pk_jit_unwinding *unwinding, const uint8_t *bytes,
			      const struct pk_cfi_machine *machine, uint64_t offset, uint64_t *work,
			      struct pk_cfi_row *row);

#endif
