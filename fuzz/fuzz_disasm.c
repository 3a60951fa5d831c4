/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/code/disasm.c lib/code/x86_code.c lib/code/x86_text.c lib/code/bpf_code.c */
/* Disassembles any bytes as code of any machine. The first byte selects the machine. */
#include <elf.h>

#include "check_that.h"
#include "insn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(struct disasm *d, const uint8_t *bytes, size_t size)
{
	struct insn insn;
	size_t at = 0;

	while (pk_disasm_next(d, DISASM_TEXT | DISASM_OPERANDS, bytes + at, size - at,
			      0x400000 + at, &insn)) {
		check_that(insn.size >= 1 && insn.size <= size - at);
		check_that(insn.bytes == bytes + at && insn.address == 0x400000 + at);
		check_that(insn.mnemonic && *insn.mnemonic && insn.operands);
		check_that(insn.kind <= INSN_UNDECODED && insn.operand_count <= INSN_OPERANDS);
		check_that(!insn.has_target ||
			   (insn.kind != INSN_OTHER && insn.kind != INSN_UNDECODED));
		at += insn.size;
	}
	check_that(at == size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct disasm_options machines[] = {
		{.machine = EM_X86_64, .is_64 = true},
		{.machine = EM_386},
		{.machine = EM_AARCH64, .is_64 = true},
		{.machine = EM_ARM},
		{.machine = EM_S390, .is_64 = true, .big_endian = true},
		{.machine = EM_PPC64, .is_64 = true},
		{.machine = EM_PPC64, .is_64 = true, .big_endian = true},
		{.machine = EM_RISCV, .is_64 = true},
		{.machine = EM_X86_64, .is_64 = true, .intel = true},
	};
	const char *reason = NULL;
	struct disasm *d;

	if (!size)
		return 0;
	d = pk_disasm_new(&machines[data[0] % (sizeof(machines) / sizeof(*machines))], &reason);
	if (!d) {
		check_that(reason != NULL);
		return 0;
	}
	pk_disasm_mode(d, data[0] & 0x80 ? DISASM_THUMB : DISASM_CODE);
	walk(d, data + 1, size - 1);
	pk_disasm_free(d);
	return 0;
}
