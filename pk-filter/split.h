/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_H
#define PK_FILTER_SPLIT_H

/* Splits a recording into one stream for each value of a field. Until the session ends, samples are
 * kept in a temporary file, together with the records of each task. Then each stream is written. It
 * has the records that all streams need, the records of its samples' tasks and of the ancestors of
 * these tasks, and the samples. All these are in the order of the input. The files get their final
 * names when all files are complete. */

#include "periods.h"
#include "run.h"

struct split;

/* The options of a split. */
struct split_options {
	const char *pattern; /* pattern for the names of files; see split_name.h */
	int argc;	     /* arguments of the program, for the STAGE records */
	char **argv;
	bool strip;	/* write streams without the extensions of pk */
	bool anonymous; /* the STAGE records have no data about this machine and command */
};

/* Returns NULL on failure, after an error message. */
struct split *split_new(struct pk_run *run, const struct split_options *options);
void split_free(struct split *split);
/* This function and the functions below return PK_IO on failure, after an error message. */
enum pk_status split_start_session(struct split *split);
/* The sums of the counters in the samples that this session has for a value (pk_periods_keep()).
 * Returns NULL after a message. */
struct pk_periods *split_sums(struct split *split, const struct pk_bytes *value);
/* Adds a sample. record->event must be set. symbolized is true if the sample has a stack trailer.
 * value is the value of the field, or NULL if the sample does not have the field. */
enum pk_status split_sample(struct split *split, const struct pk_record *record, bool symbolized,
			    const struct pk_bytes *value);
/* Adds any other record. payload is the payload of the record if it was already read, and NULL
 * otherwise. */
enum pk_status split_record(struct split *split, const struct pk_record *record,
			    const struct pk_bytes *payload);
/* Call this at the end of a session. ordered is true if the samples of the session were sorted. */
enum pk_status split_end(struct split *split, bool symbolized, bool ordered);
/* Gives all files their final names. After an error, removes the files instead. Returns the exit
 * status, which is not 0 after an error message. */
int split_finish(struct split *split);

#endif
