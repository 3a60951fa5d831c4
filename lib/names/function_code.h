/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FUNCTION_CODE_H
#define PK_FUNCTION_CODE_H

/* The bytes of a function, and a row for each of its instructions. */

#include "code_objects.h"

#define PK_NO_ROW UINT32_MAX

/* An instruction. pk_function_code_text() writes its text. */
struct pk_row {
	uint64_t shown;	    /* its address, as a disassembler prints it */
	uint32_t at;	    /* offset of its bytes in those of the function */
	uint32_t jump;	    /* the row in the same function that it jumps to, or PK_NO_ROW (also for
			     * calls) */
	uint8_t size, kind; /* enum insn_kind */
	uint8_t mode;	    /* enum disasm_mode */
};

struct pk_function_code {
	const struct pk_code_object *object;
	const char *reason; /* the reason why the code cannot be read; NULL: it was read */
	uint64_t address;   /* of its first byte: the kind of address that struct pk_object and
			     * pk_machine_code use */
	/* Address of its first byte, as a disassembler prints it. */
	uint64_t shown;
	uint8_t *bytes;
	size_t size;
	bool cut; /* the function is longer than 4 MiB: only its start was read */
	struct pk_row *rows;
	uint32_t rows_count;
};

/* Reads and decodes the function that starts at an address of an open object. last is a known
 * address in the function: if no symbol has the function's end, 64 bytes after `last` are read; if
 * the object has no symbols at all, up to 4 MiB. False: out of memory. *f must be released in any
 * case. */
bool pk_function_code_load(struct pk_function_code *f, const struct pk_code_object *object,
			   uint64_t address, uint64_t last);
void pk_function_code_release(struct pk_function_code *f);

/* The row of the instruction that contains the byte at this offset; PK_NO_ROW: none. */
uint32_t pk_function_code_row(const struct pk_function_code *f, uint64_t at);
/* Disassembles the instruction of a row. *insn is valid until the next call for the same object.
 * False: it cannot be decoded. */
bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn);

#endif
