/* SPDX-License-Identifier: BSD-2-Clause */
/* The data types of the memory that a function's instructions access. */
#ifndef PK_TYPING_H
#define PK_TYPING_H

#include "code_objects.h"
#include "flow.h"
#include "table.h"

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

/* Reads and decodes the function that starts at an address of an open object. `last` is a known
 * address in the function. If no symbol has the function's end, 64 bytes after `last` are read. If
 * the object has no symbols at all, up to 4 MiB are read. *f must be released in any case. */
PK_MUST_CHECK enum pk_status pk_function_code_load(struct pk_function_code *f,
						   const struct pk_code_object *object,
						   uint64_t address, uint64_t last);
void pk_function_code_release(struct pk_function_code *f);

/* The row of the instruction that contains the byte at this offset, or PK_NO_ROW if there is
 * none. */
uint32_t pk_function_code_row(const struct pk_function_code *f, uint64_t at);
/* Disassembles the instruction of a row. *insn is valid until the next call for the same object.
 * Returns false if it cannot be decoded. */
bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn);

/* The data that the functions of an object share. Zeroed, it is empty. */
struct pk_typing {
	struct pk_table objects; /* struct flow_object by address of struct pk_object */
};

void pk_typing_free(struct pk_typing *typing);

struct pk_function_types {
	const struct pk_function_code *code;
	struct pk_types *types; /* NULL: none */
	struct flow *flow;
	uint64_t address; /* of its first byte, for the types */
};

/* Analyses a function that was read (code->reason is NULL). code must live as long as f. *f must be
 * freed in any case. */
PK_MUST_CHECK enum pk_status pk_function_types_read(struct pk_function_types *f,
						    struct pk_typing *typing,
						    const struct pk_function_code *code);
void pk_function_types_free(struct pk_function_types *f);

/* The memory access of the instruction at a row, or NULL if there is none. If it has several, the
 * first one whose type is known, else the first. */
const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row);
/* The same for a sample at the row. x86 processors fuse a comparison or arithmetic instruction with
 * the branch after it, and samples have the address of the branch: for such a branch, returns the
 * access of the instruction before it. */
const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row);

/* The texts of an access. */
struct pk_access_type {
	const char *type; /* "": unknown, see reason */
	uint64_t type_size;
	char member[256];     /* "a.b[0].c"; "": the whole type */
	uint64_t start, size; /* of the member, in the type */
	const char *reason;   /* the reason why the type is unknown; static */
};

/* With merge, a struct or union gets its own name, not that of a typedef, so that all its accesses
 * have the same text. */
void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed);

#endif
