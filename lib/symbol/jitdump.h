/* SPDX-License-Identifier: BSD-2-Clause */
/* jitdump, the file to which a just-in-time compiler writes its code
 * (tools/perf/Documentation/jitdump-specification.txt): a header and records of loaded code with
 * its bytes, of moved code, of source lines, and of unwinding information. While the file grows,
 * each pk_jitdump_read() decodes the records that were completed since the previous call. Functions
 * are looked up by the offset of their bytes in the file. */
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

/* The unwinding information of a code: the bytes of an .eh_frame, and then those of its
 * .eh_frame_hdr. The compiler wrote them for memory in which they follow the code, from the next
 * multiple of 8 bytes after its start on. */
struct pk_jit_unwinding {
	uint64_t code, code_size; /* code: the offset of the code in the file */
	uint64_t at;		  /* the offset of the information in the file */
	uint32_t size;		  /* of both, at most PK_JIT_UNWINDING_MAX; 0: none */
	uint32_t header_size;	  /* of the .eh_frame_hdr; can be 0 */
};

#define PK_JIT_UNWINDING_MAX (UINT32_C(64) << 10)

struct pk_jitdump {
	/* Set these before the first read: the counter of failures, or NULL, and the path for
	 * them. */
	struct pk_failures *failures;
	const char *path;
	bool swapped;		    /* the file's byte order is not the host's */
	bool times;		    /* the times in records are those of CLOCK_MONOTONIC */
	uint32_t machine;	    /* EM_*, from the header; 0: unknown */
	uint64_t position;	    /* offset of the next record; 0: the header was not yet read */
	struct pk_symtable symbols; /* by offset in the file */
	struct pk_code *codes;
	size_t code_count, code_room;
	struct pk_jit_lines lines;   /* ascending by offset */
	struct pk_jit_lines pending; /* lines of the next code record */
	uint64_t pending_address;
	struct pk_jit_unwinding *unwindings; /* ascending by code */
	size_t unwinding_count, unwinding_room;
	struct pk_jit_unwinding next_unwinding; /* of the next code record */
	struct pk_table numbers;		/* code_index -> index in codes + 1 */
};

/* Reads the records that were added since the previous call. An incomplete one at the end is read
 * later. Invalid records are skipped. A record that cannot be read because of a failure is read
 * later or skipped. Returns false if the file is not a jitdump, consists almost only of holes, or
 * has a record that cannot be skipped, or if memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_jitdump_read(struct pk_jitdump *j, int fd);

/* The source line of the code at an offset in the file. Returns false if it is unknown. */
bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source);

/* The unwinding information of the code that contains an offset in the file. NULL: none. */
const struct pk_jit_unwinding *pk_jitdump_unwinding(const struct pk_jitdump *j, uint64_t offset);
/* Reads it. The caller frees the bytes. NULL: a failure. */
uint8_t *pk_jitdump_bytes(const struct pk_jitdump *j, int fd,
			  const struct pk_jit_unwinding *unwinding);

void pk_jitdump_clear(struct pk_jitdump *j);

#endif
