/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_COUNTING_H
#define PK_STAT_COUNTING_H

/* Counts one run of the command, or the targets: opens, enables and reads the events. */

#include <time.h>

#include "child.h"
#include "control.h"
#include "stat.h"

struct counting {
	struct stat_options *options;
	struct stat_cells *cells;
	struct targets targets;
	struct child child;
	struct control control;
	bool complete;	 /* --interval-count is reached, or the output cannot be written */
	bool of_command; /* only the command is counted, no -p, -t, -u, -a or -C */
	struct timespec start;
	double elapsed;	     /* seconds from the start to the end or, during the run, to the last
			      * interval */
	double user, system; /* CPU time of the command in seconds */
	int status; /* the exit status for pk-stat: that of the command; 0 without a command */
};

/* Opens the events and --control, and forks the command, which is not yet started. Allocates the
 * cells, unless a previous run has. Call counting_close() in any case. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status counting_open(struct counting *counting, struct stat_options *options,
					   struct stat_cells *cells, const struct signals *signals);

/* Called at each interval. seconds count from the start. It returns false to end the run, because
 * nobody reads the counts any more. */
typedef enum pk_status counting_fn(void *arg, double seconds);

/* Counts until the command or all targets have ended, a signal or --control requests the end,
 * --timeout is over, or `complete` is set. Calls each at every interval. cells->now then has the
 * values since the start. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status counting_run(struct counting *counting, const struct signals *signals,
					  counting_fn *each, void *arg);
/* Ends the forked process if it has not yet started the command, and closes the events. Does
 * nothing if no event was opened. */
void counting_close(struct counting *counting);

#endif
