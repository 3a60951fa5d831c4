/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DWARF_RELOCATE_H
#define PK_DWARF_RELOCATE_H

#include "elf_image.h"

/* Applies the relocations for a section of a relocatable file to its bytes, which are as in the
 * file, but decompressed. Relocations of unknown types are ignored: x86-64, i386, arm64, arm, s390,
 * ppc64 and riscv have all that compilers use for debugging information, except ULEB128 of riscv.
 */
void pk_dwarf_relocate(const struct pk_elf *elf, const struct pk_elf_section *section,
		       uint8_t *bytes, uint64_t size);

#endif
