/* SPDX-License-Identifier: BSD-2-Clause */
/* Names and effects of instructions, from capstone. Only disasm_library.c uses it. Decodes one
 * instruction at a time, whose size is known. */
#ifndef PK_DISASM_LIBRARY_H
#define PK_DISASM_LIBRARY_H

#include "insn.h"

struct library;

/* Call it first. Returns false if capstone is not installed, or errno is ENOMEM. */
bool pk_disasm_library_load(void);
/* Returns NULL if the machine is unknown, or memory is exhausted. */
struct library *pk_disasm_library_new(const struct disasm_options *options);
void pk_disasm_library_free(struct library *l);
/* Sets whether the following instructions of arm are Thumb code or Arm code. */
void pk_disasm_library_thumb(struct library *l, bool thumb);

/* Returns false if there is no such instruction of that size. The texts are valid until the next
 * call. */
bool pk_disasm_library_text(struct library *l, const uint8_t *bytes, size_t size, uint64_t address,
			    const char **mnemonic, const char **operands);
/* Fills in the fields of DISASM_OPERANDS, on x86 and arm64. Returns false, and fills in nothing, if
 * the instruction or the machine is unknown. */
bool pk_disasm_library_operands(struct library *l, struct insn *insn);

/* Adds an operand that is read. value is the number of a register, an immediate, or the
 * displacement of memory. Does nothing if there are INSN_OPERANDS already. */
void pk_insn_add_operand(struct insn *insn, unsigned kind, unsigned size, int64_t value);

#endif
