/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_H
#define PK_FILTER_SPLIT_H

/* Splits a recording into one stream for each value of a field. Samples are kept in a temporary
 * file until the session ends, together with the records about each task. Then each stream is
 * written, in the order of the input: the records that all streams need, those of its samples'
 * tasks and of their ancestors, and the samples. The files get their names when all are
 * complete. */

#include "run.h"

struct split;

struct split_options {
	const char *pattern; /* see split_name.h */
	int argc;	     /* for the STAGE records */
	char **argv;
	bool strip;	/* without pk's extensions */
	bool anonymous; /* STAGE has no data about this machine and command */
};

/* Returns NULL after a message. */
struct split *split_new(struct pk_run *run, const struct split_options *options);
void split_free(struct split *split);
/* Returns PK_IO after a message, as the functions below do. */
enum pk_status split_start_session(struct split *split);
/* Adds a sample, with its event, and the value of the field, which is NULL if it has none.
 * symbolized means that it has a stack trailer. */
enum pk_status split_sample(struct split *split, const struct pk_record *record, bool symbolized,
			    const struct pk_bytes *value);
/* Adds any other record. payload is the payload if it was read already, or NULL. */
enum pk_status split_record(struct split *split, const struct pk_record *record,
			    const struct pk_bytes *payload);
/* Call it at the end of a session. in_order means that its samples were sorted. */
enum pk_status split_end(struct split *split, bool symbolized, bool ordered);
/* Gives all files their final names, or removes them after an error. The exit status: not 0 after a
 * message. */
int split_finish(struct split *split);

#endif
