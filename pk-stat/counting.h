/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_COUNTING_H
#define PK_STAT_COUNTING_H

/* One run: opens, enables and reads the events. */

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
	bool complete;	 /* all requested intervals are over, or the reader is gone */
	bool of_command; /* only the command is counted */
	struct timespec start;
	double elapsed;	     /* seconds until the end */
	double user, system; /* of the command */
	int status;	     /* the exit status that results from the command */
};

/* Opens everything; the command is not yet started. Prepares the cells for the first run. False
 * after a message. */
bool counting_open(struct counting *counting, struct stat_options *options,
		   struct stat_cells *cells, const struct signals *signals);

/* False: nobody reads the counts any more. */
typedef bool counting_fn(void *arg, double seconds);

/* Counts until the command ends, a signal requests the end, or the time is over; calls each at
 * every interval, with the values since the start in the cells. False after a message. */
bool counting_run(struct counting *counting, const struct signals *signals, counting_fn *each,
		  void *arg);
/* Also allowed if nothing was opened. */
void counting_close(struct counting *counting);

#endif
