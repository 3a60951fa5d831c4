/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_RECORDS_H
#define PK_STAT_RECORDS_H

/* Numbers in the records of perf stat record. */

#include "pkstream.h"
#include "stat.h"

/* tags of STAT_CONFIG; the interval is in ms */
enum { STAT_CONFIG_BY, STAT_CONFIG_INTERVAL, STAT_CONFIG_SCALE };
enum { STAT_ROUND_INTERVAL, STAT_ROUND_FINAL };

#define STAT_CPU_ANY	 65535 /* in a list */
#define STAT_THREADS_MAX 2700  /* limit for a THREAD_MAP */
#define STAT_CPUS_MAX	 32000 /* limit for a CPU_MAP */

/* The number of an aggregation in perf 6.1. */
uint64_t stat_by_number(enum stat_by by);
/* The reverse, for that version of perf ("6.1.2"; NULL or "": unknown). */
enum stat_by stat_by_of_number(uint64_t number, const char *version);
/* The CPUs of a CPU_MAP, to be freed; NULL: malformed, or out of memory. */
int *stat_cpus_of(const struct pk_record *record, size_t *count);
/* The same for the threads of a THREAD_MAP. */
struct stat_thread *stat_threads_of(const struct pk_record *record, size_t *count);

#endif
