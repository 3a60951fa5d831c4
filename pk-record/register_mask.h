/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REGISTER_MASK_H
#define PK_REGISTER_MASK_H

#include <stdbool.h>
#include <stdint.h>

/* All that an unwinder wants, which are those in perf's own mask; 0: none on this architecture. */
uint64_t registers_all(void);
/* What frame pointers lack: the register with the caller of a function that has no frame; 0: none.
 */
uint64_t registers_link(void);
/* "ax,ip"; NULL: all. False if there is none of that name. */
bool registers_parse(const char *text, uint64_t *mask);
/* The names, on stdout. */
void registers_print(void);

#endif
