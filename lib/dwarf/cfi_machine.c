// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <string.h>

#include "cfi.h"
#include "machine.h"

#define NO PK_CFI_REGISTERS

#define HOST_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* perf's order: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 ... r15. */
static const struct pk_machine x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 7,
	.frame = 6,
	.pc = 16,
	.perf_pc = 8,
	.pc_mask = UINT64_MAX,
	.perf = {0,  3,	 2,  1,	 4, 5, 6,  7,  16, NO, NO, NO,
		 NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15},
};

static const struct pk_machine i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word = 4,
	.swapped = HOST_IS_BIG,
	.stack = 4,
	.frame = 5,
	.pc = 8,
	.perf_pc = 8,
	.pc_mask = UINT32_MAX,
	.perf = {0,  3,	 1,  2,	 6,  7,	 5,  4,	 8,  NO, NO, NO,
		 NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO},
};

/* perf's order: x0 ... x29 lr sp pc. Addresses of programs have 48 bits unless they ask for more;
 * above them may be a signature. */
static const struct pk_machine aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 31,
	.frame = 29,
	.pc = NO,
	.perf_pc = 32,
	.pc_mask = (UINT64_C(1) << 48) - 1,
	.perf = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15,
		 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
};

/* perf's order: r0 ... r15 f0 ... f15 mask pc. There is no frame pointer. */
static const struct pk_machine s390x = {
	.name = "s390x",
	.elf_machine = EM_S390,
	.word = 8,
	.swapped = !HOST_IS_BIG,
	.stack = 15,
	.cfa_bias = 160,
	.frame = NO,
	.pc = NO,
	.perf_pc = 33,
	.pc_mask = UINT64_MAX,
	.perf = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15, 16,
		 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31, NO},
};

enum { ABI_32 = 1, ABI_64 = 2 }; /* PERF_SAMPLE_REGS_ABI_* */

const struct pk_machine *pk_machine_by_elf(unsigned int elf)
{
	static const struct pk_machine *const machines[] = {&x86_64, &i386, &aarch64, &s390x};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->elf_machine == elf)
			return machines[i];
	return NULL;
}

const struct pk_machine *pk_machine_find(const char *name, uint64_t abi)
{
	const struct pk_machine_kind *kind = pk_machine_named(name, SIZE_MAX);

	if (!kind)
		return NULL;
	if (kind->elf == EM_X86_64 || kind->elf == EM_386)
		return abi == ABI_64 ? &x86_64 : abi == ABI_32 ? &i386 : NULL;
	return abi == ABI_64 && kind == pk_machine_of_elf(kind->elf) ? pk_machine_by_elf(kind->elf)
								     : NULL;
}

bool pk_frame_load(const struct pk_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state)
{
	bool pc = false;
	uint64_t i = 0;

	state->known = 0;
	for (; mask && i < count; mask &= mask - 1, i++) {
		const unsigned int perf = (unsigned int)__builtin_ctzll(mask);
		const uint8_t reg = machine->perf[perf];
		uint64_t value;

		memcpy(&value, values + 8 * i, 8);
		if (perf == machine->perf_pc) {
			state->pc = value;
			pc = true;
			if (machine->pc == NO)
				continue;
		}
		if (reg >= PK_CFI_REGISTERS)
			continue;
		state->value[reg] = value;
		state->known |= UINT64_C(1) << reg;
	}
	return pc && state->known >> machine->stack & 1;
}
