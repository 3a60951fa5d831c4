/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_STREAM_H
#define PK_STAT_STREAM_H

/* Writes counts as a stream, in the records of perf stat record (SPEC 5.9). */

#include "counting.h"

struct stat_writer;

/* Opens the output. NULL after a message; *status is then the exit status. */
struct stat_writer *stat_writer_new(const struct stat_options *options, int *status);
/* Writes the records before the first counts. Call it after the events were opened. False: as in
 * stat_writer_round(). */
bool stat_writer_start(struct stat_writer *writer, const struct counting *counting);
/* Writes all counts since the start, then STAT_ROUND with the seconds since the start. final: at
 * the end; with intervals, this writes nothing, because the last interval ends there, too. False
 * after a message, or without one if nobody reads the stream any more. */
bool stat_writer_round(struct stat_writer *writer, const struct counting *counting, double seconds,
		       bool final);
/* Ends the stream. False: not everything could be written; after a message, unless nobody reads the
 * stream. NULL is allowed. */
bool stat_writer_free(struct stat_writer *writer);

#endif
