/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_CODE_H
#define PK_RECORD_PYTHON_CODE_H

/* Reads code objects of CPython from the memory of a process. A code object describes a function.
 */

#include "interpreter.h"

/* Implement interpreter.identify and interpreter.read. */
PK_MUST_CHECK enum pk_status python_code_identify(pid_t pid,
						  const struct interpreter_layout *layout,
						  uint64_t address, struct code_identity *identity);
PK_MUST_CHECK enum pk_status python_code_read(pid_t pid, const struct interpreter_layout *layout,
					      uint64_t address, struct code_identity *identity,
					      struct interpreted_code *code);

/* Adds the lines of a table that maps instructions to lines. code->first_line must be set. */
void python_code_add_lines(struct interpreted_code *code, enum python_line_table table,
			   const uint8_t *bytes, size_t size);

#endif
