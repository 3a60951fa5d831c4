/* SPDX-License-Identifier: BSD-2-Clause */
/* Returns the names and effects of instructions, which come from capstone. Only disasm_library.c
 * uses capstone. The functions decode one instruction at a time. The caller knows its size. */
#ifndef PK_DISASM_LIBRARY_H
#define PK_DISASM_LIBRARY_H

#include "insn.h"
#include "status.h"

struct library;

/* Call this function first. Returns PK_UNSUPPORTED if capstone is not installed, and PK_NOMEM if
 * memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_disasm_library_load(void);
/* Returns NULL if the machine is unknown or memory is exhausted. */
struct library *pk_disasm_library_new(const struct disasm_options *options);
void pk_disasm_library_free(struct library *l);
/* Sets whether the next instructions of a 32-bit Arm machine are Thumb code or Arm code. */
void pk_disasm_library_thumb(struct library *l, bool thumb);

/* Returns false if capstone knows no such instruction of this size. The texts are valid until the
 * next call. */
bool pk_disasm_library_text(struct library *l, const uint8_t *bytes, size_t size, uint64_t address,
			    const char **mnemonic, const char **operands);
/* Sets the members of `insn` that DISASM_OPERANDS asks for. This works on x86 and arm64. If the
 * instruction or the machine is unknown, returns false and sets nothing. */
bool pk_disasm_library_operands(struct library *l, struct insn *insn);

/* Adds an operand that the instruction reads. `value` is the number of a register, an immediate, or
 * the displacement of a memory operand. Does nothing if there are INSN_OPERANDS operands already.
 */
void pk_insn_add_operand(struct insn *insn, unsigned kind, unsigned size, int64_t value);

#endif
