/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/elf_image.c lib/symbol/elf_symbols.c lib/symbol/eh_frame.c
 * lib/symbol/build_id.c */
/* Reads the build-id, the symbols and the entries of the PLT of an ELF file. */
#include "build_id.h"
#include "elf_symbols.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_symtable t = {.demangle = true};
	struct pk_build_id id;
	struct pk_elf *elf;

	elf = pk_elf_open_memory(data, size, NULL);
	if (!elf)
		return 0;
	if (pk_elf_build_id(elf, &id))
		check_that(id.size > 0 && id.size <= PK_BUILD_ID_MAX);
	if (pk_elf_load_symbols(elf, elf, &t) == PK_OK)
		check_symtable(&t);
	pk_symtable_clear(&t);
	pk_elf_close(elf);
	return 0;
}
