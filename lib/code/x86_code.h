/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes the layout of x86 instructions: sizes, jump targets and memory operands. The layout comes
 * from the opcode maps in the manuals of Intel (volume 2, appendix A) and AMD (volume 3, appendix
 * A, and volume 6 for XOP). The effects of instructions are not decoded here. */
#ifndef PK_X86_CODE_H
#define PK_X86_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_encoding { X86_LEGACY, X86_VEX, X86_EVEX, X86_XOP };

/* The numbers of the opcode maps: one-byte opcodes, and opcodes after 0F, 0F 38 and 0F 3A. VEX,
 * EVEX and XOP prefixes contain the number of the map. */
enum { X86_MAP_ONE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A };

/* The layout of an x86 instruction. */
struct x86_code {
	uint8_t size; /* The size of the instruction in bytes. If the instruction is not valid, it
		       * is the number of bytes to skip. */
	bool valid;   /* True if the opcode exists and all bytes are there. For 0F 38, 0F 3A, VEX,
		       * EVEX and XOP, it is not checked whether the opcode exists. */
	uint8_t encoding; /* enum x86_encoding */
	uint8_t map, opcode;
	uint8_t modrm;
	bool has_modrm, has_memory;
	bool operand_size, repeat,
		repeat_not; /* the prefixes 66, F3 and F2; for VEX they come from the field pp */
	bool address_size;  /* the prefix 67 */
	uint8_t rex; /* the bits W, R, X and B as in a REX prefix; also set if the instruction has a
		      * VEX prefix */
	uint8_t opcode_at; /* the distance in bytes from the start of the instruction to the opcode
			    */
	uint8_t immediate_size;
	int64_t immediate; /* a signed number */

	/* The memory operand. `base` and `index` are encoded numbers of registers (0 to 15),
	 * X86_NO_REG or X86_REG_IP. */
	char segment; /* 'f', 'g', or 0 if there is no segment */
	uint8_t base, index, scale;
	int32_t displacement;
};

#define X86_NO_REG 0xff
#define X86_REG_IP 0xfe

/* Decodes the first instruction in the bytes. `size` must be at least 1. */
void pk_x86_decode(const uint8_t *bytes, size_t size, bool is_64, struct x86_code *code);

/* Writes the name and the operands of the instruction, in the syntax of Intel or AT&T. `c` is the
 * result of pk_x86_decode() for the bytes. Returns false if the instruction is unknown. */
bool pk_x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
		 size_t name_size, char *operands, size_t size);

#endif
