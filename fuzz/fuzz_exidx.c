/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/arm_exidx.c */
/* Tests the unwind table of 32-bit Arm. Looks up rows for addresses of each function. The first
 * byte selects the byte order. The second byte is the number of entries of the index table. The
 * index table follows. The rest is .ARM.extab. */
#include <elf.h>

#include "arm_exidx.h"
#include "check_that.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ADDRESS 0x10000

static void look_up(const struct pk_cfi *cfi, uint64_t address)
{
	uint64_t work = 4096;
	struct pk_cfi_row row;
	struct pk_cfi_row again;

	if (pk_arm_exidx_find(cfi, address, &work, &row) != PK_CFI_OK)
		return;
	check_that(work && work <= 4096);
	check_that(row.count <= 16 && (row.ra == 14 || row.ra == 15));
	for (unsigned int i = 0; i < row.count; i++)
		check_that(row.rules[i].reg < 16 && row.ruled >> row.rules[i].reg & 1 &&
			   (!i || row.rules[i].reg > row.rules[i - 1].reg));
	/* The lookup must not need more work than it has used before. */
	work = 4096 - work + 1;
	check_that(pk_arm_exidx_find(cfi, address, &work, &again) == PK_CFI_OK);
	check_that(row.cfa.n == again.cfa.n && row.ruled == again.ruled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_cfi_machine machine = *pk_cfi_machine_by_elf(EM_ARM);
	struct pk_cfi cfi = {.machine = &machine};
	uint64_t start, end;
	size_t table;

	if (size < 2)
		return 0;
	machine.swapped = data[0] & 1;
	table = (size_t)data[1] * 8 < size - 2 ? (size_t)data[1] * 8 : size - 2;
	cfi.exidx = (struct pk_cfi_section){data + 2, table, ADDRESS};
	cfi.extab = (struct pk_cfi_section){data + 2 + table, size - 2 - table, ADDRESS + table};
	if (pk_arm_exidx_extab(&cfi.exidx, machine.swapped, &start, &end))
		check_that(start < end);
	for (size_t i = 0; i < pk_arm_exidx_count(&cfi); i++) {
		uint32_t word;
		uint64_t function;

		memcpy(&word, data + 2 + 8 * i, sizeof(word));
		if (machine.swapped)
			word = __builtin_bswap32(word);
		function = (uint32_t)(ADDRESS + 8 * i + word);
		look_up(&cfi, function);
		look_up(&cfi, function + 4);
		look_up(&cfi, (function + 4) & 0x7fffffff);
	}
	look_up(&cfi, 0);
	look_up(&cfi, UINT32_MAX);
	return 0;
}
