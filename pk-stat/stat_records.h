/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes the records of perf stat record, and names their numbers. */
#ifndef PK_STAT_RECORDS_H
#define PK_STAT_RECORDS_H

#include "counting.h"
#include "pkstream.h"
#include "stat.h"

struct stat_writer;

/* Opens the output. Returns NULL after a message, and sets *status to the exit status. */
struct stat_writer *stat_writer_new(const struct stat_options *options, int *status);
/* Writes the records before the first counts. Call it after the events were opened. Returns false
 * in the cases of stat_writer_round(). */
bool stat_writer_start(struct stat_writer *writer, const struct counting *counting);
/* Writes all counts since the start, then STAT_ROUND with the seconds since the start. final is set
 * at the end. With intervals, this writes nothing, because the last interval ends there, too.
 * Returns PK_FAILED after a message, or without one if nobody reads the stream any more. */
enum pk_status stat_writer_round(struct stat_writer *writer, const struct counting *counting,
				 double seconds, bool final);
/* Ends the stream. writer may be NULL. Returns false if not everything could be written, after a
 * message, unless nobody reads the stream. */
PK_MUST_CHECK enum pk_status stat_writer_free(struct stat_writer *writer);

/* tags of the terms of STAT_CONFIG; the value of STAT_CONFIG_INTERVAL is in ms */
enum { STAT_CONFIG_BY, STAT_CONFIG_INTERVAL, STAT_CONFIG_SCALE };
enum { STAT_ROUND_INTERVAL, STAT_ROUND_FINAL };

#define STAT_CPU_ANY 65535 /* in a list of CPUs: any CPU */
/* Limits for one THREAD_MAP or CPU_MAP record, which has at most 64 KiB. */
#define STAT_THREADS_MAX 2700
#define STAT_CPUS_MAX	 32000

/* The number of an aggregation in STAT_CONFIG, as in perf 6.1. */
uint64_t stat_by_number(enum stat_by by);
/* The aggregation for a number in STAT_CONFIG. version is that of the perf that wrote it, such as
 * "6.1.2". NULL, "" and other texts mean 6.1. Returns STAT_ALL if pk-stat lacks the aggregation. */
enum stat_by stat_by_of_number(uint64_t number, const char *version);
/* The CPUs of a CPU_MAP, -1 for any CPU. The caller frees the list. Returns NULL if it is
 * malformed, or memory is exhausted. */
int *stat_cpus_of(const struct pk_record *record, size_t *count);
/* The same for the threads of a THREAD_MAP. */
struct stat_thread *stat_threads_of(const struct pk_record *record, size_t *count);

#endif
