/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/cfi.c lib/dwarf/cfi_table.c lib/dwarf/cfi_expression.c lib/dwarf/unwind_table.c
 */
/* Tests call frame information of any machine. Looks up the rows for some addresses of each
 * function, and calculates registers for a stack. The first byte selects the machine and the kind
 * of section. The second byte is the size of the stack, which starts with registers. The rest is
 * the section. */
#include <stdlib.h>
#include <string.h>

#include "cfi_table.h"
#include "check_that.h"
#include "unwind_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STEPS_MAX 16

static const struct pk_cfi_machine *machine_of(uint8_t byte)
{
	static const char *const names[] = {"x86_64", "i686", "aarch64", "s390x", "ppc64le"};
	const unsigned int which = byte & 0x10 ? 4 : byte & 3;

	return pk_cfi_machine_find(names[which], which == 1 ? 1 : 2);
}

/* Walks from function to function, as a profiler does. All functions are at the same address. */
static void walk(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
		 const struct pk_cfi_machine *machine, const uint8_t *stack, size_t size)
{
	struct pk_frame_state state = {0};
	struct pk_memory memory = {stack, 0x7fff0000, size, 0, NULL};

	for (unsigned int reg = 0; reg < PK_CFI_REGISTERS; reg++)
		state.value[reg] = memory.start + (8 * reg < size ? stack[8 * reg] : reg);
	state.known = (UINT64_C(1) << PK_CFI_REGISTERS) - 1;
	for (int i = 0; i < STEPS_MAX; i++) {
		const struct pk_frame_state before = state;
		enum pk_cfi_status status = pk_cfi_step(cfi, row, &memory, &state);

		check_that(status != PK_CFI_NONE);
		check_that(!(state.known >> PK_CFI_REGISTERS));
		if (!status)
			continue;
		check_that(!memcmp(&before, &state, sizeof(state)));
		break;
	}
	pk_frame_pointer_step(machine, &memory, &state);
}

static void look_up(const struct pk_cfi *cfi, uint64_t address,
		    const struct pk_cfi_machine *machine, const uint8_t *stack, size_t size)
{
	struct pk_cfi_row row;

	if (pk_cfi_find(cfi, address, &row) != PK_CFI_OK)
		return;
	check_that(row.count <= PK_CFI_RULES && row.ra < PK_CFI_REGISTERS);
	for (unsigned int i = 0; i < row.count; i++)
		check_that(row.rules[i].reg < PK_CFI_REGISTERS &&
			   (!i || row.rules[i].reg > row.rules[i - 1].reg));
	walk(cfi, &row, machine, stack, size);
}

/* Checks that the table has the same addresses as the sections. If the table of the header is not
 * sorted, its addresses can differ. */
static void tabulate(const struct pk_cfi *cfi, uint64_t base)
{
	struct pk_unwind_table table;
	uint64_t work = pk_unwind_table_work(cfi);

	if (pk_unwind_table_make(&table, cfi, base, UINT64_MAX, &work) != PK_OK) {
		pk_unwind_table_free(&table);
		return;
	}
	check_that(table.count && !table.rows[0].start);
	for (size_t i = 0; i < table.count; i++) {
		const uint64_t address = table.base + table.rows[i].start;
		const bool none = table.rules[table.rows[i].rule].cfa == PK_UNWIND_NONE;
		struct pk_cfi_row row;

		check_that(!i || table.rows[i].start > table.rows[i - 1].start);
		check_that(table.rows[i].rule < table.rules_count);
		if (i < 64 && !cfi->header.count && table.count < 10000)
			check_that((pk_cfi_find(cfi, address, &row) == PK_CFI_NONE) == none);
	}
	pk_unwind_table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_cfi_sections sections = {0};
	struct pk_cfi_section *section;
	const struct pk_cfi_machine *machine;
	struct pk_cfi *cfi;
	size_t stack;

	if (size < 2)
		return 0;
	machine = machine_of(data[0]);
	stack = data[1] < size - 2 ? data[1] : size - 2;
	section = data[0] & 4 ? &sections.debug_frame : &sections.eh_frame;
	*section = (struct pk_cfi_section){data + 2 + stack, size - 2 - stack, 0x400000};
	if (data[0] & 8) /* use the same bytes as the header, too */
		sections.header = sections.eh_frame;
	cfi = pk_cfi_new(machine, &sections);
	if (!cfi)
		return 0;
	for (int i = 0; i < 2; i++)
		for (size_t n = 0; n < cfi->tables[i].count && n < 64; n++) {
			const struct cfi_entry *entry = &cfi->tables[i].entries[n];

			check_that(entry->start < entry->end);
			check_that(!n || entry[-1].start <= entry->start);
			look_up(cfi, entry->start, machine, data + 2, stack);
			look_up(cfi, entry->start + 4, machine, data + 2, stack);
			look_up(cfi, entry->end - 1, machine, data + 2, stack);
		}
	for (unsigned int n = 0; n < 8; n++)
		look_up(cfi, sections.eh_frame.address + 4 * n, machine, data + 2, stack);
	look_up(cfi, 0, machine, data + 2, stack);
	tabulate(cfi, 0);
	tabulate(cfi, sections.eh_frame.address);
	pk_cfi_free(cfi);
	return 0;
}
