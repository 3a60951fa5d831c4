/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts for instructions that the library has no name for. */
#ifndef PK_X86_TEXT_H
#define PK_X86_TEXT_H

#include "x86_code.h"

/*
 * The operands of a form, the destination first: by ModRM's register V (vector), K (mask), G, Q
 * (general, 4 and 8 bytes); by vvvv H (vector), L (mask); by ModRM's register or memory W, h, r (a
 * vector, a half, a quarter of one), x, y (of 16, 32 bytes), b, w, d, e (one of 16 bytes, of which
 * 1, 2, 4, 8 are read in memory), s, t (a vector, of which single elements of 1, 2 are), g, q
 * (general), k (mask); I an immediate, C one that is in the name.
 */
struct x86_named {
	uint8_t encoding, map, prefix, opcode, w; /* prefix: 0, 66, F3, F2 */
	const char *name, *form;
};

bool x86_find_name(const struct x86_code *c, struct x86_named *found);

/* The name and the operands, in Intel's or AT&T's syntax. bytes: of the instruction. False: it is
 * none of those known here. */
bool x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
	      size_t name_size, char *operands, size_t size);

#endif
