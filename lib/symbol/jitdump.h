/* SPDX-License-Identifier: BSD-2-Clause */
/* jitdump, the file to which a just-in-time compiler writes its code
 * (tools/perf/Documentation/jitdump-specification.txt): a header and records of loaded code with
 * its bytes, of moved code, and of source lines. While the file grows, each pk_jitdump_read()
 * decodes the records that were completed since the previous call. Functions are looked up by the
 * offset of their bytes in the file. */
#ifndef PK_JITDUMP_H
#define PK_JITDUMP_H

#include "symbols.h"
#include "symtable.h"
#include "table.h"

struct pk_jit_line {
	uint64_t at;   /* in pending: an address; in lines: the offset of the code in the file */
	uint32_t line; /* 0: unknown */
	uint32_t file; /* offset in symbols.names; 0: unknown */
};

struct pk_jit_lines {
	struct pk_jit_line *list;
	size_t count, room;
};

struct pk_jitdump {
	/* Set these before the first read: the counter of failures, or NULL, and the path for
	 * them. */
	struct pk_failures *failures;
	const char *path;
	bool swapped;		    /* the file's byte order is not the host's */
	bool times;		    /* the times in records are those of CLOCK_MONOTONIC */
	uint64_t position;	    /* offset of the next record; 0: the header was not yet read */
	struct pk_symtable symbols; /* by offset in the file */
	struct pk_code *codes;
	size_t code_count, code_room;
	struct pk_jit_lines lines;   /* ascending by offset */
	struct pk_jit_lines pending; /* lines of the next code record */
	uint64_t pending_address;
	struct pk_table numbers; /* code_index -> index in codes + 1 */
};

/* Reads the records that were added since the previous call. An incomplete one at the end is read
 * later. Invalid records are skipped. A record that cannot be read because of a failure is read
 * later or skipped. Returns false if the file is not a jitdump, consists almost only of holes, or
 * has a record that cannot be skipped, or if memory is exhausted. */
bool pk_jitdump_read(struct pk_jitdump *j, int fd);

/* The source line of the code at an offset in the file. Returns false if it is unknown. */
bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source);

void pk_jitdump_clear(struct pk_jitdump *j);

#endif
