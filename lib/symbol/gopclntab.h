/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of functions and lines of Go programs, section .gopclntab. The Go runtime needs it, so
 * it is also in programs that were linked without symbols and debugging information (-s -w). */
#ifndef PK_GOPCLNTAB_H
#define PK_GOPCLNTAB_H

#include "elf_image.h"
#include "range.h"
#include "symbols.h"
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
 * table. A damaged table adds the functions before the damage. */
PK_MUST_CHECK enum pk_status pk_go_table_load(const struct pk_go_table *go, struct pk_symtable *t,
					      bool (*to_offset)(const void *arg, uint64_t address,
								uint64_t *offset),
					      const void *arg);

/* The file and line of a virtual address, and where its function starts. At inlined code, they are
 * those of the inlined function: the table of inlined functions is found from data that only the
 * running program has. *same is the range around the address with the same result. Returns false if
 * there is none. */
bool pk_go_table_line(const struct pk_go_table *go, uint64_t address, struct pk_source *source,
		      struct pk_range *same);

bool pk_elf_has_go_table(const struct pk_elf *elf);
/* The same for a file that has no other symbols, or only those of libraries. */
PK_MUST_CHECK enum pk_status pk_elf_add_go_functions(const struct pk_elf *elf,
						     struct pk_symtable *t);

/* A copy of the table of a file, for its lines. Returns NULL if it has none, or it cannot be
 * read. */
struct pk_go_lines *pk_go_lines_new(const struct pk_elf *elf);
void pk_go_lines_free(struct pk_go_lines *lines);
/* Like pk_go_table_line(). The texts are valid until pk_go_lines_free(). */
bool pk_go_lines_find(const struct pk_go_lines *lines, uint64_t address, struct pk_source *source,
		      struct pk_range *same);

#endif
