/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STREAM_H
#define PK_STAT_STREAM_H

/* Counts as a stream, in the records of perf stat record (SPEC 5.9). */

#include "counting.h"

struct stat_writer;

/* Opens the output; NULL after a message, with the exit status. */
struct stat_writer *stat_writer_new(const struct stat_options *options, int *status);
/* Writes the records before the first counts, after the events were opened. False after a
 * message. */
bool stat_writer_start(struct stat_writer *writer, const struct counting *counting);
/* Writes all counts since the start, and the seconds after it; at the end once more, as the final
 * ones. False after a message, or without one if nobody reads the stream. */
bool stat_writer_round(struct stat_writer *writer, const struct counting *counting, double seconds,
		       bool final);
/* Ends the stream. False after a message: not everything could be written. NULL is allowed. */
bool stat_writer_free(struct stat_writer *writer);

#endif
