/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel's ELF file in the place of its kallsyms. */
#ifndef PK_VMLINUX_H
#define PK_VMLINUX_H

#include "elf_image.h"
#include "kallsyms.h"

/* The same as pk_kallsyms_parse(), of the file's symbols and at the addresses it has. */
bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf);
/* Where the file has that symbol. False: it has none of that name. */
bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value);

#endif
