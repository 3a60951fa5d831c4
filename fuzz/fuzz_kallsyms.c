/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/kallsyms.c */
#include "kallsyms.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_kallsyms k = {0};

	if (pk_kallsyms_parse(&k, copy_text(data, size), size) != PK_OK)
		return 0;
	check_symtable(&k.table);
	for (size_t i = 0; i < k.table.count; i++) {
		const char *module = pk_kallsyms_module(&k, &k.table.entries[i]);

		check_that(!module || strlen(module) < size);
	}
	pk_kallsyms_clear(&k);
	return 0;
}
