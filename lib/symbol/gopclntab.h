/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of functions and lines of Go programs, section .gopclntab. The Go runtime needs this
 * table. So the table is also in programs that were linked without symbols and debugging
 * information (-s -w). */
#ifndef PK_GOPCLNTAB_H
#define PK_GOPCLNTAB_H

#include "elf_image.h"
#include "range.h"
#include "symbols.h"
#include "symtable.h"

/* The bytes of a table of Go 1.2 or later. */
struct pk_go_table {
	const uint8_t *bytes;
	uint64_t size;
	bool swapped; /* the byte order differs from this machine */
	/* Address of the first function, used if the table does not contain it. This is so for code
	 * that is relocated when it is loaded. 0 if it is unknown. */
	uint64_t start;
};

/* Adds the functions to the symbol table. to_offset() converts a virtual address to an address of
 * the symbol table. If the table is damaged, only the functions before the damage are added. */
PK_MUST_CHECK enum pk_status pk_go_table_load(const struct pk_go_table *go, struct pk_symtable *t,
					      bool (*to_offset)(const void *arg, uint64_t address,
								uint64_t *offset),
					      const void *arg);

/* Finds the file and line of a virtual address, and the start of its function. For inlined code,
 * file and line belong to the inlined function, but the start belongs to the outer function. The
 * table of inlined functions cannot be read, because only the running program has the data to find
 * it. *same is set to the range around the address that has the same result. Returns false if
 * nothing is found. */
bool pk_go_table_line(const struct pk_go_table *go, uint64_t address, struct pk_source *source,
		      struct pk_range *same);

bool pk_elf_has_go_table(const struct pk_elf *elf);
/* Adds the functions of a file that has no other symbols, or only symbols of libraries. */
PK_MUST_CHECK enum pk_status pk_elf_add_go_functions(const struct pk_elf *elf,
						     struct pk_symtable *t);

/* Copies the table of a file to find lines. Returns NULL if the file has no table, or if the table
 * cannot be read. */
struct pk_go_lines *pk_go_lines_new(const struct pk_elf *elf);
void pk_go_lines_free(struct pk_go_lines *lines);
/* Like pk_go_table_line(). The texts in *source are valid until pk_go_lines_free(). */
bool pk_go_lines_find(const struct pk_go_lines *lines, uint64_t address, struct pk_source *source,
		      struct pk_range *same);

#endif
