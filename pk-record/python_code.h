/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_CODE_H
#define PK_RECORD_PYTHON_CODE_H

/* Reads code objects of CPython from the memory of a process. A code object describes a function.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buffer.h"
#include "pkstream.h"
#include "python_layout.h"

/* Fields of a code object. If they change, the address has another code object than before. `type`,
 * `file`, `name` and `lines` are addresses of objects. */
struct python_identity {
	uint64_t type, file, name, lines;
	uint64_t content[4]; /* number of instructions; addresses of the constants, the names, and
			      * the table of exception handlers */
	uint32_t first_line;
	uint32_t version; /* a number that is unique in the process; 0 before CPython 3.12 */
};

/* A code object of CPython: the function that it describes, and the lines of its instructions. */
struct python_code {
	/* Texts in UTF-8 without control characters. `name` is the qualified name, such as
	 * "Class.method". */
	struct buffer file, name;
	uint32_t first_line;
	/* The table that maps instructions to lines; empty if it is unknown. */
	struct buffer lines;
	enum python_line_table line_table;
};

/* Returns true if the code belongs to the interpreter, which runs it between two frames of the
 * program. In such code, `file` and `name` are the same object. */
static inline bool python_identity_is_internal(const struct python_identity *identity)
{
	return identity->file == identity->name;
}

/* Reads the identity of the code object at an address. Returns PK_IO if the memory cannot be read,
 * for example because the process has ended. */
PK_MUST_CHECK enum pk_status python_identity_read(pid_t pid, const struct python_objects *objects,
						  uint64_t address,
						  struct python_identity *identity);
/* Reads the code object at an address, and its identity. Returns PK_CORRUPT if there is no code
 * object, or if it was freed or changed meanwhile. The caller must call python_code_free() even
 * after an error. */
PK_MUST_CHECK enum pk_status python_code_read(pid_t pid, const struct python_objects *objects,
					      uint64_t address, struct python_identity *identity,
					      struct python_code *code);
void python_code_free(struct python_code *code);

/* The first and the last line of a code object. */
struct python_lines {
	uint32_t first, last;
};
/* Sets *range to the smallest and the largest line of the code. If no lines are known, or if there
 * are more than a million lines between them, both are the first line of the code. */
void python_code_range(const struct python_code *code, struct python_lines *range);
/* Sets *line to the line of an instruction, or to 0 if the instruction has no line. `index` is the
 * index of the instruction in units of 2 bytes, for PYTHON_LNOTAB in bytes. Returns false if the
 * code does not have this instruction. */
bool python_code_line(const struct python_code *code, uint64_t index, uint32_t *line);

/* Reads the stamp of the process's interpreter (python_offsets.stamp) from its address. Returns 0
 * if it cannot be read. */
uint64_t python_stamp_read(pid_t pid, uint64_t address);

#endif
