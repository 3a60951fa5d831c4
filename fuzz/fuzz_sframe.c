/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/sframe.c */
/* Tests a section .sframe. Each row of its functions must be the row that a lookup finds, and a
 * step with the row must be possible. The first byte selects the machine and the byte order. */
#include <elf.h>
#include <stdlib.h>

#include "cfi_table.h"
#include "check_that.h"
#include "unwind_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORK = 4096, ROWS = 64, SIZE_MAX_OF_ONE = 16 << 10 };

struct walk {
	const struct pk_cfi *cfi;
	uint64_t at; /* end of the last row */
	unsigned int rows;
	bool overlaps; /* functions overlap, so a lookup can find another function */
};

static void check_row(const struct pk_cfi *cfi, const struct pk_cfi_row *row)
{
	static const uint64_t words[64] = {1, 2, 3};
	struct pk_memory memory = {(const uint8_t *)words, 0x7fff0000, sizeof(words), 0, NULL};
	struct pk_frame_state state = {.known = (UINT64_C(1) << PK_CFI_REGISTERS) - 1};

	check_that(row->count <= 2 && row->cfa.reg < PK_CFI_REGISTERS);
	for (unsigned int i = 0; i < row->count; i++)
		check_that(row->rules[i].reg < PK_CFI_REGISTERS &&
			   row->ruled >> row->rules[i].reg & 1);
	for (unsigned int reg = 0; reg < PK_CFI_REGISTERS; reg++)
		state.value[reg] = memory.start + 64;
	check_that(pk_cfi_step(cfi, row, &memory, &state) != PK_CFI_NONE);
	pk_unwind_rule_of(cfi, row);
}

static void check_rows(void *arg, uint64_t start, uint64_t end, const struct pk_cfi_row *row)
{
	struct walk *walk = arg;
	struct pk_cfi_row found;
	uint64_t work = WORK;
	enum pk_cfi_status status;

	check_that(start >= walk->at && start < end);
	walk->at = end;
	if (row)
		check_row(walk->cfi, row);
	if (walk->overlaps || ++walk->rows > ROWS)
		return;
	status = pk_cfi_find_within(walk->cfi, start, &work, &found);
	check_that(row ? status == PK_CFI_OK : status != PK_CFI_OK || !work);
	if (row)
		check_that(!memcmp(row, &found, sizeof(found)));
}

static bool overlaps(const struct pk_cfi *cfi, size_t n)
{
	uint64_t start, end, other, ignored;

	if (!pk_cfi_range(cfi, n, &start, &end))
		return true;
	if (n && (!pk_cfi_range(cfi, n - 1, &ignored, &other) || other > start))
		return true;
	return n + 1 < pk_cfi_count(cfi) &&
	       (!pk_cfi_range(cfi, n + 1, &other, &ignored) || other < end);
}

/* Returns true if making the table of all rows takes little time. Code that consists of blocks has
 * rows for each block, and can take long. */
static bool is_small(const struct pk_cfi *cfi)
{
	uint64_t start, end;

	for (size_t n = 0; n < pk_cfi_count(cfi); n++)
		if (pk_cfi_range(cfi, n, &start, &end) && end - start > SIZE_MAX_OF_ONE)
			return false;
	return true;
}

static bool is_sorted(const struct pk_cfi *cfi)
{
	uint64_t start, end, last = 0;

	for (size_t n = 0; n < pk_cfi_count(cfi); n++) {
		if (!pk_cfi_range(cfi, n, &start, &end) || start < last)
			return false;
		last = start;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int machines[] = {EM_X86_64, EM_AARCH64, EM_S390, EM_RISCV};
	struct pk_cfi_sections sections = {.eh_frame = {0}};
	struct pk_cfi_machine machine;
	struct pk_unwind_table table;
	struct pk_cfi *cfi;
	bool sorted;

	if (!size)
		return 0;
	machine = *pk_cfi_machine_by_elf(machines[data[0] & 3]);
	if (data[0] & 4)
		machine.swapped = !machine.swapped;
	sections.sframe = (struct pk_cfi_section){data + 1, size - 1, 0x10000};
	cfi = pk_cfi_new(&machine, &sections);
	if (!cfi)
		return 0;
	sorted = is_sorted(cfi);
	for (size_t n = 0; n < pk_cfi_count(cfi) && n < ROWS; n++) {
		struct walk walk = {.cfi = cfi, .overlaps = !sorted || overlaps(cfi, n)};
		uint64_t work = WORK;

		pk_cfi_walk_nth(cfi, n, &work, check_rows, &walk);
		check_that(work <= WORK);
	}
	if (is_small(cfi)) {
		uint64_t work = pk_unwind_table_work(cfi);

		check_that(pk_unwind_table_make(&table, cfi, 0x8000, UINT64_MAX, &work) == PK_OK);
		check_that(table.count && !table.rows[0].start);
		pk_unwind_table_free(&table);
	}
	pk_cfi_free(cfi);
	return 0;
}
