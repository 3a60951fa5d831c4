/* SPDX-License-Identifier: BSD-2-Clause */
/* jitdump, the file to which a just-in-time compiler writes its code
 * (tools/perf/Documentation/jitdump-specification.txt): a header and records of loaded code with
 * its bytes, of moved code, and of source lines. It is read in parts while it grows. Functions are
 * looked up by the offset of their bytes in the file. */
#ifndef PK_JITDUMP_H
#define PK_JITDUMP_H

#include "symbols.h"
#include "symtable.h"
#include "table.h"

struct pk_jit_line {
	uint64_t at;   /* the address of the code, until the code was read; then the offset */
	uint32_t line; /* 0: unknown */
	uint32_t file; /* offset in symbols.names; 0: unknown */
};

struct pk_jit_lines {
	struct pk_jit_line *list;
	size_t count, room;
};

struct pk_jitdump {
	/* Set before the first read: counts failures, or NULL, and the name for them. */
	struct pk_failures *failures;
	const char *path;
	bool swapped;		    /* it is of the other byte order */
	bool times;		    /* times are those of CLOCK_MONOTONIC */
	uint64_t position;	    /* of the next record; 0: the header was not read */
	struct pk_symtable symbols; /* by offset */
	struct pk_code *codes;
	size_t code_count, code_room;
	struct pk_jit_lines lines;   /* ascending by offset */
	struct pk_jit_lines pending; /* lines of the next code, by address */
	uint64_t pending_address;
	struct pk_table numbers; /* code_index -> number in codes + 1 */
};

/* Reads the complete records after those that were read, up to the end of the file. Invalid records
 * are skipped; false: not a jitdump, a record cannot be skipped, or a failure. */
bool pk_jitdump_read(struct pk_jitdump *j, int fd);

/* The source line of an offset. False: unknown. */
bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source);

void pk_jitdump_clear(struct pk_jitdump *j);

#endif
