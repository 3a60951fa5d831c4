/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_CHUNKS_H
#define PK_RECORD_UNWIND_CHUNKS_H

/* The rows of one file for --call-graph unwind. They are made from its call frame information when
 * they are needed, for some chunks at a time: programs use a small part of large files. */

#include <stdbool.h>
#include <stdint.h>

#include "object_debug.h"
#include "symbols.h"
#include "unwind_arena.h"

struct unwind_chunks {
	uint64_t base;	 /* the address of the first chunk in the file */
	uint32_t first;	 /* number of the first chunk; UNWIND_NO_CHUNK if there are no rows */
	uint32_t count;	 /* number of chunks */
	uint32_t unmade; /* the number of those that have not been made */
	/* The call frame information, and the owner of its bytes. NULL if all chunks are made. */
	struct pk_cfi *cfi;
	struct pk_symbols *symbols;
	uint64_t size; /* of these bytes */
	uint64_t work; /* instructions that may still be executed */
};

/* Reserves chunks for the code of a file, up to the address `end`, and keeps what is needed to make
 * them. Always becomes the owner of `symbols`, which has the bytes of `info`. base and count are
 * already set. If too many bytes are kept, makes all chunks. */
void unwind_chunks_open(struct unwind_chunks *chunks, struct unwind_arenas *arenas,
			struct pk_symbols *symbols, const struct pk_unwind_info *info);
/* Whether a chunk belongs to the file. */
bool unwind_chunks_have(const struct unwind_chunks *chunks, uint32_t number);
/* Makes one of the chunks, and some others near it. */
void unwind_chunks_make(struct unwind_chunks *chunks, struct unwind_arenas *arenas,
			uint32_t number);
void unwind_chunks_make_all(struct unwind_chunks *chunks, struct unwind_arenas *arenas);
void unwind_chunks_close(struct unwind_chunks *chunks, struct unwind_arenas *arenas);

#endif
