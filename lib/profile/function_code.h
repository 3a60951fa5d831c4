/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FUNCTION_CODE_H
#define PK_FUNCTION_CODE_H

/* The bytes of a function and its instructions, in rows. */

#include "code_objects.h"

#define PK_NO_ROW UINT32_MAX

/* An instruction. pk_function_code_text() writes its text. */
struct pk_row {
	uint64_t shown;	    /* its address */
	uint32_t at;	    /* offset of its bytes in those of the function */
	uint32_t jump;	    /* the row in the same function that it jumps to, or PK_NO_ROW */
	uint8_t size, kind; /* enum insn_kind */
	uint8_t mode;	    /* enum disasm_mode */
};

struct pk_function_code {
	const struct pk_code_object *object;
	const char *reason; /* the reason why there are no rows; NULL: there are */
	uint64_t address;   /* of its first byte, for struct pk_object and pk_machine_code */
	uint64_t shown;
	uint8_t *bytes;
	size_t size;
	bool cut; /* the function is longer than the limit */
	struct pk_row *rows;
	uint32_t rows_count;
};

/* Reads the function that starts at an address of an open object. last: an address in the function;
 * without a symbol for the end, the function is read up to some bytes after it. False: out of
 * memory. Must be released in any case. */
bool pk_function_code_load(struct pk_function_code *f, const struct pk_code_object *object,
			   uint64_t address, uint64_t last);
void pk_function_code_release(struct pk_function_code *f);

/* The row of the instruction that contains an offset; PK_NO_ROW: none. */
uint32_t pk_function_code_row(const struct pk_function_code *f, uint64_t at);
/* The text of an instruction, valid until the next call for the same object. */
bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn);

#endif
