/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_COUNTING_H
#define PK_STAT_COUNTING_H

/* One run: events opened, let go, read. */

#include <time.h>

#include "child.h"
#include "stat.h"

struct counting {
	struct stat_options *options;
	struct targets targets;
	struct stat_groups groups;
	struct child child;
	struct count *now; /* by event and group, since the start */
	bool of_command;   /* what is counted is the command, and nothing else */
	struct timespec start;
	double elapsed;	     /* seconds, up to the end */
	double user, system; /* of the command */
	int status;	     /* the exit status, as far as it is the command's */
};

/* Opens everything; the command is not yet started. False after a message. */
bool counting_open(struct counting *counting, struct stat_options *options,
		   const struct signals *signals);
/* Counts until the command ends, somebody asks for the end, or the time is up; calls each, if it is
 * not NULL, at every interval, with the values since the start in now. False after a message. */
bool counting_run(struct counting *counting, const struct signals *signals,
		  void (*each)(void *arg, double seconds), void *arg);
void counting_close(struct counting *counting);

#endif
