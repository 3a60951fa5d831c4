/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_OPTIONS_H
#define PK_STAT_OPTIONS_H

#include "options.h"
#include "stat.h"

/* The options of the program pk-stat. */
struct opts {
	struct stat_options stat;
	const char *output;
	uint64_t log_fd; /* argument of --log-fd; 0 if it is not given */
	bool append, dry_run;
};

/* Options that set members of a struct stat_options. They select what is counted, and how it is
 * printed. */
extern const struct pk_option stat_rows[];
/* Uses the descriptions of $PK_EVENTS_DIR, or the tables of events in share/pk, unless --metric-dir
 * was given. Returns PK_CONTINUE, or an
 * exit status after a message. */
int stat_use_tables(struct stat_options *stat);
/* Returns true if options select a target: -p, -t, -u, -a or -C. */
bool stat_has_target(const struct stat_options *stat);
/* Returns true if the operands are recordings and not a command. This is so if the first operand is
 * "-", or is a file that starts like a recording. Without operands, returns true if stdin can be a
 * recording. stdin cannot be a recording if it is a character device, such as a terminal. */
bool stat_are_recordings(char *const *operands);
/* Checks combinations of options, and selects the metrics. Sets `by` if no option sets it and no
 * recordings are read. Returns PK_EXIT_OK, or prints a message and returns the exit status. */
int stat_check_options(struct stat_options *stat);

#endif
