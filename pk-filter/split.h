/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_H
#define PK_FILTER_SPLIT_H

/*
 * A recording as several, one for each value of a field. Samples wait in a temporary file until the
 * session ends, beside what other records say of which tasks. Then each stream is written: what all
 * need, what its samples' tasks and those that these came from need, and the samples, in the order
 * of the input. The files get their names when all is done.
 */

#include "run.h"

struct split;

struct split_options {
	const char *pattern; /* see split_name.h */
	int argc;	     /* for the streams' provenance */
	char **argv;
	bool strip;	/* streams of perf's */
	bool anonymous; /* that tell nothing of this machine */
};

/* NULL after a message. */
struct split *split_new(struct pk_run *run, const struct split_options *options);
void split_free(struct split *split);
/* PK_IO after a message, here and below. */
enum pk_status split_start_session(struct split *split);
/* A sample, with its event, and the value that it has; NULL: none. symbolized: it has its stack
 * behind it. */
enum pk_status split_sample(struct split *split, const struct pk_record *record, bool symbolized,
			    const struct pk_bytes *value);
/* Any other record; payload: what was taken of it already, or NULL. */
enum pk_status split_record(struct split *split, const struct pk_record *record,
			    const struct pk_bytes *payload);
/* At the end of a session, whose samples were put in order, or not. */
enum pk_status split_end(struct split *split, bool symbolized, bool ordered);
/* Gives the files their names. False after a message. */
bool split_finish(struct split *split);

#endif
