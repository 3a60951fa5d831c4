/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of instructions that the library does not know. */
#ifndef PK_X86_TEXT_H
#define PK_X86_TEXT_H

#include "x86_code.h"

/* The name and the operands, in Intel's or AT&T's syntax. bytes: of the instruction. False:
 * unknown. */
bool x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
	      size_t name_size, char *operands, size_t size);

#endif
