/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef READER_H
#define READER_H

/* What a reader is: shared by framing.c (where streams and records begin and end) and reader.c
 * (what they are). */

#include "datadir.h"
#include "datafile.h"
#include "events.h"
#include "feature_part.h"
#include "input.h"

struct pk_reader {
	struct pk_pool own_pool, *pool;
	struct pk_events own_events, *events; /* a part of a directory has those of the whole */
	struct pk_input input;
	struct pk_datadir *dir;	  /* the input is a directory, or was at first */
	struct pk_join join;	  /* a feature in parts */
	struct pk_datafile *file; /* the input is a perf.data file, or was at first */
	uint64_t spooled_at;	  /* where in the input the file's descriptor begins */
	const char *file_missing; /* why the current one is not complete, or NULL */
	struct pk_input inner;	  /* what COMPRESSED records hold, while inner_used */
	struct pk_zstd *zstd;	  /* one for all COMPRESSED records of a session */
	const uint8_t
		*squeezed; /* of the current COMPRESSED record, what is not yet decompressed */
	size_t squeezed_size;
	bool inner_used;
	enum pk_status failed; /* sticks */
	bool swapped;
	bool began;    /* at least one session has */
	bool clear;    /* BEGIN was returned: the next call leaves the old session behind */
	bool ours;     /* a SESSION was seen, so that an END must come */
	bool newer;    /* that SESSION is of a version that we do not know */
	bool finished; /* END was seen */
	uint64_t payload_left;
	uint64_t samples; /* of this session */
	uint64_t bad;
	uint64_t at; /* offset of the current COMPRESSED record, which what it holds has too */
	uint64_t unswapped_types; /* of unknown records, a bit for type % 64: said once */
	uint64_t unswapped;	  /* how many in all */
	bool odd_size;		  /* said that a record's size is odd */
	char error[160];
};

/* One warning, which does not count. */
void pk_reader_warn(struct pk_reader *reader, const struct pk_record *record, const char *text);
/* Makes status stick, with a text for it (NULL: the status's own) and the offset; returns it. */
enum pk_status pk_reader_fail(struct pk_reader *reader, enum pk_status status, const char *text);
/* The same for what a function of input.c returned. */
enum pk_status pk_reader_fail_input(struct pk_reader *reader, enum pk_status status);

/* A reader of records that have no header, of the session that whole is in; its options are those
 * of another input, its pool one that ends no sooner. */
enum pk_status pk_reader_new_part(struct pk_reader *whole, struct pk_pool *pool,
				  const struct pk_reader_options *options, struct pk_reader **part);
/* As pk_reader_next, but for the other files of a directory. */
enum pk_status pk_reader_next_of_input(struct pk_reader *reader, struct pk_record *record);

/* framing.c: the next record, whole, its header in host order, taken out of COMPRESSED ones where
 * need be. PK_END with *start: another session begins there instead. */
enum pk_status pk_reader_frame(struct pk_reader *reader, struct pk_record *record, bool *start);
/* The input is to be a directory's file data, if it is a directory. */
enum pk_status pk_reader_enter_directory(struct pk_reader *reader);
/* Begins the session that the input is at. */
enum pk_status pk_reader_start_session(struct pk_reader *reader, struct pk_record *record);
/* Forgets all of the session that has ended. */
void pk_reader_leave(struct pk_reader *reader);
/* What is missing at the end of a session; NULL: nothing. */
const char *pk_reader_missing(const struct pk_reader *reader);

/* ---- reader.c, for those that keep records ---- */

/* Adds a reference to the block that the reader's current record lies in. */
struct pk_block *pk_reader_hold(struct pk_reader *reader);
/* Bytes of all blocks that are held. */
size_t pk_reader_held(const struct pk_reader *reader);
/* A warning about a record, and one more bad record. */
void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text);

#endif
