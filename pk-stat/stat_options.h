/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_OPTIONS_H
#define PK_STAT_OPTIONS_H

#include "options.h"
#include "stat.h"

struct opts {
	struct stat_options stat;
	const char *output;
	uint64_t log_fd; /* 0: none */
	bool append, dry_run;
};

/* For struct stat_options: what to count, and how to print it. */
extern const struct pk_option stat_rows[];
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
