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
	uint64_t file, name, lines;
	uint32_t first_line;
	uint32_t unused;
};

struct python_code {
	/* UTF-8 without control characters, for free(). name: the qualified name. */
	struct buffer file, name;
	uint32_t first_line;
	struct buffer lines; /* co_linetable */
};

/* PK_IO: the process has ended, or there is no such memory. */
PK_MUST_CHECK enum pk_status python_identity_read(pid_t pid, const struct python_objects *objects,
						  uint64_t address,
						  struct python_identity *identity);
/* Reads the code object with this identity. PK_CORRUPT: it is none. The caller calls
 * python_code_free() in any case. */
PK_MUST_CHECK enum pk_status python_code_read(pid_t pid, const struct python_objects *objects,
					      const struct python_identity *identity,
					      struct python_code *code);
void python_code_free(struct python_code *code);

/* The lines of a code object. */
struct python_lines {
	uint32_t first, last;
};
/* Sets *range to its smallest and largest line. If it has none, or more than a million, both are
 * its first line. */
void python_code_range(const struct python_code *code, struct python_lines *range);
/* The line of an instruction, by its index in units of 2 bytes. 0: unknown. */
uint32_t python_code_line(const struct python_code *code, uint64_t index);

#endif
