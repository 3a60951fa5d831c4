/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef READER_H
#define READER_H

/* The state of a reader. framing.c finds where streams and records start and end. content.c reads
 * the records of one input. datadir.c reads the other files of a directory. reader.c has the
 * functions that callers use. */

#include "datafile.h"
#include "events.h"
#include "feature_records.h"
#include "input.h"

/* A reader of one input. */
struct pk_reader {
	struct pk_pool own_pool, *pool;
	struct pk_events own_events, *events; /* events points to own_events, or to the events of
					       * the directory's reader */
	struct pk_input input;
	struct pk_datadir *dir;	  /* not NULL if the input is a directory */
	struct pk_join join;	  /* the feature whose FEATURE_PART records are being read */
	struct pk_datafile *file; /* not NULL if the input is or was a perf.data file */
	uint64_t spooled_at; /* offset in the input of the first byte of the temporary copy; 0 if
			      * there is no copy */
	const char *file_missing; /* the reason why the current file is incomplete, or NULL */
	struct pk_input inner;	  /* the decompressed content of COMPRESSED records; used only if
				   * inner_used is set */
	struct pk_zstd *zstd;	  /* the decompressor for all COMPRESSED records of a session */
	const uint8_t *squeezed;  /* bytes of the current COMPRESSED record that were not
				   * decompressed yet */
	size_t squeezed_size;
	bool inner_used;
	enum pk_status failed; /* if it is not PK_OK, all later calls return this status */
	bool swapped;
	bool began;    /* at least one session has started */
	bool clear;    /* PK_RECORD_BEGIN was returned, so the next call removes the events of the
			* previous session */
	bool ours;     /* a SESSION of pk was read, so an END must follow */
	bool newer;    /* the SESSION has an unknown, newer version */
	bool finished; /* true after an END was read */
	uint64_t payload_left;
	uint64_t payload_padding; /* size in bytes of the padding at the end of the payload, which
				   * is not returned to the caller */
	uint64_t samples;	  /* number of samples in this session */
	uint64_t bad;
	uint64_t at; /* offset of the current COMPRESSED record; the records inside get this offset
		      */
	/* Unknown record types that were already reported in this session. The bit with the number
	 * type % 64 is set. */
	uint64_t unswapped_types;
	uint64_t unswapped; /* number of records that were not swapped because their layout is
			     * unknown */
	bool odd_size;	    /* a record whose size is not a multiple of 8 was already reported */
	uint64_t failed_at; /* offset in the input of the first PK_TRUNCATED or error */
	char error[160];
};

/* Reports a warning about a record that is not skipped. */
void pk_reader_warn(struct pk_reader *reader, const struct pk_record *record, const char *text);
/* Reports the first record of the session whose size should be a multiple of 8 but is not. */
void pk_reader_note_odd_size(struct pk_reader *reader, const struct pk_record *record);
/* Makes the reader return `status` from now on. Sets the error text to `text` and the current
 * offset. If text is NULL, pk_status_text() is used. Returns status. */
enum pk_status pk_reader_fail(struct pk_reader *reader, enum pk_status status, const char *text);
/* Like pk_reader_fail(), for a status that a function of input.h has returned. The status
 * determines the error text. */
enum pk_status pk_reader_fail_input(struct pk_reader *reader, enum pk_status status);

/* Creates a reader for one input. If pool is NULL, the reader has its own pool. */
enum pk_status pk_reader_new_one(const struct pk_reader_options *options, struct pk_pool *pool,
				 struct pk_reader **reader);
void pk_reader_free_one(struct pk_reader *reader);
/* Creates a reader for a file data.N of a directory. The file has records without a stream header.
 * The events and the byte order are those of `whole`. `options` describe the file. `pool` must
 * exist longer than the reader. */
enum pk_status pk_reader_new_part(struct pk_reader *whole, struct pk_pool *pool,
				  const struct pk_reader_options *options, struct pk_reader **part);
/* These functions are like pk_reader_next and pk_reader_payload, but they do not read the other
 * files of a directory. */
enum pk_status pk_reader_next_one(struct pk_reader *reader, struct pk_record *record);
enum pk_status pk_reader_payload_one(struct pk_reader *reader, const uint8_t **data, size_t *size);

/* Returns the next record, also from inside COMPRESSED records. The record is complete. Its header
 * is in host byte order, and the bytes after the header are unchanged. Returns PK_END and sets
 * *start if another session starts here. This function is in framing.c. */
enum pk_status pk_reader_frame(struct pk_reader *reader, struct pk_record *record, bool *start);
/* Starts the session at the current offset of the input. */
enum pk_status pk_reader_start_session(struct pk_reader *reader, struct pk_record *record);
/* Clears the events and the state of the session that has just ended. */
void pk_reader_leave(struct pk_reader *reader);
/* Returns the reason why the session that ends here is incomplete. Returns NULL if it is complete.
 */
const char *pk_reader_missing(const struct pk_reader *reader);

/* ---- reader.c, for callers that keep records ---- */

/* Returns the reader of the current record. If the input is a directory, this is the reader of one
 * of its files. */
static inline struct pk_reader *pk_reader_current(struct pk_reader *reader)
{
	struct pk_reader *part = pk_unlikely(reader->dir) ? pk_datadir_current(reader->dir) : NULL;

	return part ? part : reader;
}

/* Adds a reference to the block of the reader's current record, and returns the block.
 * pk_block_release() drops the reference. */
static inline struct pk_block *pk_reader_hold(struct pk_reader *reader)
{
	struct pk_block *block;

	reader = pk_reader_current(reader);
	block = pk_unlikely(reader->inner_used) ? reader->inner.block : reader->input.block;
	block->refs++;
	return block;
}

/* Returns the memory of all blocks that are in use, in bytes. */
static inline size_t pk_reader_held(const struct pk_reader *reader)
{
	return reader->pool->used + (pk_unlikely(reader->dir) ? pk_datadir_held(reader->dir) : 0);
}

/* Reports a warning about a record that is skipped, and counts the record (pk_reader_bad_records).
 */
void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text);

#endif
