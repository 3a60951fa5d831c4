/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_CODE_H
#define PK_RECORD_PYTHON_CODE_H

/* Code objects of CPython, read from the memory of their process. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buffer.h"
#include "pkstream.h"
#include "python_layout.h"

/* Fields of a code object that tell it from others that had its address before. */
struct python_identity {
	uint64_t type, file, name, lines;
	uint64_t content[4]; /* number of instructions; constants, names, handlers of exceptions */
	uint32_t first_line;
	uint32_t version; /* unique in the process, 3.12 and later */
};

struct python_code {
	/* UTF-8 without control characters, for free(). name: the qualified name. */
	struct buffer file, name;
	uint32_t first_line;
	struct buffer lines; /* co_linetable */
};

/* Code that the interpreter runs between two frames. It has the same object as file and name. */
static inline bool python_identity_is_internal(const struct python_identity *identity)
{
	return identity->file == identity->name;
}

/* PK_IO: the process has ended, or there is no such memory. */
PK_MUST_CHECK enum pk_status python_identity_read(pid_t pid, const struct python_objects *objects,
						  uint64_t address,
						  struct python_identity *identity);
/* Reads the code object at an address, and its identity. PK_CORRUPT: there is none, or it was freed
 * or changed meanwhile. The caller calls python_code_free() in any case. */
PK_MUST_CHECK enum pk_status python_code_read(pid_t pid, const struct python_objects *objects,
					      uint64_t address, struct python_identity *identity,
					      struct python_code *code);
void python_code_free(struct python_code *code);

/* The lines of a code object. */
struct python_lines {
	uint32_t first, last;
};
/* Sets *range to its smallest and largest line. If it has none, or more than a million, both are
 * its first line. */
void python_code_range(const struct python_code *code, struct python_lines *range);
/* Sets *line to that of an instruction, by its index in units of 2 bytes, or to 0 if it has none.
 * Returns false if the code does not have this instruction. */
bool python_code_line(const struct python_code *code, uint64_t index, uint32_t *line);

/* A stamp of the process (struct unwind_half), or 0. */
uint64_t python_stamp_read(pid_t pid, uint64_t address);

#endif
