/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_JIT_UNWIND_H
#define PK_JIT_UNWIND_H

/* The unwinding information that a just-in-time compiler writes to its jitdump with each code. */

#include "cfi.h"
#include "jitdump.h"

/* Like pk_cfi_find_within(), for the code at an offset in the jitdump. bytes are those of the
 * information of this code, in the machine's byte order. The result is BAD if the row has a DWARF
 * expression, and MEMORY if memory is exhausted. */
enum pk_cfi_status pk_jit_row(const struct pk_jit_unwinding *unwinding, const uint8_t *bytes,
			      const struct pk_cfi_machine *machine, uint64_t offset, uint64_t *work,
			      struct pk_cfi_row *row);

#endif
