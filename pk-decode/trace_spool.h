/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_SPOOL_H
#define PK_TRACE_SPOOL_H

/* The bytes of hardware traces, in a temporary file. Each trace is a list of pieces, which are the
 * payloads of AUXTRACE records. So the memory does not depend on the size of the traces. */

#include "pkstream.h"

struct trace_spool {
	int fd;	      /* -1 until the first piece is added */
	uint64_t end; /* size of the file in bytes */
};

/* A list of pieces. All bytes 0 is an empty list. */
struct trace_pieces {
	uint64_t first, last; /* the places of pieces in the file, plus 1; 0 if there is none */
};

/* A piece that is being read. */
struct trace_piece {
	uint64_t offset; /* of its first byte in the trace */
	uint64_t at;	 /* place of the next byte in the file */
	uint64_t left;	 /* number of bytes that were not read yet */
};

/* Adds the payload of the AUXTRACE that the reader has read last. Returns PK_IO with errno if the
 * temporary file cannot be written. If the reader has an error, adds the bytes before the error. */
PK_MUST_CHECK enum pk_status trace_spool_add(struct trace_spool *spool, struct trace_pieces *pieces,
					     struct pk_reader *reader, uint64_t offset);
/* Adds bytes at the end of the file, to no list. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status trace_spool_write(struct trace_spool *spool, const uint8_t *data,
					       size_t size);
/* Adds the payload at the end of the file, to no list. Sets *size to its number of bytes. */
PK_MUST_CHECK enum pk_status trace_spool_append(struct trace_spool *spool, struct pk_reader *reader,
						uint64_t *size);
/* Removes the first piece from the list, and starts to read it. Returns PK_END if the list is
 * empty, and PK_IO with errno if the file cannot be read. */
PK_MUST_CHECK enum pk_status
trace_spool_next(struct trace_spool *spool, struct trace_pieces *pieces, struct trace_piece *piece);
/* Reads up to `size` bytes of the piece. Sets *got to their number, which is 0 only at the end of
 * the piece. */
PK_MUST_CHECK enum pk_status trace_spool_read(struct trace_spool *spool, struct trace_piece *piece,
					      uint8_t *data, size_t size, size_t *got);
/* Removes all pieces from the file. All lists must be empty, or must not be used again. */
void trace_spool_clear(struct trace_spool *spool);
void trace_spool_free(struct trace_spool *spool);

#endif
