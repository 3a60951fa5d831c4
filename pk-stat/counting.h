/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_COUNTING_H
#define PK_STAT_COUNTING_H

/* One run: events opened, let go, read. */

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
	bool complete; /* all the intervals that were asked for have been, or all that are taken */
	bool of_command; /* what is counted is the command, and nothing else */
	struct timespec start;
	double elapsed;	     /* seconds, up to the end */
	double user, system; /* of the command */
	int status;	     /* the exit status, as far as it is the command's */
};

/* Opens everything; the command is not yet started. The cells are made ready for the first run.
 * False after a message. */
bool counting_open(struct counting *counting, struct stat_options *options,
		   struct stat_cells *cells, const struct signals *signals);

/* False: nobody takes what is counted any more. */
typedef bool counting_fn(void *arg, double seconds);

/* Counts until the command ends, somebody asks for the end, or the time is up; calls each at every
 * interval, with the values since the start in the cells. False after a message. */
bool counting_run(struct counting *counting, const struct signals *signals, counting_fn *each,
		  void *arg);
/* Fine if nothing has been opened. */
void counting_close(struct counting *counting);

#endif
