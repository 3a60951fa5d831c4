/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/gopclntab.c */
#include "gopclntab.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const void *arg, uint64_t address, uint64_t *offset)
{
	(void)arg;
	*offset = address;
	return true;
}

static void check_line(const struct pk_go_table *go, uint64_t address)
{
	struct pk_source found;
	struct pk_range range;

	if (!pk_go_table_line(go, address, &found, &range))
		return;
	check_that(pk_range_has(&range, address) && address >= found.start);
	check_that(strlen(found.file) < go->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_symtable t = {0};
	const struct pk_go_table go = {
		.bytes = data, .size = size, .swapped = size && data[0] == 0xff, .start = 0x401000};

	for (uint64_t address = 0x401000; address < 0x401200; address += 16)
		check_line(&go, address);
	if (pk_go_table_load(&go, &t, same, NULL) == PK_OK && pk_symtable_settle(&t) == PK_OK &&
	    pk_symtable_flatten(&t, PK_OVERLAP_INNERMOST) == PK_OK)
		check_symtable(&t);
	pk_symtable_clear(&t);
	return 0;
}
