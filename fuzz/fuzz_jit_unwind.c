/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/jit_unwind.c */
/* Tests the unwinding information of a function in a jitdump. The first byte selects the machine.
 * The second byte is the size of the code, and the third byte is the size of .eh_frame_hdr. */
#include <elf.h>

#include "check_that.h"
#include "jit_unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE 0x1234

static void look_up(const struct pk_jit_unwinding *unwinding, const uint8_t *bytes,
		    const struct pk_cfi_machine *machine, uint64_t offset)
{
	enum pk_cfi_status status;
	struct pk_cfi_row row;
	uint64_t work = 4096;

	status = pk_jit_row(unwinding, bytes, machine, offset, &work, &row);
	check_that(work <= 4096);
	check_that(status == PK_CFI_OK || status == PK_CFI_NONE || status == PK_CFI_BAD);
	if (status != PK_CFI_OK)
		return;
	check_that(row.cfa.kind == PK_CFI_VAL_OFFSET && row.count <= PK_CFI_RULES);
	for (unsigned int i = 0; i < row.count; i++)
		check_that(row.rules[i].kind < PK_CFI_EXPRESSION);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int machines[] = {EM_X86_64, EM_AARCH64, EM_386, EM_S390};
	struct pk_jit_unwinding unwinding = {.code = CODE};

	if (size < 3)
		return 0;
	unwinding.code_size = data[1] + 1;
	unwinding.size =
		size - 3 < PK_JIT_UNWINDING_MAX ? (uint32_t)size - 3 : PK_JIT_UNWINDING_MAX;
	unwinding.header_size = data[2] < unwinding.size ? data[2] : unwinding.size;
	for (uint64_t at = 0; at < unwinding.code_size; at += 1 + unwinding.code_size / 8)
		look_up(&unwinding, data + 3, pk_cfi_machine_by_elf(machines[data[0] & 3]),
			CODE + at);
	return 0;
}
