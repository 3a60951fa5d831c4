/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions between two branches. */
#ifndef PGO_CODE_H
#define PGO_CODE_H

#include "pgo.h"

struct pgo_code;

/* Opens the code of an object. Returns NULL if memory is exhausted. */
struct pgo_code *pgo_code_new(struct pk_object *object);
void pgo_code_free(struct pgo_code *code);
/* Returns whether the instructions from the offset `from` up to, but without, the instruction at
 * the offset `to` can run one after the other: there is no jump, call or return, and an instruction
 * starts at `to`. Returns true if the code or a disassembler for it is missing. */
bool pgo_code_is_straight(struct pgo_code *code, uint32_t from, uint32_t to);
/* Sets *size to the size of the instruction at an offset. If the bytes are not an instruction,
 * returns false, and sets *size to the number of bytes to skip. It is 0 if there is no code or no
 * disassembler for it. */
bool pgo_code_size(struct pgo_code *code, uint32_t offset, uint32_t *size);

#endif
