/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the data types of the memory that the instructions of a function access. */
#ifndef PK_TYPING_H
#define PK_TYPING_H

#include "buffer.h"
#include "code_objects.h"
#include "flow.h"
#include "table.h"

#define PK_NO_ROW UINT32_MAX

/* An instruction of a function. pk_function_code_text() makes its text. */
struct pk_row {
	uint64_t shown; /* the address of the instruction, in the form that a disassembler prints */
	uint32_t at;	/* the offset of the instruction's first byte in pk_function_code.bytes */
	uint32_t jump;	/* The row to which the instruction jumps, if it is in the same function.
			 * PK_NO_ROW if the instruction does not jump, or if it is a call. */
	uint8_t size, kind; /* the size of the instruction in bytes, and its enum insn_kind */
	uint8_t mode;	    /* the enum disasm_mode in which the instruction was decoded */
};

/* The bytes and instructions of a function. */
struct pk_function_code {
	const struct pk_code_object *object;
	const char *reason; /* the reason why the code cannot be read; NULL if it was read */
	uint64_t address;   /* the address of the function's first byte, as struct pk_object and
			     * pk_machine_code use it */
	/* The address of the function's first byte, in the form that a disassembler prints. */
	uint64_t shown;
	uint8_t *bytes;
	size_t size;
	bool cut; /* true if the function is longer than 4 MiB, so that only its start was read */
	struct pk_row *rows;
	uint32_t rows_count;
};

/* Reads and decodes the function that starts at an address of an open object. `last` is a known
 * address in the function. If no symbol shows the end of the function, reads 64 bytes after `last`.
 * If the object has no symbols at all, reads up to 4 MiB. *f must be released also after a failure.
 */
PK_MUST_CHECK enum pk_status pk_function_code_load(struct pk_function_code *f,
						   const struct pk_code_object *object,
						   uint64_t address, uint64_t last);
void pk_function_code_release(struct pk_function_code *f);

/* Returns the row of the instruction that contains the byte at this offset, or PK_NO_ROW if there
 * is none. */
uint32_t pk_function_code_row(const struct pk_function_code *f, uint64_t at);
/* Disassembles the instruction of a row. *insn is valid until the next call for the same object.
 * Returns false if the instruction cannot be decoded. */
bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn);
/* Appends the text of the instruction of row r. Appends the names of symbols after the addresses in
 * the instruction. */
void pk_function_code_line(const struct pk_function_code *f, uint32_t r, struct buffer *out);

/* The data that all functions of an object use. It is empty if it is all zero. */
struct pk_typing {
	struct pk_table objects; /* The key is the address of a struct pk_object in memory. The
				  * value is a struct flow_object. */
};

void pk_typing_free(struct pk_typing *typing);

/* The analysed accesses of a function. */
struct pk_function_types {
	const struct pk_function_code *code;
	struct pk_types *types; /* NULL if the types of the object are unknown */
	struct flow *flow;
	uint64_t address; /* address of the function's first byte in the file with the debugging
			     information, see types.h; if the types are unknown, the address that is
			     shown */
};

/* Analyses a function that was read (code->reason is NULL). code must exist as long as f. *f must
 * be freed also after a failure. */
PK_MUST_CHECK enum pk_status pk_function_types_read(struct pk_function_types *f,
						    struct pk_typing *typing,
						    const struct pk_function_code *code);
void pk_function_types_free(struct pk_function_types *f);

/* Returns the memory access of the instruction at a row, or NULL if there is none. If there are
 * several accesses, returns the first one whose type is known. If no type is known, returns the
 * first access. */
const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row);
/* Returns the memory access for a sample at the row. x86 processors fuse a comparison or arithmetic
 * instruction with the branch that follows it, and samples have the address of the branch. For such
 * a branch, returns the access of the instruction before it. */
const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row);

/* The type and the member that a memory access uses, as texts and numbers for output. */
struct pk_access_type {
	const char *type; /* the name of the type; "" if the type is unknown, and `reason` is then
			   * set */
	uint64_t type_size;
	char member[256]; /* the accessed member, such as "a.b[0].c"; "" if the access is to the
			   * whole type */
	uint64_t start,
		size;	    /* offset of the member in the type and size of the member, in bytes */
	const char *reason; /* a constant text that says why the type is unknown */
};

/* Describes an access. If merge is true, a struct or union gets its own name, and not the name of a
 * typedef. So all its accesses have the same text. */
void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed);

#endif
