/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ELF_SYMBOLS_H
#define PK_ELF_SYMBOLS_H

#include "elf_image.h"
#include "symtable.h"

/* Return whether the file has a section .symtab or .dynsym. */
bool pk_elf_has_symtab(const struct pk_elf *elf);
bool pk_elf_has_dynsym(const struct pk_elf *elf);

/* Fills the table with the symbols of `symbols` and the PLT entries of `runtime`. `runtime` is the
 * mapped file. `symbols` is one of these files:
 *   - the same file,
 *   - its file with debugging information,
 *   - the ELF file in its .gnu_debugdata.
 *
 * In the last case, the symbols of .dynsym in `runtime` are added, too. PLT entries are added only
 * if there are symbols. The addresses in the table are offsets in `runtime`, because the program
 * headers of a file with debugging information are invalid. If memory is exhausted, returns
 * PK_NOMEM, and the table is empty. */
PK_MUST_CHECK enum pk_status pk_elf_load_symbols(const struct pk_elf *symbols,
						 const struct pk_elf *runtime,
						 struct pk_symtable *t);

#endif
