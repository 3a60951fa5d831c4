// SPDX-License-Identifier: BSD-2-Clause
#include "pt_instruction.h"
#include "x86_code.h"

static enum pt_class class_of_group_5(unsigned int operation)
{
	switch (operation) {
	case 2: return PT_CALL;
	case 3: return PT_SYSCALL;
	case 4:
	case 5: return PT_JUMP;
	default: return PT_OTHER;
	}
}

static enum pt_class class_of_one(const struct x86_code *code)
{
	switch (code->opcode) {
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3: return PT_CONDITIONAL;
	case 0xe8: return PT_CALL;
	case 0xe9 ... 0xeb: return PT_JUMP;
	case 0xc2 ... 0xc3: return PT_RETURN;
	case 0xca ... 0xcb:
	case 0xcf: return PT_SYSRET;
	case 0x9a:
	case 0xcc ... 0xce:
	case 0xf1: return PT_SYSCALL;
	case 0xff: return class_of_group_5(code->modrm >> 3 & 7);
	default: return PT_OTHER;
	}
}

static enum pt_class class_of_0f(const struct x86_code *code)
{
	switch (code->opcode) {
	case 0x80 ... 0x8f: return PT_CONDITIONAL;
	case 0x05:
	case 0x34: return PT_SYSCALL;
	case 0x07:
	case 0x35: return PT_SYSRET;
	default: return PT_OTHER;
	}
}

/* Thumb code has instructions of 2 and 4 bytes. The highest bits of the first 2 bytes tell the
 * size.
 */
static unsigned int arm_size(const uint8_t *bytes, size_t size, enum pt_isa isa)
{
	const unsigned int needed = isa == PT_T32 && (size < 2 || bytes[1] >> 3 < 0x1d) ? 2 : 4;

	return size < needed ? 0 : needed;
}

struct pt_instruction pt_instruction_of(const uint8_t *bytes, size_t size, enum pt_isa isa)
{
	struct pt_instruction instruction = {0, PT_OTHER};
	struct x86_code code;

	if (!size)
		return instruction;
	if (isa != PT_X86_32 && isa != PT_X86_64) {
		instruction.size = arm_size(bytes, size, isa);
		return instruction;
	}
	pk_x86_decode(bytes, size, isa == PT_X86_64, &code);
	if (!code.valid)
		return instruction;
	instruction.size = code.size;
	if (code.encoding == X86_LEGACY && code.map == X86_MAP_ONE)
		instruction.class = class_of_one(&code);
	if (code.encoding == X86_LEGACY && code.map == X86_MAP_0F)
		instruction.class = class_of_0f(&code);
	return instruction;
}
