/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REGISTER_MASK_H
#define PK_REGISTER_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* Returns the mask of the registers that unwinding needs, which is the same as in perf. Returns 0
 * if unwinding is not supported on this architecture. */
uint64_t registers_all(void);
/* Returns the mask of the link register, or 0 if the architecture has none. For a function without
 * a frame, the link register has the return address, which is missing in a callchain by frame
 * pointers. */
uint64_t registers_link(void);
/* Returns true if a call stores the return address at the stack pointer. At the first instruction
 * of a function, the return address is still there. */
bool registers_return_on_stack(void);
/* Parses names of registers such as "ax,ip". If text is NULL, selects all registers. Returns an
 * error if there is no register with a name, or if memory is exhausted. */
PK_MUST_CHECK enum pk_status registers_parse(const char *text, uint64_t *mask);
/* Prints the names of all registers on stdout. */
void registers_print(void);

#endif
