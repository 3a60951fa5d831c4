/* SPDX-License-Identifier: BSD-2-Clause */
/* What instructions are called, and what they do to what: by capstone, which disasm_library.c alone
 * knows. It is asked for one instruction at a time, whose size is known. */
#ifndef PK_DISASM_LIBRARY_H
#define PK_DISASM_LIBRARY_H

#include "insn.h"

struct library;

/* Before all else. False: it is not installed, or errno is ENOMEM. */
bool library_load(void);
/* NULL: it does not know the machine (or no memory is left). */
struct library *library_new(const struct disasm_options *options);
void library_free(struct library *l);
/* arm: from here on. */
void library_thumb(struct library *l, bool thumb);

/* False: it knows no such instruction of that size. The texts are valid until the next call. */
bool library_text(struct library *l, const uint8_t *bytes, size_t size, uint64_t address,
		  const char **mnemonic, const char **operands);
/* Fills in what DISASM_OPERANDS asks for; false: not known, nothing is filled in. */
bool library_operands(struct library *l, struct insn *insn);

/* One more operand, that is read. value: of a register its number, of memory the displacement. */
void insn_add_operand(struct insn *insn, unsigned kind, unsigned size, int64_t value);

#endif
