/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/perfmap.c */
#include "perfmap.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_symtable t = {0};

	if (pk_perf_map_parse(&t, copy_text(data, size), size) != PK_OK)
		return 0;
	check_symtable(&t);
	pk_symtable_clear(&t);
	return 0;
}
