/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_FUNCTION_H
#define PK_ANNOTATE_FUNCTION_H

/* One function: its instructions, and how often each was sampled. */

#include "objects.h"

#define ROW_NONE UINT32_MAX

/* An instruction. Its text is made when it is printed, with disasm_next(). */
struct row {
	uint64_t shown;	    /* its address */
	uint32_t at;	    /* its bytes begin there in the function's */
	uint32_t jump;	    /* the row in the same function that it jumps to; ROW_NONE */
	uint8_t size, kind; /* enum insn_kind */
	uint8_t mode;	    /* enum disasm_mode */
};

struct function {
	struct heat_function is;
	struct heat_object object;
	const struct code_object *code;
	const char *reason; /* why there are no rows; NULL: there are */
	uint64_t address;   /* of its first byte, for struct pk_object and pk_machine_code */
	uint64_t shown;
	uint8_t *bytes;
	size_t size;
	bool cut; /* it is longer than what is looked at */

	struct row *rows;
	uint32_t rows_count;

	/* The events that are shown side by side: */
	const uint32_t *events;
	unsigned int columns;
	struct heat_count *counts; /* of row r and column c at [r * columns + c] */
	struct heat_count *totals; /* of each column: all that was sampled in the function */
	uint64_t outside;	   /* samples at addresses that are not in its code */
	uint64_t within;	   /* samples that are not at the begin of an instruction */
};

/* False: out of memory. To be released in any case. events stay the caller's. */
bool function_load(struct function *f, struct objects *objects, const struct heat *heat,
		   uint32_t number, const uint32_t *events, unsigned int columns);
void function_release(struct function *f);

/* The text of an instruction, valid until the next call for the same object. */
bool function_text(const struct function *f, const struct row *row, struct insn *insn);

#endif
