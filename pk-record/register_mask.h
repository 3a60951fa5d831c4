/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REGISTER_MASK_H
#define PK_REGISTER_MASK_H

#include <stdbool.h>
#include <stdint.h>

/* All registers for unwinding, the same as in perf's mask; 0: none on this architecture. */
uint64_t registers_all(void);
/* The register with the return address, which callchains of frame pointers lack for a function
 * without a frame; 0: none. */
uint64_t registers_link(void);
/* Parses "ax,ip"; NULL: all. False: no such register. */
bool registers_parse(const char *text, uint64_t *mask);
/* Prints the names on stdout. */
void registers_print(void);

#endif
