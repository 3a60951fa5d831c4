/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REGISTER_MASK_H
#define PK_REGISTER_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* Returns the mask of the registers that are needed to unwind a stack. perf uses the same mask.
 * Returns 0 if unwinding is not supported on this architecture. */
uint64_t registers_all(void);
/* Returns the mask of the link register, or 0 if the architecture has none. In a function without a
 * stack frame, the link register has the return address. A callchain by frame pointers lacks this
 * address. */
uint64_t registers_link(void);
/* Returns true if a call stores the return address at the stack pointer. At the first instruction
 * of a function, the return address is still there. */
bool registers_return_on_stack(void);
/* Parses a list of register names such as "ax,ip" into a mask. If text is NULL, selects all
 * registers. Returns an error if the list has an unknown name, or if memory is exhausted. */
PK_MUST_CHECK enum pk_status registers_parse(const char *text, uint64_t *mask);
/* Prints the names of all registers on stdout. */
void registers_print(void);

#endif
