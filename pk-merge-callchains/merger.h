/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with the user halves of their callchains, which come later. */

#include "pkstream.h"

/* The reason for writing a sample without its user half. */
enum merger_reason {
	MERGER_ENDED,	  /* its thread ended */
	MERGER_EXECUTED,  /* its process executed another program: the user half is of that one */
	MERGER_PASSED,	  /* the user half of a later entry of its thread to the kernel was read */
	MERGER_FINISHED,  /* the session ended */
	MERGER_FULL,	  /* too many samples waited, or too many bytes after the oldest one */
	MERGER_LATE,	  /* it waited too long */
	MERGER_NO_COOKIE, /* its callchain has a marker without a cookie */
	MERGER_REASONS,
};

struct merger_counts {
	/* Samples with a deferred user half: the sum of merged, empty and alone. */
	uint64_t samples;
	uint64_t merged;
	uint64_t late;	    /* of the merged and empty ones: read after their user half */
	uint64_t empty;	    /* samples whose user half has no addresses */
	uint64_t shortened; /* of the merged ones: cut at the limit of a record's size */
	uint64_t alone[MERGER_REASONS];
	uint64_t halves;		   /* user halves */
	uint64_t used;			   /* of them: used by one sample or more */
	uint64_t repeated;		   /* of them: the same as the previous one */
	uint64_t samples_most, bytes_most; /* maximum that waited at one time; bytes of all records
					    * after the oldest sample */
};

struct merger_options {
	uint64_t samples_max; /* limits: number of waiting samples; ... */
	uint64_t bytes_max;   /* ... bytes of the oldest one and of all records after it; ... */
	uint64_t time_max;    /* ... ns that a sample waits; 0: no limit */
	bool keep;	      /* keep the records of the user halves */
};

struct merger;

/* The results are written to writer, which stays the caller's. NULL: out of memory. */
struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer);
void merger_free(struct merger *merger);
/* Starts a session. With flags, SESSION declares chain trailers, so samples without their user half
 * get one. time_max is that of the options for this session. */
void merger_start_session(struct merger *merger, bool flags, uint64_t time_max);

/* These functions add the next record of the stream. It is written at once if no sample waits, else
 * after all records before it. Errors are PK_NOMEM, and those of the writer. */

/* Passes on a record that is written as it is. The reader has its payload, and is NULL if it has
 * none. */
enum pk_status merger_pass(struct merger *merger, const struct pk_record *record,
			   struct pk_reader *reader);
/* Passes on a record without payload. The caller can change the returned copy until the next call.
 * Returns NULL after an error, which merger_status() returns. */
uint8_t *merger_copy(struct merger *merger, const struct pk_record *record);
/* Adds a SAMPLE, whose event is known. trailers means that samples of the input can have a chain
 * trailer. derived means that its callchain can be that of another task. Returns PK_CORRUPT if the
 * record is malformed, and does not add it. */
enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers,
			     bool derived);
/* A CALLCHAIN_DEFERRED, the user half of earlier samples. */
enum pk_status merger_half(struct merger *merger, const struct pk_record *record);

/* Prefetches data for a record of this event that will be added after MERGER_AHEAD - 1 others. Call
 * it once for each record. data is NULL if it is unknown. */
#define MERGER_AHEAD 8
void merger_expect(struct merger *merger, const struct pk_event *event, const uint8_t *data);
/* Call it before a record of this time, in ns, is added: releases the samples of tasks that ended
 * more than one second before, and those that have waited too long. */
enum pk_status merger_time(struct merger *merger, uint64_t time);
/* Evaluates EXIT, FORK and COMM: can release samples. The record itself is not added. */
enum pk_status merger_task(struct merger *merger, const struct pk_record *record);
/* Call at the end of a session: writes all that waits. */
enum pk_status merger_finish(struct merger *merger);
enum pk_status merger_status(const struct merger *merger);
const struct merger_counts *merger_counts(const struct merger *merger);

#endif
