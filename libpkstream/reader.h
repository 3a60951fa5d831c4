/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef READER_H
#define READER_H

/* The state of a reader: framing.c finds where streams and records start and end, content.c reads
 * the records of one input, datadir.c those of the other files of a directory, and reader.c is what
 * callers see of both. */

#include "datafile.h"
#include "events.h"
#include "feature_records.h"
#include "input.h"

struct pk_reader {
	struct pk_pool own_pool, *pool;
	struct pk_events own_events, *events; /* own_events, or those of the directory's reader */
	struct pk_input input;
	struct pk_datadir *dir;	  /* the input is or was a directory */
	struct pk_join join;	  /* a feature of which some parts were read */
	struct pk_datafile *file; /* the input is or was a perf.data file */
	uint64_t spooled_at; /* offset in the input of the first byte of the file's descriptor; 0 if
			      * the descriptor is the input */
	const char *file_missing; /* the reason why the current file is incomplete, or NULL */
	struct pk_input inner;	  /* the content of COMPRESSED records, while inner_used */
	struct pk_zstd *zstd;	  /* one for all COMPRESSED records of a session */
	const uint8_t *squeezed;  /* bytes of the current COMPRESSED record that are not yet
				   * decompressed */
	size_t squeezed_size;
	bool inner_used;
	enum pk_status failed; /* the status that all later calls return; PK_OK: none */
	bool swapped;
	bool began;    /* at least one session has started */
	bool clear;    /* BEGIN was returned: the next call clears the previous session */
	bool ours;     /* a SESSION was read: an END must follow */
	bool newer;    /* the version of that SESSION is unknown */
	bool finished; /* END was read */
	uint64_t payload_left;
	uint64_t payload_padding; /* the last bytes of it, which are not returned */
	uint64_t samples;	  /* number of samples in this session */
	uint64_t bad;
	uint64_t at; /* offset of the current COMPRESSED record, used for the records in it */
	/* Unknown types already reported in this session: bit type % 64. */
	uint64_t unswapped_types;
	uint64_t unswapped; /* number of records of unknown layout that were not swapped */
	bool odd_size;	    /* a record whose size is not a multiple of 8 was reported */
	uint64_t failed_at; /* offset in the input of the first TRUNCATED or error */
	char error[160];
};

/* Reports a warning about a record that is not skipped. */
void pk_reader_warn(struct pk_reader *reader, const struct pk_record *record, const char *text);
/* Reports the first record of the session whose size is not a multiple of 8 although it should be.
 */
void pk_reader_note_odd_size(struct pk_reader *reader, const struct pk_record *record);
/* Makes the reader return status from now on, and sets the error text, which is `text`, or
 * pk_status_text if it is NULL, and the offset. Returns status. */
enum pk_status pk_reader_fail(struct pk_reader *reader, enum pk_status status, const char *text);
/* The same for the status of a function of input.h, with its text. */
enum pk_status pk_reader_fail_input(struct pk_reader *reader, enum pk_status status);

/* A reader for one input, with its own pool if pool is NULL. */
enum pk_status pk_reader_new_one(const struct pk_reader_options *options, struct pk_pool *pool,
				 struct pk_reader **reader);
void pk_reader_free_one(struct pk_reader *reader);
/* Creates a reader for a file data.N of a directory: records without a stream header, with the
 * events and byte order of `whole`. options describe the file. pool must live as long as the
 * reader. */
enum pk_status pk_reader_new_part(struct pk_reader *whole, struct pk_pool *pool,
				  const struct pk_reader_options *options, struct pk_reader **part);
/* Like pk_reader_next and pk_reader_payload, without the other files of a directory. */
enum pk_status pk_reader_next_one(struct pk_reader *reader, struct pk_record *record);
enum pk_status pk_reader_payload_one(struct pk_reader *reader, const uint8_t **data, size_t *size);

/* Returns the next record, also from COMPRESSED records. It is complete, its header is in host byte
 * order, and its body is unchanged. PK_END with *start means that another session starts here. In
 * framing.c. */
enum pk_status pk_reader_frame(struct pk_reader *reader, struct pk_record *record, bool *start);
/* Starts the session at the current offset of the input. */
enum pk_status pk_reader_start_session(struct pk_reader *reader, struct pk_record *record);
/* Clears the events and the state of the session that has ended. */
void pk_reader_leave(struct pk_reader *reader);
/* The reason why the session that ends here is incomplete, or NULL if it is complete. */
const char *pk_reader_missing(const struct pk_reader *reader);

/* ---- reader.c, for callers that keep records ---- */

/* Adds a reference to the block of the reader's current record; pk_block_release() drops it. */
struct pk_block *pk_reader_hold(struct pk_reader *reader);
/* Bytes of memory of all blocks in use. */
size_t pk_reader_held(const struct pk_reader *reader);
/* Reports a warning about a record that is skipped, and counts it (pk_reader_bad_records). */
void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text);

#endif
