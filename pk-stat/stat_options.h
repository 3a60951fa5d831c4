/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_OPTIONS_H
#define PK_STAT_OPTIONS_H

#include "stat.h"

enum {
	OPT_FILTER = 256,
	OPT_GO_RETURNS,
	OPT_OBJECT,
	OPT_PROBE,
	OPT_DRY_RUN,
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
	bool append, dry_run;
	int verbose;
};

#define STAT_OPTION_OTHER (-2)

/* Handles an option that selects what to count or how to print. -1: continue, else the exit status;
 * STAT_OPTION_OTHER: a different option. */
int stat_parse_option(int option, struct opts *opts);
/* Whether options select a target: -p, -t, -u, -a or -C. */
bool stat_has_target(const struct stat_options *stat);
/* Whether operands are recordings, not a command: the first one is "-" or a file that starts like a
 * recording. Without operands: whether stdin can be a recording, because it is no character device
 * such as a terminal. */
bool stat_are_recordings(char *const *operands);
/* Checks combinations of options, selects the metrics, and sets `by` if no option does and no
 * recordings are read. PK_EXIT_OK, or the exit status after a message. */
int stat_check_options(struct stat_options *stat);

#endif
