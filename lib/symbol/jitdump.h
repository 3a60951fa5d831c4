/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads jitdumps. A jitdump is the file to which a just-in-time compiler writes its code
 * (tools/perf/Documentation/jitdump-specification.txt). It has a header and records: loaded code
 * with its bytes, moved code, source lines, and unwinding information. The file can grow while it
 * is read. Each call of pk_jitdump_read() decodes the records that were completed since the
 * previous call. Functions are found by the offset of their bytes in the file. */
#ifndef PK_JITDUMP_H
#define PK_JITDUMP_H

#include "symbols.h"
#include "symtable.h"
#include "table.h"

/* A source line of code. */
struct pk_jit_line {
	uint64_t at;   /* in `pending`, an address in memory; in `lines`, the offset of the code in
			* the file */
	uint32_t line; /* 0 if it is unknown */
	uint32_t file; /* offset in symbols.names, or 0 if it is unknown */
};

/* A list of source lines. */
struct pk_jit_lines {
	struct pk_jit_line *list;
	size_t count, room;
};

/* The unwinding information of a code. It consists of the bytes of an .eh_frame, followed by the
 * bytes of its .eh_frame_hdr. Addresses in it assume that the information is in memory after the
 * code. The distance from the start of the code to the information is the size of the code, rounded
 * up to a multiple of 8 bytes. */
struct pk_jit_unwinding {
	uint64_t code, code_size; /* `code` is the offset of the code in the file */
	uint64_t at;		  /* offset of the information in the file */
	uint32_t size; /* size of the two sections together, at most PK_JIT_UNWINDING_MAX; 0 if
			* there is no information */
	uint32_t header_size; /* size of the .eh_frame_hdr, which can be 0 */
};

#define PK_JIT_UNWINDING_MAX (UINT32_C(64) << 10)

/* The records of a jitdump that were read so far. */
struct pk_jitdump {
	/* Set these before the first read. `failures` counts failures, or is NULL. `path` is used
	 * to report them. */
	struct pk_failures *failures;
	const char *path;
	bool swapped;	   /* the byte order differs from this machine */
	bool times;	   /* times in records are from CLOCK_MONOTONIC */
	uint32_t machine;  /* EM_* from the header, or 0 if it is unknown */
	uint64_t position; /* offset of the next record, or 0 if the header was not read yet */
	struct pk_symtable symbols; /* addresses are offsets in the file */
	struct pk_code *codes;
	size_t code_count, code_room;
	struct pk_jit_lines lines;   /* sorted by offset */
	struct pk_jit_lines pending; /* lines that belong to the code of the next code record */
	uint64_t pending_address;
	struct pk_jit_unwinding *unwindings; /* sorted by the offset of the code */
	size_t unwinding_count, unwinding_room;
	struct pk_jit_unwinding next_unwinding; /* unwinding information of the next code record */
	struct pk_table numbers; /* by code_index (the number that identifies a code in the file):
				  * the index in `codes`, plus 1 */
};

/* Reads the records that were added since the previous call. If the last record is incomplete, it
 * is read by a later call. Invalid records are skipped. A record that cannot be read because of a
 * failure is skipped, or is read later. Returns PK_CORRUPT if the file is not a jitdump, consists
 * almost only of holes, or has a record that cannot be skipped. Returns PK_FAILED if the file
 * cannot be read, and PK_NOMEM if memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_jitdump_read(struct pk_jitdump *j, int fd);

/* Finds the source line of the code at an offset in the file. Returns false if it is unknown. */
bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source);

/* Returns the unwinding information of the code that contains an offset in the file, or NULL if
 * there is none. */
const struct pk_jit_unwinding *pk_jitdump_unwinding(const struct pk_jitdump *j, uint64_t offset);
/* Reads the bytes of unwinding information. The caller frees them. Returns NULL if this fails. */
uint8_t *pk_jitdump_bytes(const struct pk_jitdump *j, int fd,
			  const struct pk_jit_unwinding *unwinding);

void pk_jitdump_clear(struct pk_jitdump *j);

#endif
