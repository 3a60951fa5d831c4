/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes the records that perf stat record writes, and gives names to the numbers in them. */
#ifndef PK_STAT_RECORDS_H
#define PK_STAT_RECORDS_H

#include "counting.h"
#include "pkstream.h"
#include "stat.h"

struct stat_writer;

/* Opens the output. If it fails, prints a message, sets *status to the exit status, and returns
 * NULL. */
struct stat_writer *stat_writer_new(const struct stat_options *options, int *status);
/* Writes the records before the first counts. Call it after the events were opened. Returns false
 * in the cases in which stat_writer_round() fails. */
bool stat_writer_start(struct stat_writer *writer, const struct counting *counting);
/* Writes all counts since the start, and then a STAT_ROUND with the seconds since the start.
 * `final` is set at the end of the run. With intervals, nothing is written at the end, because the
 * last interval ends there, too. If it fails, prints a message and returns PK_FAILED. Prints no
 * message if nobody reads the stream any more. */
enum pk_status stat_writer_round(struct stat_writer *writer, const struct counting *counting,
				 double seconds, bool final);
/* Ends the stream. writer may be NULL. If something could not be written, prints a message and
 * returns an error. Prints no message if nobody reads the stream any more. */
PK_MUST_CHECK enum pk_status stat_writer_free(struct stat_writer *writer);

/* The tags of the terms of STAT_CONFIG. The value of STAT_CONFIG_INTERVAL is in ms. */
enum { STAT_CONFIG_BY, STAT_CONFIG_INTERVAL, STAT_CONFIG_SCALE };
enum { STAT_ROUND_INTERVAL, STAT_ROUND_FINAL };

#define STAT_CPU_ANY 65535 /* stands for any CPU in a list of CPUs */
/* Limits for one THREAD_MAP or CPU_MAP record. Such a record has at most 64 KiB. */
#define STAT_THREADS_MAX 2700
#define STAT_CPUS_MAX	 32000

/* Returns the number of an aggregation in STAT_CONFIG, as in perf 6.1. */
uint64_t stat_by_number(enum stat_by by);
/* Returns the aggregation for a number in STAT_CONFIG. version is the version of perf that wrote
 * the number, such as "6.1.2". NULL, "" and other texts mean 6.1. Returns STAT_ALL if pk-stat does
 * not have the aggregation. */
enum stat_by stat_by_of_number(uint64_t number, const char *version);
/* Returns the CPUs of a CPU_MAP record. -1 stands for any CPU. The caller frees the list. Returns
 * NULL if the record is malformed, or if memory is exhausted. */
int *stat_cpus_of(const struct pk_record *record, size_t *count);
/* Returns the threads of a THREAD_MAP record. The caller frees the list. Returns NULL if the record
 * is malformed, or if memory is exhausted. */
struct stat_thread *stat_threads_of(const struct pk_record *record, size_t *count);

#endif
