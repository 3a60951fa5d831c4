/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with their user halves. A user half is the user part of a callchain, which the
 * kernel writes in a later CALLCHAIN_DEFERRED record (SPEC 5.3). */

#include "pkstream.h"

/* Why a sample is written without its user half. */
enum merger_reason {
	MERGER_ENDED,	 /* the sample's thread has ended */
	MERGER_EXECUTED, /* The process has called exec. The user half that was read afterwards
			  * belongs to the new program. */
	MERGER_PASSED,	 /* a user half was read that belongs to a later entry of the thread to the
			  * kernel */
	MERGER_FINISHED, /* the session ended */
	MERGER_FULL, /* too many samples were waiting, or too many bytes were read after the oldest
		      * waiting sample */
	MERGER_LATE, /* the sample has waited too long */
	MERGER_NO_COOKIE, /* the callchain has a marker without a cookie */
	MERGER_REASONS,
};

/* Counts of samples and user halves. */
struct merger_counts {
	/* Number of samples with a deferred user half. It is merged + empty + the sum of `alone`.
	 */
	uint64_t samples;
	uint64_t merged;
	uint64_t late;	/* number of the samples in `merged` and `empty` that were read after their
			 * user half */
	uint64_t empty; /* number of samples whose user half was read but has no addresses */
	uint64_t shortened; /* number of the samples in `merged` that lost addresses, because a
			     * record has a size limit */
	uint64_t alone[MERGER_REASONS];
	uint64_t halves;   /* number of user halves that were read */
	uint64_t used;	   /* number of the user halves that belong to at least one sample */
	uint64_t repeated; /* number of the user halves that are equal to the previous user half of
			    * their thread */
	/* The maximum number of samples that waited at the same time, and the maximum size in bytes
	 * of the oldest waiting sample and all records after it. */
	uint64_t samples_most, bytes_most;
};

/* The limits for waiting samples. */
struct merger_options {
	uint64_t samples_max; /* maximum number of samples that may wait at the same time */
	uint64_t bytes_max;   /* maximum size in bytes of the oldest waiting sample and all records
			       * after it */
	uint64_t time_max; /* maximum time that a sample waits for its user half, in ns; 0 if there
			    * is no limit */
	bool keep;	   /* keep the CALLCHAIN_DEFERRED records in the output */
};

struct merger;

/* The output is written to writer, which the caller owns. Returns NULL if memory is exhausted. */
struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer);
void merger_free(struct merger *merger);
/* Starts a session. If flags is true, SESSION declares chain trailers, so a sample without its user
 * half gets a chain trailer. time_max is the time limit of this session, instead of that in the
 * options. */
void merger_start_session(struct merger *merger, bool flags, uint64_t time_max);

/* The functions below add the next record of the stream. If no sample waits, the record is written
 * at once. Otherwise, it is written after all records before it. The functions return PK_NOMEM and
 * the errors of the writer. */

/* Adds a record that is written unchanged. If the record has a payload, it is read from `reader`.
 * Otherwise, reader may be NULL. */
enum pk_status merger_pass(struct merger *merger, const struct pk_record *record,
			   struct pk_reader *reader);
/* Adds a copy of a record without payload, and returns the copy. The caller can change it until the
 * next call. Returns NULL after an error. merger_status() then returns the error. */
uint8_t *merger_copy(struct merger *merger, const struct pk_record *record);
/* Adds a SAMPLE, whose event must be known. If trailers is true, the input's samples can have a
 * chain trailer. If derived is true, the sample can have the callchain of another task. If the
 * record is malformed, returns PK_CORRUPT and does not add the record. */
enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers,
			     bool derived);
/* Adds a CALLCHAIN_DEFERRED record. It is the user half of earlier samples, and sometimes of later
 * ones. */
enum pk_status merger_half(struct merger *merger, const struct pk_record *record);

/* Prefetches data for a record that will be added after MERGER_AHEAD - 1 other records. event and
 * data are the event and the bytes of that record. data is NULL if the record is not known yet.
 * Call this once for each record. */
#define MERGER_AHEAD 8
void merger_expect(struct merger *merger, const struct pk_event *event, const uint8_t *data);
/* Call this before a record with this time is added. time is in ns. Ends the waiting of samples if
 * their task ended more than one second before, or if they have waited too long. */
enum pk_status merger_time(struct merger *merger, uint64_t time);
/* Evaluates an EXIT, FORK or COMM record. This can end the waiting of samples. The record itself is
 * not added. */
enum pk_status merger_task(struct merger *merger, const struct pk_record *record);
/* Call this at the end of a session. It writes all samples and records that wait. */
enum pk_status merger_finish(struct merger *merger);
enum pk_status merger_status(const struct merger *merger);
const struct merger_counts *merger_counts(const struct merger *merger);

#endif
