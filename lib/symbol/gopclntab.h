/* SPDX-License-Identifier: BSD-2-Clause */
/* The function table of Go programs, section .gopclntab. The Go runtime needs it, so it is also in
 * programs that were linked without symbols (-s). */
#ifndef PK_GOPCLNTAB_H
#define PK_GOPCLNTAB_H

#include "elf_image.h"
#include "symtable.h"

/* Bytes of the table of Go 1.2 and later. */
struct pk_go_table {
	const uint8_t *bytes;
	uint64_t size;
	bool swapped;	/* not in the host's byte order */
	uint64_t start; /* address of the first function if the table has none: code that is
			 * relocated when it is loaded. 0: unknown */
};

/* Adds the functions at their virtual addresses; to_offset changes these to those of the symbol
 * table. A damaged table adds the functions before the damage. False: out of memory. */
bool pk_go_table_load(const struct pk_go_table *go, struct pk_symtable *t,
		      bool (*to_offset)(const void *arg, uint64_t address, uint64_t *offset),
		      const void *arg);

bool pk_elf_has_go_table(const struct pk_elf *elf);
/* The same for a file; it has no other symbols, or those of libraries. False: out of memory. */
bool pk_elf_add_go_functions(const struct pk_elf *elf, struct pk_symtable *t);

#endif
