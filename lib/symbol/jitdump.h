/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump, the file that a just-in-time compiler writes its code to (tools/perf/Documentation/
 * jitdump-specification.txt): a header and records, of code that was loaded with its bytes, of code
 * that was moved, of source lines. It is read piece by piece while it grows; what it says of a
 * function is found by the offset of the function's bytes in the file.
 */
#ifndef PK_JITDUMP_H
#define PK_JITDUMP_H

#include "symbols.h"
#include "symtable.h"
#include "table.h"

struct pk_jit_line {
	uint64_t
		at; /* the address it begins at, while its code is still to come; then the offset */
	uint32_t line; /* 0: unknown */
	uint32_t file; /* where in symbols.names; 0: unknown */
};

struct pk_jit_lines {
	struct pk_jit_line *list;
	size_t count, room;
};

struct pk_jitdump {
	/* Set before the first read: where failures are counted, or NULL, and under which name. */
	struct pk_failures *failures;
	const char *path;
	bool swapped;		    /* it is of the other byte order */
	bool times;		    /* are those of CLOCK_MONOTONIC */
	uint64_t position;	    /* of the next record; 0: the header is still to come */
	struct pk_symtable symbols; /* by offset */
	struct pk_code *codes;
	size_t code_count, code_room;
	struct pk_jit_lines lines;   /* ascending, by offset */
	struct pk_jit_lines pending; /* of the code that comes next, by address */
	uint64_t pending_address;
	struct pk_table numbers; /* of codes + 1, by their code_index */
};

/*
 * Reads what complete records there are behind those that were read, up to the end of the file. A
 * record that makes no sense is passed over; false: the file is no jitdump, a record of it cannot
 * be passed over, or a failure.
 */
bool pk_jitdump_read(struct pk_jitdump *j, int fd);

/* The line at an offset. False: unknown. */
bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source);

void pk_jitdump_clear(struct pk_jitdump *j);

#endif
