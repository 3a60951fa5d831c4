/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ELF_SYMBOLS_H
#define PK_ELF_SYMBOLS_H

#include "elf_image.h"
#include "symtable.h"

/* Whether it has a .symtab, not just a .dynsym or nothing. */
bool pk_elf_has_symtab(const struct pk_elf *elf);
bool pk_elf_has_dynsym(const struct pk_elf *elf);

/* Fills the table with the symbols of the file symbols, by their offset in the file runtime, and
 * with runtime's PLT entries. runtime is the mapped file, because the program headers of a file of
 * debugging information are invalid. Both may be the same. False: out of memory; the table is then
 * empty. */
bool pk_elf_load_symbols(const struct pk_elf *symbols, const struct pk_elf *runtime,
			 struct pk_symtable *t);

#endif
