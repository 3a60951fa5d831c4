/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_CHUNKS_H
#define PK_RECORD_UNWIND_CHUNKS_H

/* The chunks of one file with code, for --call-graph unwind. They are made from the call frame
 * information of the file when they are needed, a few at a time, because programs use only a small
 * part of large files. */

#include <stdbool.h>
#include <stdint.h>

#include "object_debug.h"
#include "symbols.h"
#include "unwind_arena.h"

/* The chunks of one file, and what is needed to make them. */
struct unwind_chunks {
	uint64_t base;	 /* address in the file at which the first chunk starts */
	uint32_t first;	 /* number of the first chunk; UNWIND_NO_CHUNK if the file has no unwind
			  * rules */
	uint32_t count;	 /* number of chunks of the file */
	uint32_t unmade; /* number of chunks that are not made yet */
	/* The call frame information of the file, and the owner of its bytes. Both are NULL when
	 * all chunks are made. */
	struct pk_cfi *cfi;
	struct pk_symbols *symbols;
	uint64_t size; /* size of the call frame information in bytes */
	uint64_t work; /* number of call frame instructions that may still be executed; this limits
			* the time for damaged files */
};

/* Reserves chunks->count chunks for the code of a file, which starts at chunks->base. The caller
 * must set these two members before. Keeps the call frame information `info` to make the chunks
 * later. `symbols` has the bytes of `info`, and always belongs to `chunks` afterwards. If too many
 * bytes are kept, makes all chunks of this file now. */
void unwind_chunks_open(struct unwind_chunks *chunks, struct unwind_arenas *arenas,
			struct pk_symbols *symbols, const struct pk_unwind_info *info);
/* Returns true if the chunk with this number belongs to the file. */
bool unwind_chunks_have(const struct unwind_chunks *chunks, uint32_t number);
/* Makes the chunk with this number, and some chunks next to it. Does nothing if the chunk is
 * already made. */
void unwind_chunks_make(struct unwind_chunks *chunks, struct unwind_arenas *arenas,
			uint32_t number);
void unwind_chunks_make_all(struct unwind_chunks *chunks, struct unwind_arenas *arenas);
void unwind_chunks_close(struct unwind_chunks *chunks, struct unwind_arenas *arenas);

#endif
