/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETER_H
#define PK_RECORD_INTERPRETER_H

/* The description of an interpreter. An interpreter consists of a struct interpreter in user space,
 * and of a function in bpf/unwind.bpf.c that reads its frames. */

#include <stdint.h>
#include <sys/types.h>

#include "bpf/interpreted_shapes.h"
#include "interpreted_code.h"
#include "pkstream.h"

struct pk_elf;

/* How a code object of CPython maps its instructions to lines. */
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

/* Offsets of members in objects of Ruby, in bytes. */
struct ruby_objects {
	uint32_t lines; /* member of the body of an instruction sequence: the table of lines */
	uint32_t text;	/* member of a String: the bytes of a short text */
	/* If it is not 0, the length of a short text is in the flags of the object. */
	uint32_t length_in_flags;
	/* If it is not 0, the first line of a sequence is a tagged integer (VALUE). */
	uint32_t tagged_line;
};

/* Offsets of members in the description of a function of PHP (zend_op_array), in bytes. */
struct php_objects {
	uint32_t count, instructions; /* number of instructions, and their address */
	uint32_t file;		      /* followed by the first and the last line */
};

/* Where one version of an interpreter stores its frames and the objects that describe functions. */
struct interpreter_layout {
	uint32_t version; /* major version << 8 | minor version: 0x030b for 3.11; 0 if it is unknown
			   */
	struct interpreter_offsets offsets;
	union {
		struct python_objects python;
		struct ruby_objects ruby;
		struct php_objects php;
	} objects;
};

enum interpreter_finding {
	INTERPRETER_NONE,    /* the file does not contain this interpreter */
	INTERPRETER_UNKNOWN, /* the layout of this version is unknown; only `version` is set */
	INTERPRETER_FOUND
};

struct interpreter {
	const char *name;
	const char *versions; /* the versions whose layout is known, for messages */
	const char *image;    /* the path of the image of its functions in the stream */
	/* Checks whether an ELF file contains the interpreter. Sets *layout and *places. */
	enum interpreter_finding (*find)(const struct pk_elf *elf,
					 struct interpreter_layout *layout,
					 struct interpreter_places *places);
	/* Reads the identity of the object at an address that describes a function. Returns PK_IO
	 * if the memory cannot be read, for example because the process has ended. */
	enum pk_status (*identify)(pid_t pid, const struct interpreter_layout *layout,
				   uint64_t address, struct code_identity *identity);
	/* Reads the object at an address, and its identity. Returns PK_CORRUPT if there is no such
	 * object, or if it was freed or changed meanwhile. The caller must call
	 * interpreted_code_free() even after an error. */
	enum pk_status (*read)(pid_t pid, const struct interpreter_layout *layout, uint64_t address,
			       struct code_identity *identity, struct interpreted_code *code);
};

extern const struct interpreter python_interpreter, ruby_interpreter, php_interpreter;

#endif
