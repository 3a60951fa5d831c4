/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_COUNTING_H
#define PK_STAT_COUNTING_H

/* Counts during one run of the command, or counts the targets. Opens, enables and reads the events.
 */

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
	bool complete;	 /* the number of intervals of --interval-count was reached, or the output
			  * cannot be written any more */
	bool of_command; /* true if only the command is counted, because none of -p, -t, -u, -a and
			  * -C is given */
	struct timespec start;
	double elapsed; /* Seconds from the start of the counting to its end. While the counting
			 * runs, seconds to the last interval. */
	double user, system; /* CPU time of the command in seconds */
	int status; /* the exit status for pk-stat: that of the command, or 0 if there is no command
		     */
};

/* Opens the events and --control, and forks a process for the command. The command itself does not
 * start yet. Allocates the cells, unless a previous run has allocated them. The caller calls
 * counting_close(), even after a failure. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status counting_open(struct counting *counting, struct stat_options *options,
					   struct stat_cells *cells, const struct signals *signals);

/* Called at each interval. `seconds` is the time since the start. To end the run, it returns
 * another status than PK_OK, for example because nobody reads the counts any more. */
typedef enum pk_status counting_fn(void *arg, double seconds);

/* Counts until one of these things happens: the command or all targets end, a signal or --control
 * requests the end, the time of --timeout is over, or `complete` is set. Calls `each` at every
 * interval. At each call, cells->now has the values since the start. Returns PK_FAILED after it has
 * printed a message. */
PK_MUST_CHECK enum pk_status counting_run(struct counting *counting, const struct signals *signals,
					  counting_fn *each, void *arg);
/* Closes the events. Ends the forked process if it has not started the command yet. Does nothing if
 * no event was opened. */
void counting_close(struct counting *counting);

#endif
