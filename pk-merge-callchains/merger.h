/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with their user halves. A user half is the user part of a callchain, which the
 * kernel writes in a later CALLCHAIN_DEFERRED record (SPEC 5.3). */

#include "pkstream.h"

/* Why a sample is written without its user half. */
enum merger_reason {
	MERGER_ENDED,	 /* the sample's thread has ended */
	MERGER_EXECUTED, /* the process has executed another program, and the user half belongs to
			  * that program */
	MERGER_PASSED,	 /* the thread's user half for a later entry to the kernel was read */
	MERGER_FINISHED, /* the session ended */
	MERGER_FULL,	 /* too many samples waited, or too many bytes followed the oldest sample */
	MERGER_LATE,	 /* the sample has waited too long */
	MERGER_NO_COOKIE, /* the callchain has a marker without a cookie */
	MERGER_REASONS,
};

struct merger_counts {
	/* Number of samples with a deferred user half. It is the sum of merged, empty and all
	 * numbers in alone. */
	uint64_t samples;
	uint64_t merged;
	uint64_t late;	    /* how many of `merged` and `empty` were read after their user half */
	uint64_t empty;	    /* samples whose user half has no addresses */
	uint64_t shortened; /* how many of `merged` were cut, because a record has a size limit */
	uint64_t alone[MERGER_REASONS];
	uint64_t halves;		   /* number of user halves */
	uint64_t used;			   /* how many of them at least one sample has used */
	uint64_t repeated;		   /* how many of them are the same as the previous one */
	uint64_t samples_most, bytes_most; /* the most that waited at one time: samples, and bytes
					    * of the oldest sample and all records after it */
};

struct merger_options {
	uint64_t samples_max; /* the most samples that may wait */
	uint64_t bytes_max; /* the most bytes of the oldest waiting sample and all records after it
			     */
	uint64_t time_max;  /* the longest time in ns that a sample waits, or 0 for no limit */
	bool keep;	    /* keep the CALLCHAIN_DEFERRED records in the output */
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
