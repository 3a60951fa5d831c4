/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETERS_H
#define PK_RECORD_INTERPRETERS_H

/* All interpreters whose frames pk-record reads, and the layouts that were found in files. */

#include "interpreter.h"

/* The index is an enum interpreter_kind. */
extern const struct interpreter *const interpreters[INTERPRETERS];

/* Returns the interpreter that an ELF file contains, also if its layout is unknown. Returns NULL if
 * there is none. */
const struct interpreter *interpreter_of_file(const char *path);

/* The layouts of the interpreters that were found. */
struct interpreter_layouts {
	int map; /* descriptor of the BPF map `layouts`; -1 if there is no such map, because no BPF
		  * program reads frames; 0 if files are not searched for interpreters */
	struct interpreter_layout items[INTERPRETER_LAYOUTS_MAX];
	uint32_t count;
	/* For each interpreter, the number of files whose layout is unknown, and the version of the
	 * last of them. The version is 0 if it is unknown. */
	struct {
		uint32_t count, version;
	} unknown[INTERPRETERS];
};

/* Checks whether an ELF file contains an interpreter with a known layout. Returns the index of the
 * layout in `items` plus 1, or 0 if there is no such layout. Sets *places, whose addresses are
 * offsets from the address at which the start of the file is mapped. */
uint32_t interpreter_layouts_find(struct interpreter_layouts *layouts, const char *path,
				  struct interpreter_places *places);

#endif
