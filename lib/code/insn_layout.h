/* SPDX-License-Identifier: BSD-2-Clause */
/* The size of the instructions of each machine, and their jump targets: the listing needs them for
 * all instructions. No external library is used. */
#ifndef PK_INSN_LAYOUT_H
#define PK_INSN_LAYOUT_H

#include "insn.h"
#include "x86_code.h"

/* Fills in size (of the whole instruction, which can be more than the given bytes), kind, target
 * and reference; address is set before. size is at least 1. */
typedef void (*layout_fn)(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);

void pk_insn_layout_arm64(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);
void pk_insn_layout_arm(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);
void pk_insn_layout_thumb(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);
void pk_insn_layout_ppc(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);
void pk_insn_layout_s390(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);
void pk_insn_layout_riscv(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);

void pk_insn_layout_x86(const struct x86_code *code, bool is_64, struct insn *insn);

#endif
