/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_LAYOUT_H
#define PK_RECORD_PYTHON_LAYOUT_H

/* Where CPython has what a profiler needs: a table for each version, or what the interpreter says
 * itself (3.13 and later). */

#include <stdint.h>

#include "bpf/python_shapes.h"

/* Offsets in objects, in bytes. */
struct python_objects {
	/* In a code object. */
	uint32_t file, name, first_line, lines, instructions;
	uint32_t version; /* a number of the object; 0: it has none */
	/* In texts: str objects. ascii, other: the sizes of the structures, which the characters
	 * follow. */
	uint32_t text_length, text_state, ascii, other;
	/* In bytes objects. */
	uint32_t bytes_size, bytes;
};

struct python_layout {
	uint32_t version; /* 0x030b for 3.11 */
	struct python_offsets offsets;
	struct python_objects objects;
};

/* The layouts of the interpreters that were found. */
struct python_layouts {
	int map; /* `layouts`; 0: none is searched */
	struct python_layout items[PYTHON_LAYOUTS_MAX];
	uint32_t count;
	uint32_t unknown, version; /* interpreters whose layout is not known, and the version of the
				    * last one, or 0 */
};

/* Looks for CPython in an ELF file. Returns the number of its layout plus 1, or 0 if the file has
 * none whose layout is known. *runtime is the address of _PyRuntime in the file. */
uint32_t python_layouts_find(struct python_layouts *layouts, const char *path, uint64_t *runtime);

#endif
