/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with the user halves of their callchains, which come later. */

#include "pkstream.h"

/* The reason for writing a sample without its user half. */
enum merger_reason {
	MERGER_ENDED,	  /* its thread ended */
	MERGER_PASSED,	  /* the user half of a later entry of its thread to the kernel was read */
	MERGER_FINISHED,  /* the session ended */
	MERGER_FULL,	  /* too many samples waited */
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
	uint64_t samples_most, bytes_most; /* maximum that waited at one time */
};

struct merger_options {
	uint64_t samples_max, bytes_max; /* limits: number of waiting samples; bytes of them and of
					  * stored user halves */
};

struct merger;

/* The results are written to writer, which stays the caller's; NULL: out of memory. */
struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer);
void merger_free(struct merger *merger);
/* Starts a session. flags: SESSION declares chain trailers, so samples without their user half get
 * one. */
void merger_start_session(struct merger *merger, bool flags);
/* Adds a SAMPLE, whose event is known. It is written now, or by a later call. trailers: samples of
 * the input can have a chain trailer. PK_CORRUPT: the record is malformed, and is not added. Other
 * errors of these functions are PK_NOMEM or those of the writer. */
enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers);
/* Prefetches data for a record of this event that will be added after MERGER_AHEAD - 1 others. Call
 * it once for each record; data NULL: unknown. */
#define MERGER_AHEAD 8
void merger_expect(struct merger *merger, const struct pk_event *event, const uint8_t *data);
/* Adds a CALLCHAIN_DEFERRED, the user half of earlier samples. The record itself is not written. */
enum pk_status merger_half(struct merger *merger, const struct pk_record *record);
/* Sets the current time in ns: releases the samples of tasks that ended more than one second
 * before. */
void merger_time(struct merger *merger, uint64_t time);
/* Evaluates EXIT, FORK and COMM. Call it before the record is written, because it can release
 * samples. */
enum pk_status merger_task(struct merger *merger, const struct pk_record *record);
/* Call at the end of a session: writes all waiting samples. */
enum pk_status merger_finish(struct merger *merger);
/* The time of the oldest waiting sample: no later call except merger_sample writes an older one.
 * PK_NO_TIME: none waits. */
uint64_t merger_oldest(struct merger *merger);
const struct merger_counts *merger_counts(const struct merger *merger);

#endif
