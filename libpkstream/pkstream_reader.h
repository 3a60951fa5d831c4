/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of a stream, and the reader in time order (SPEC 7). Programs include pkstream.h. */
#ifndef PKSTREAM_READER_H
#define PKSTREAM_READER_H

#include <sys/types.h>

#include "pkstream_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem with a record or with the input. For example, it tells why a record was skipped. */
struct pk_warning {
	uint64_t offset;  /* offset of the record in the input, in bytes */
	uint32_t type;	  /* type of the record */
	const char *text; /* text that describes the problem; valid until the callback returns */
};

/* The input of a reader, and the functions that it calls. */
struct pk_reader_options {
	/* Like read(2). Returns the number of bytes read, 0 at the end, or -1 with errno. It may
	 * return less than size bytes. If errno is EINTR, the reader calls the function again. If
	 * read is NULL, the reader calls read(2) on fd. The caller closes fd. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	int fd;
	/* This function is called before a read from fd that would block, so that a filter can
	 * flush its output. It is not called if `read` is set. May be NULL. */
	void (*idle)(void *arg);
	/* This function is called for each record that is skipped, and for other damage. Problems
	 * that can be in every record are reported once in a session. An example is a record type
	 * that the reader cannot swap to the byte order of the host. May be NULL. */
	void (*warn)(void *arg, const struct pk_warning *warning);
	void *arg; /* passed to the functions read(), idle() and warn() */
};

struct pk_reader;

/* Copies the options. If fd is a pipe, enlarges it if the system allows that. Does not read: the
 * first pk_reader_next() does. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_new_sized(const struct pk_reader_options *options,
							size_t options_size,
							struct pk_reader **reader);
static inline PK_MUST_CHECK enum pk_status pk_reader_new(const struct pk_reader_options *options,
							 struct pk_reader **reader)
{
	return pk_reader_new_sized(options, sizeof(*options), reader);
}

PK_API void pk_reader_free(struct pk_reader *reader);
/* Returns the next record of a stream, of a perf.data file (SPEC, appendix A) or of a directory of
 * perf record --threads. A stream or file can be compressed as a whole with zstd. The first record
 * is PK_RECORD_BEGIN. If another stream or file follows in the same input, PK_RECORD_BEGIN is
 * returned there, too. Instead of a COMPRESSED record, the records inside are returned.
 *
 * A malformed record whose header.size is valid is reported through warn, counted and skipped.
 * SAMPLEs in host byte order are not checked (pk_sample_decode() checks them), and neither are most
 * definitions of pk (see pk_abi.h). Definitions of a newer version of pk are skipped, too, and warn
 * reports this once for each session.
 *
 * After PK_END, PK_TRUNCATED or an error, all later calls return the same status. */
PK_API PK_MUST_CHECK enum pk_status
pk_reader_next_sized(struct pk_reader *reader, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_reader_next(struct pk_reader *reader,
							  struct pk_record *record)
{
	return pk_reader_next_sized(reader, record, sizeof(*record));
}

/* Returns the payload that follows the last record of pk_reader_next or pk_order_next. TRACING_DATA
 * and AUXTRACE have a payload. Each call returns a part of it, and *size is 0 after the last part.
 * The next call of pk_reader_next or pk_order_next skips the rest of the payload. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_payload(struct pk_reader *reader,
						      const uint8_t **data, size_t *size);
/* Returns the events of the current session. While PK_RECORD_BEGIN is the current record, returns
 * the events of the previous session. */
PK_API const struct pk_events *pk_reader_events(const struct pk_reader *reader);
/* Returns the event of a kernel record in host byte order (SPEC 4.4). If the session has only one
 * event, all kernel records belong to it. If the session has several events, a record with the id 0
 * belongs to the first event. A record with an unknown id also belongs to the first event unless it
 * is a SAMPLE. Returns NULL if the event of a SAMPLE is unknown, if the type of the record is
 * PERF_RECORD_USER_START or above, or if no event is defined yet. */
PK_API const struct pk_event *pk_reader_event_of(struct pk_reader *reader,
						 const struct pk_record *record);
/* Returns true if pk_reader_next reads a session whose byte order is not the host's. The result can
 * change when pk_reader_next returns PK_RECORD_BEGIN. After that, pk_order_next can still return
 * records of the previous session. */
PK_API bool pk_reader_swapped(const struct pk_reader *reader);
/* Returns the number of malformed records and other damaged parts of the input that were skipped.
 * The number includes all sessions so far. */
PK_API uint64_t pk_reader_bad_records(const struct pk_reader *reader);
/* Returns the text of the first PK_TRUNCATED or error, with the offset in the input. Returns "" if
 * no call has failed. The text is valid until the reader is freed. */
PK_API const char *pk_reader_error(const struct pk_reader *reader);

/* ---- Reading in order (SPEC 7) ---- */

struct pk_order;

/* The counts of the ordered reader for the session. */
struct pk_order_stats {
	uint64_t late;	 /* number of records that were returned after a record with a later time; 0
			  * if the session declares an order */
	uint64_t rounds; /* number of FINISHED_ROUND records that were read */
	uint64_t window_flushes; /* how often the queue exceeded its memory limit, so that half of
				  * it was released */
};

/* Creates an ordered reader, which reads its records from reader. The caller must not call
 * pk_reader_next() on reader, and must free reader after the ordered reader. */
PK_API PK_MUST_CHECK enum pk_status pk_order_new(struct pk_reader *reader, struct pk_order **order);
PK_API void pk_order_free(struct pk_order *order);
/* Returns the next record in time order. If the session declares an order (ORDER record), returns
 * the records in the order of the input. Sets record->event and record->time.
 *
 * A record without a time, or a record that is too late to be sorted, is returned at once.
 * PK_RECORD_BEGIN, ORDER, RESET and END are returned after all records that were read before them.
 * This also holds for PK_END and errors of the reader. FINISHED_ROUND is not returned. A SAMPLE of
 * an unknown event is reported through warn, counted and skipped. */
PK_API PK_MUST_CHECK enum pk_status
pk_order_next_sized(struct pk_order *order, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_order_next(struct pk_order *order,
							 struct pk_record *record)
{
	return pk_order_next_sized(order, record, sizeof(*record));
}

PK_API void pk_order_stats_sized(const struct pk_order *order, struct pk_order_stats *stats,
				 size_t stats_size);
static inline void pk_order_stats(const struct pk_order *order, struct pk_order_stats *stats)
{
	pk_order_stats_sized(order, stats, sizeof(*stats));
}

#ifdef __cplusplus
}
#endif
#endif
