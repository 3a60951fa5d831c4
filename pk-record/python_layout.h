/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_LAYOUT_H
#define PK_RECORD_PYTHON_LAYOUT_H

/* Where CPython stores what a profiler needs. For 3.9 to 3.12, this is known from tables. Later
 * versions describe it in the interpreter's file. */

#include <stdint.h>

#include "bpf/python_shapes.h"

/* How a code object maps its instructions to lines. */
enum python_line_table {
	PYTHON_LOCATIONS, /* co_linetable since 3.11 */
	PYTHON_RANGES,	  /* co_linetable of 3.10 */
	PYTHON_LNOTAB,	  /* co_lnotab of 3.9 */
};

/* Offsets of members in objects of CPython, in bytes. */
struct python_objects {
	/* Members of a code object. */
	uint32_t file, name, first_line, lines, instructions;
	uint32_t version; /* member of a code object: a number that is unique in the process; 0 if
			   * there is none */
	/* Members of a text (str object). The characters follow the structure. `ascii` is the size
	 * of the structure if all characters are ASCII. `other` is its size if not. */
	uint32_t text_length, text_state, ascii, other;
	/* Members of a bytes object: its size, and its first byte. */
	uint32_t bytes_size, bytes;
	enum python_line_table line_table;
};

/* Where one version of CPython stores its frames, and where it stores its code objects. */
struct python_layout {
	uint32_t version; /* major version << 8 | minor version: 0x030b for 3.11 */
	struct python_offsets offsets;
	struct python_objects objects;
};

/* The layouts of the interpreters that were found. */
struct python_layouts {
	int map; /* descriptor of the BPF map `layouts`; 0 if files are not searched for
		  * interpreters */
	struct python_layout items[PYTHON_LAYOUTS_MAX];
	uint32_t count;
	uint32_t unknown, version; /* number of interpreters whose layout is unknown, and version of
				    * the last of them; `version` is 0 if it is unknown */
};

/* Addresses in the file of an interpreter: of _PyRuntime, and of the function that evaluates Python
 * code. The function is known only for CPython 3.9 and 3.10. */
struct python_symbols {
	uint64_t runtime, evaluator, evaluator_size;
};

/* Checks whether an ELF file contains CPython with a known layout. Returns the index of the layout
 * in `items` plus 1, or 0 if there is no such layout. Sets *symbols. */
uint32_t python_layouts_find(struct python_layouts *layouts, const char *path,
			     struct python_symbols *symbols);

#endif
