/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How x86's instructions are laid out: where each one ends, where it jumps, what memory it names.
 * By the opcode maps of the manuals of Intel (volume 2, appendix A) and AMD (volume 3, appendix A;
 * volume 6 for XOP). What an instruction does is not known here.
 */
#ifndef PK_X86_CODE_H
#define PK_X86_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX, X86_XOP };

/* Opcode maps: the one-byte one, 0F, 0F 38, 0F 3A; by number those of VEX, EVEX and XOP. */
enum { X86_MAP_ONE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A };

struct x86_code {
	uint8_t size;	  /* of it all; not valid: of what is to be passed over */
	bool valid;	  /* there is such an opcode, and all of it is there */
	uint8_t encoding; /* enum x86_encoding */
	uint8_t map, opcode;
	uint8_t modrm;
	bool has_modrm, has_memory;
	bool operand_size, repeat, repeat_not; /* prefixes 66, F3, F2; of VEX: by pp */
	bool address_size;		       /* prefix 67 */
	uint8_t rex;			       /* W, R, X, B as in the prefix; of VEX, too */
	uint8_t opcode_at;		       /* where it is in the bytes */
	uint8_t immediate_size;
	int64_t immediate; /* signed */

	/* The memory operand: registers 0 to 15 as encoded; X86_NO_REG, X86_REG_IP. */
	char segment; /* 'f', 'g' or 0 */
	uint8_t base, index, scale;
	int32_t displacement;
};

#define X86_NO_REG 0xff
#define X86_REG_IP 0xfe

/* The bytes' first instruction. size is at least 1. */
void x86_decode(const uint8_t *bytes, size_t size, bool is_64, struct x86_code *code);

#endif
