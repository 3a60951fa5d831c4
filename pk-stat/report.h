/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_REPORT_H
#define PK_STAT_REPORT_H

/* Counts as text, as perf stat lays it out; as fields with a separator; as JSON lines. */

#include "stat.h"

/* What is said around the counts, of the text alone. */
struct stat_times {
	struct moments elapsed; /* seconds */
	double user, system;	/* seconds of the command; negative: not known */
};

void report_begin(const struct stat_options *options);
void report_counts(const struct stat_options *options, const struct stat_result *result);
void report_end(const struct stat_options *options, const struct stat_times *times);

#endif
