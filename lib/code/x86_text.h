/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of x86 instructions that capstone does not know. */
#ifndef PK_X86_TEXT_H
#define PK_X86_TEXT_H

#include "x86_code.h"

/* Writes the name and the operands, in Intel's or AT&T's syntax. bytes: the instruction, which c
 * describes. False: unknown. */
bool pk_x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
		 size_t name_size, char *operands, size_t size);

#endif
