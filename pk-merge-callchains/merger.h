/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with the user halves of their callchains that come later. */

#include "pkstream.h"

/* Why a sample was written without its user half. */
enum merger_reason {
	MERGER_ENDED,	  /* its thread ended */
	MERGER_PASSED,	  /* the user half of a later entry to the kernel came */
	MERGER_FINISHED,  /* the session ended */
	MERGER_FULL,	  /* too much waited */
	MERGER_NO_COOKIE, /* it names no user half */
	MERGER_REASONS,
};

struct merger_counts {
	uint64_t samples; /* without their user half: those merged, those with an empty half, and
			     those alone */
	uint64_t merged;
	uint64_t late;	    /* of the merged and empty ones: that came behind their user half */
	uint64_t empty;	    /* whose user half has no address */
	uint64_t shortened; /* of the merged: at the limit of a record's size */
	uint64_t alone[MERGER_REASONS];
	uint64_t halves;		   /* user halves */
	uint64_t used;			   /* of them: by one sample or more */
	uint64_t repeated;		   /* of them: that had just come */
	uint64_t samples_most, bytes_most; /* that waited at one time */
};

struct merger_options {
	uint64_t samples_max, bytes_max; /* that may wait */
};

struct merger;

/* What is done is written to writer, which stays the caller's; NULL: out of memory. */
struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer);
void merger_free(struct merger *merger);
/* A new session. flags: samples may be given a chain trailer. */
void merger_start_session(struct merger *merger, bool flags);
/*
 * Takes a SAMPLE, whose event is known; trailers: it may have a chain trailer already. It is
 * written now, or by one of the calls below. PK_CORRUPT: it is malformed, and not taken; else these
 * fail only where the output or memory does.
 */
enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers);
/*
 * A record of this event will come: what will be needed then is fetched into the cache, in three
 * steps, 1 being the last, which are best some records apart.
 */
void merger_expect(const struct merger *merger, const struct pk_event *event, const uint8_t *data,
		   int step);
/* Takes a CALLCHAIN_DEFERRED, which is not written. */
enum pk_status merger_half(struct merger *merger, const struct pk_record *record);
/* Time goes on: lets go what waits for tasks that have ended before. */
void merger_time(struct merger *merger, uint64_t time);
/* To be called ahead of writing an EXIT, FORK or COMM. */
enum pk_status merger_task(struct merger *merger, const struct pk_record *record);
/* At the end of a session: writes all that waits. */
enum pk_status merger_finish(struct merger *merger);
/* No sample that will be written by a later call but merger_sample is older; PK_NO_TIME: there is
 * none. */
uint64_t merger_oldest(struct merger *merger);
const struct merger_counts *merger_counts(const struct merger *merger);

#endif
