/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_OPTIONS_H
#define PK_STAT_OPTIONS_H

#include "stat.h"

enum {
	OPT_FILTER = 256,
	OPT_LIST,
	OPT_METRIC,
	OPT_METRIC_DIR,
	OPT_METRIC_NO_GROUP,
	OPT_METRIC_NO_MERGE,
	OPT_METRIC_ONLY,
	OPT_NO_METRICS,
	OPT_EACH_CGROUP,
	OPT_TABLE,
	OPT_PRE,
	OPT_POST,
	OPT_INTERVAL_COUNT,
	OPT_CLEAR,
	OPT_SUMMARY,
	OPT_TIMEOUT,
	OPT_CONTROL,
	OPT_CORE,
	OPT_DIE,
	OPT_SOCKET,
	OPT_NODE,
	OPT_THREAD,
	OPT_NO_CSV_SUMMARY,
	OPT_STREAM,
	OPT_ALL_USER,
	OPT_ALL_KERNEL,
	OPT_SCALE,
	OPT_NO_SCALE,
	OPT_NO_MERGE,
	OPT_NO_BIG,
	OPT_APPEND,
	OPT_LOG_FD,
	OPT_VERSION,
};

struct opts {
	struct stat_options stat;
	const char *output;
	uint64_t log_fd; /* 0: none */
	bool append;
	int verbose;
};

#define STAT_OPTION_OTHER (-2)

/* Takes an option of getopt_long that says what and how to count or print. -1: go on, else the exit
 * status; STAT_OPTION_OTHER: it is none of these. */
int stat_parse_option(int option, struct opts *opts);
/* Do options say whom to count? */
bool stat_has_target(const struct stat_options *stat);
/* Are operands recordings, rather than a command? Without any, standard input may be one. */
bool stat_are_recordings(char *const *operands);
/* Chooses metrics, and what counts are added up by. PK_EXIT_OK, or the exit status after a
 * message. */
int stat_check_options(struct stat_options *stat);

#endif
