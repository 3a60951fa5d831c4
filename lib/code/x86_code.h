/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of x86 instructions: sizes, jump targets, memory operands. It comes from the opcode
 * maps of the manuals of Intel (volume 2, appendix A) and AMD (volume 3, appendix A, and volume 6
 * for XOP). The effects of instructions are not decoded here. */
#ifndef PK_X86_CODE_H
#define PK_X86_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX, X86_XOP };

/* Opcode maps. The first are the one-byte one, 0F, 0F 38 and 0F 3A. Those of VEX, EVEX and XOP have
 * numbers. */
enum { X86_MAP_ONE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A };

struct x86_code {
	uint8_t size; /* of the instruction; if not valid: the bytes to skip */
	bool valid;   /* the opcode exists (not checked in 0F 38, 0F 3A and for VEX, EVEX, XOP), and
		       * all bytes are there */
	uint8_t encoding; /* enum x86_encoding */
	uint8_t map, opcode;
	uint8_t modrm;
	bool has_modrm, has_memory;
	bool operand_size, repeat, repeat_not; /* prefixes 66, F3, F2; for VEX: by pp */
	bool address_size;		       /* prefix 67 */
	uint8_t rex;			       /* W, R, X, B as in the prefix; also for VEX */
	uint8_t opcode_at;		       /* offset of the opcode in the bytes */
	uint8_t immediate_size;
	int64_t immediate; /* signed */

	/* The memory operand. Its registers are 0 to 15 as encoded, X86_NO_REG or X86_REG_IP. */
	char segment; /* 'f', 'g' or 0 */
	uint8_t base, index, scale;
	int32_t displacement;
};

#define X86_NO_REG 0xff
#define X86_REG_IP 0xfe

/* Decodes the first instruction. size is at least 1. */
void pk_x86_decode(const uint8_t *bytes, size_t size, bool is_64, struct x86_code *code);

/* Writes the name and the operands, in Intel's or AT&T's syntax. c describes the instruction in
 * bytes. Returns false if it is unknown. */
bool pk_x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
		 size_t name_size, char *operands, size_t size);

#endif
