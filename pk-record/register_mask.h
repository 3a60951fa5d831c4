/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REGISTER_MASK_H
#define PK_REGISTER_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* The mask of the registers that unwinding needs, equal to perf's, or 0 if unwinding is not
 * supported on this architecture. */
uint64_t registers_all(void);
/* The mask of the link register if the architecture has one, otherwise 0. It contains the return
 * address of a function that has no frame, which a callchain of frame pointers lacks. */
uint64_t registers_link(void);
/* Whether a call stores the return address at the stack pointer: there it is at the first
 * instruction of a function. */
bool registers_return_on_stack(void);
/* Parses names of registers such as "ax,ip". NULL means all. Returns false if there is no such
 * name, or memory is exhausted. */
PK_MUST_CHECK enum pk_status registers_parse(const char *text, uint64_t *mask);
/* Prints the names of all registers on stdout. */
void registers_print(void);

#endif
