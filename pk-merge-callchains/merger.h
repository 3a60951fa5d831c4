/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGER_H
#define PK_MERGER_H

/* Joins samples with the user halves of their callchains, which come later. */

#include "pkstream.h"

/* The reason for writing a sample without its user half. */
enum merger_reason {
	MERGER_ENDED,	  /* its thread ended */
	MERGER_PASSED,	  /* the user half of a later entry to the kernel came */
	MERGER_FINISHED,  /* the session ended */
	MERGER_FULL,	  /* too many samples waited */
	MERGER_NO_COOKIE, /* it has no cookie */
	MERGER_REASONS,
};

struct merger_counts {
	uint64_t samples; /* without their user half: the sum of merged, empty and alone */
	uint64_t merged;
	uint64_t late;	    /* of the merged and empty ones: read after their user half */
	uint64_t empty;	    /* those whose user half has no addresses */
	uint64_t shortened; /* of the merged ones: cut at the limit of a record's size */
	uint64_t alone[MERGER_REASONS];
	uint64_t halves;		   /* user halves */
	uint64_t used;			   /* of them: used by one sample or more */
	uint64_t repeated;		   /* of them: the same as the previous one */
	uint64_t samples_most, bytes_most; /* maximum that waited at one time */
};

struct merger_options {
	uint64_t samples_max, bytes_max; /* limits for waiting samples */
};

struct merger;

/* The results are written to writer, which stays the caller's; NULL: out of memory. */
struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer);
void merger_free(struct merger *merger);
/* Starts a session. flags: samples can get a chain trailer. */
void merger_start_session(struct merger *merger, bool flags);
/* Adds a SAMPLE, whose event is known; trailers: it can have a chain trailer already. It is written
 * now, or by one of the calls below. PK_CORRUPT: malformed, and not added; otherwise, these
 * functions fail only if the output or memory does. */
enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers);
/* Prefetches data for a record of this event that will be added later, in three steps, best some
 * records apart; 1 is the last one. */
void merger_expect(const struct merger *merger, const struct pk_event *event, const uint8_t *data,
		   int step);
/* Adds a CALLCHAIN_DEFERRED; it is not written. */
enum pk_status merger_half(struct merger *merger, const struct pk_record *record);
/* Sets the current time: releases samples of tasks that ended long enough before. */
void merger_time(struct merger *merger, uint64_t time);
/* Call it before an EXIT, FORK or COMM is written. */
enum pk_status merger_task(struct merger *merger, const struct pk_record *record);
/* Call at the end of a session: writes all waiting samples. */
enum pk_status merger_finish(struct merger *merger);
/* The time of the oldest waiting sample: no later call except merger_sample writes an older one.
 * PK_NO_TIME: none waits. */
uint64_t merger_oldest(struct merger *merger);
const struct merger_counts *merger_counts(const struct merger *merger);

#endif
